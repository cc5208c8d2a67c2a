/** What can only be seen by paying. Run where a number to pay with is given, and with it alone. */
import type { Heard } from './ask.ts';
import type { Check } from './checks.ts';
import { confirmOf } from './requests.ts';
import {
  errorIn,
  expectRefusal,
  expectSame,
  expectStatus,
  Mismatch,
  objectIn,
  type Session,
  Skipped,
  shown,
} from './session.ts';

/** How often, and how long in all, the suite reads a payment that is processing (milliseconds). */
const EVERY = 2000;
const AT_MOST = 60_000;

const secretOf = (session: Session) => ({ client_secret: session.given.clientSecret });

const numberToPay = ({ given }: Session): string => {
  if (given.payWith !== null) return given.payWith;
  throw new Skipped('it charges: --pay-with <number>');
};

/** The view once it is decided. */
const decided = async (session: Session): Promise<Record<string, unknown>> => {
  for (let waited = 0; ; waited += EVERY) {
    const view = await session.view();
    if (view.status !== 'processing') return view;
    if (waited >= AT_MOST) throw new Mismatch('an outcome within a minute', 'processing');
    await session.wait(EVERY);
  }
};

const paid = async (session: Session): Promise<Record<string, unknown>> => {
  numberToPay(session);
  const view = await decided(session);
  if (view.status === 'succeeded') return view;
  throw new Skipped(`the payment did not succeed (it is ${view.status})`);
};

export const PAYING: readonly Check[] = [
  {
    id: 'declined',
    rule: 'service-api, code payment_method_declined: a card that is declined is told as 402, counts one attempt and stays to be read',
    run: async (session) => {
      const { declineWith } = session.given;
      if (declineWith === null)
        throw new Skipped('it needs a card that is declined: --decline-with <number>');
      const before = await session.view();
      if (before.status !== 'pending') throw new Skipped(`the payment is ${before.status}`);
      const heard = await session.post('confirm', confirmOf(session, before, { number: declineWith }));
      expectRefusal(heard, 'payment_method_declined', 'payment_failed');
      const after = await session.view();
      const attempts = Number(before.confirmation_attempts) + 1;
      expectSame('confirmation_attempts', after.confirmation_attempts, attempts);
      const { last_payment_error } = after;
      const kept = typeof last_payment_error === 'object' ? { ...last_payment_error } : {};
      if (!('code' in kept))
        throw new Mismatch('the error in last_payment_error', JSON.stringify(last_payment_error));
      expectSame('last_payment_error.code', kept.code, errorIn(heard).code);
    },
  },
  {
    id: 'released',
    rule: 'contract 3.3: to release ends the failed attempt, and may be repeated',
    run: async (session) => {
      if (session.given.declineWith === null)
        throw new Skipped('nothing was declined: --decline-with <number>');
      const before = await session.view();
      if ((before.last_payment_error ?? null) === null) throw new Skipped('no attempt has failed');
      for (let times = 0; times < 2; times += 1) {
        const heard = await session.post('release', secretOf(session));
        expectStatus(heard, 200);
        const { status, last_payment_error } = objectIn(heard);
        expectSame(
          'after the release',
          { status, last_payment_error },
          { status: 'pending', last_payment_error: null },
        );
      }
    },
  },
  {
    id: 'paid-once',
    rule: 'contract 4.3: of two confirms at once exactly one acts, and the other is refused',
    run: async (session) => {
      const number = numberToPay(session);
      const before = await session.view();
      if (before.status !== 'pending') throw new Skipped(`the payment is ${before.status}`);
      const body = confirmOf(session, before, { number });
      const both = await Promise.all([session.post('confirm', body), session.post('confirm', body)]);
      const acted = both.filter(({ status }) => status === 200);
      if (acted.length !== 1) throw new Mismatch('one 200 and one refusal', both.map(shown).join(' and '));
      for (const heard of both) if (heard.status !== 200) expectRefusal(heard, 'payment_intent_not_pending');
      for (const heard of acted) expectOutcome(heard);
      const after = await session.view();
      expectSame(
        'confirmation_attempts',
        after.confirmation_attempts,
        Number(before.confirmation_attempts) + 1,
      );
    },
  },
  {
    id: 'succeeded',
    rule: 'contract 4.1: a payment that is accepted succeeds, and says when',
    run: async (session) => {
      const view = await paid(session);
      if (!Number.isSafeInteger(view.succeeded_at))
        throw new Mismatch('succeeded_at in unix seconds', JSON.stringify(view.succeeded_at));
      expectSame('last_payment_error', view.last_payment_error, null);
    },
  },
  {
    id: 'paid-is-paid',
    rule: 'service-api, code payment_intent_not_pending: a payment that is complete cannot be confirmed again',
    run: async (session) => {
      const before = await paid(session);
      const number = numberToPay(session);
      expectRefusal(
        await session.post('confirm', confirmOf(session, before, { number })),
        'payment_intent_not_pending',
      );
      expectSame('the payment', await session.view(), before);
    },
  },
  {
    id: 'status-before-total',
    rule: 'contract 4.5: the status is looked at before the total',
    run: async (session) => {
      const before = await paid(session);
      const body = confirmOf(session, before, { amount_total: 'another' });
      expectRefusal(await session.post('confirm', body), 'payment_intent_not_pending');
    },
  },
  {
    id: 'release-paid',
    rule: 'contract 3.3: a payment that has succeeded cannot be released',
    run: async (session) => {
      const before = await paid(session);
      expectRefusal(await session.post('release', secretOf(session)), 'payment_intent_not_pending');
      expectSame('the payment', await session.view(), before);
    },
  },
];

const expectOutcome = (heard: Heard): void => {
  const { status } = objectIn(heard);
  if (status !== 'succeeded' && status !== 'processing')
    throw new Mismatch('succeeded or processing', JSON.stringify(status));
};
