/** Checks that pay. They run only with `--pay-with`, and only with that number. */

import type { HttpResponse } from '../../api/command/http.ts';
import { checks } from './check.ts';
import { confirmToCheck } from './confirm-body.ts';
import {
  type CheckContext,
  expectRefused,
  expectSame,
  expectStatus,
  Mismatch,
  parseError,
  parseObject,
  Skipped,
  summarize,
} from './context.ts';

/** Interval and limit for polling a processing payment. */
const POLL_INTERVAL_MS = 2000;
const POLL_TIMEOUT_MS = 60_000;
/** Pauses between reads while a confirm is open: each is twice the one before. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1600;

const secretOf = (context: CheckContext) => ({ client_secret: context.options.clientSecret });

const numberToPay = ({ options }: CheckContext): string => {
  if (options.payWith !== null) return options.payWith;
  throw new Skipped('needs --pay-with <number>, which is charged');
};

const numberToDecline = ({ options }: CheckContext): string => {
  if (options.declineWith !== null) return options.declineWith;
  throw new Skipped('needs --decline-with <number>');
};

/** The payment before it is confirmed. */
const pendingBefore = async (context: CheckContext): Promise<Record<string, unknown>> => {
  const before = await context.view();
  if (before.status !== 'pending') throw new Skipped(`the payment is ${before.status}`);
  return before;
};

/** Polls until the payment is no longer processing. */
const settledView = async (context: CheckContext): Promise<Record<string, unknown>> => {
  for (let waited = 0; ; waited += POLL_INTERVAL_MS) {
    const view = await context.view();
    if (view.status !== 'processing') return view;
    if (waited >= POLL_TIMEOUT_MS) throw new Mismatch('an outcome within a minute', 'processing');
    await context.wait(POLL_INTERVAL_MS);
  }
};

const paidView = async (context: CheckContext): Promise<Record<string, unknown>> => {
  numberToPay(context);
  const view = await settledView(context);
  if (view.status === 'succeeded') return view;
  if (
    context.exchanges.some(
      ({ response }) => response.status === 200 && parseObject(response).status === 'succeeded',
    )
  )
    throw new Mismatch('succeeded, as it was before', JSON.stringify(view.status));
  throw new Skipped(`the payment did not succeed (it is ${view.status})`);
};

const isRunning = (view: Readonly<Record<string, unknown>>): boolean =>
  view.attempt_in_progress === true ||
  (view.status === 'processing' && (view.last_payment_error ?? null) === null);

/** An attempt as seen by another browser while the confirm that started it is open. */
type Watched = {
  views: readonly Readonly<Record<string, unknown>>[];
  /** The answer to the other browser's confirm, sent as soon as it saw a running attempt. */
  second: HttpResponse | null;
};

const watchedDuring = async (context: CheckContext, body: unknown): Promise<Watched> => {
  const views: Readonly<Record<string, unknown>>[] = [];
  let second: HttpResponse | null = null;
  let isOpen = true;
  const confirmed = context.post('confirm', body).finally(() => {
    isOpen = false;
  });
  let waited = 0;
  for (
    let pause = FIRST_PAUSE_MS;
    isOpen && waited < POLL_TIMEOUT_MS;
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
  ) {
    const view = await context.view();
    views.push(view);
    if (isOpen && second === null && isRunning(view)) {
      const answer = await context.post('confirm', body);
      views.push(await context.view());
      // If the first has been answered by now, the attempt may have ended before the second arrived.
      if (isOpen) second = answer;
    }
    if (isOpen) await context.wait(pause);
    waited += pause;
  }
  await confirmed;
  return { views, second };
};

export const PAYMENT_CHECKS = checks<CheckContext>({
  'running-attempt: 4.6: while the attempt of one browser runs, another reads processing or attempt_in_progress, and its confirm is refused':
    async (context) => {
      const number = numberToDecline(context);
      const before = await pendingBefore(context);
      const body = confirmToCheck(context, before, { number });
      const { views, second } = await watchedDuring(context, body);
      const isHidden = (view: Readonly<Record<string, unknown>>) =>
        Number(view.confirmation_attempts) > Number(before.confirmation_attempts) &&
        view.status === 'pending' &&
        view.attempt_in_progress !== true &&
        (view.last_payment_error ?? null) === null;
      expectStatus(await context.post('release', secretOf(context)), 200);
      if (views.some(isHidden)) {
        throw new Mismatch(
          'processing, or attempt_in_progress: true',
          'pending, with one more attempt counted',
        );
      }
      if (second !== null) expectRefused(second, 'payment_intent_not_pending');
      if (!views.some(isRunning))
        throw new Skipped(
          'the attempt was over before it could be read; a number whose attempt takes a second shows more',
        );
    },
  'declined: S16.3: payment_method_declined, a declined card answers 402, counts one attempt and stays in last_payment_error':
    async (context) => {
      const number = numberToDecline(context);
      const before = await pendingBefore(context);
      const response = await context.post('confirm', confirmToCheck(context, before, { number }));
      expectRefused(response, 'payment_method_declined', 'payment_failed');
      const after = await context.view();
      const attempts = Number(before.confirmation_attempts) + 1;
      expectSame('confirmation_attempts', after.confirmation_attempts, attempts);
      const { last_payment_error } = after;
      const kept = typeof last_payment_error === 'object' ? { ...last_payment_error } : {};
      if (!('code' in kept))
        throw new Mismatch('the error in last_payment_error', JSON.stringify(last_payment_error));
      expectSame('last_payment_error.code', kept.code, parseError(response).code);
    },
  'released: 3.3: a release ends the failed attempt, and may be repeated': async (context) => {
    numberToDecline(context);
    const before = await context.view();
    if ((before.last_payment_error ?? null) === null) throw new Skipped('no attempt has failed');
    for (let times = 0; times < 2; times += 1) {
      const response = await context.post('release', secretOf(context));
      expectStatus(response, 200);
      const { status, last_payment_error } = parseObject(response);
      expectSame(
        'after the release',
        { status, last_payment_error },
        { status: 'pending', last_payment_error: null },
      );
    }
  },
  'paid-once: 4.3: of two simultaneous confirms one is accepted and the other refused': async (context) => {
    const number = numberToPay(context);
    const before = await pendingBefore(context);
    const body = confirmToCheck(context, before, { number });
    const both = await Promise.all([context.post('confirm', body), context.post('confirm', body)]);
    const accepted = both.filter(({ status }) => status === 200);
    if (accepted.length !== 1)
      throw new Mismatch('one 200 and one refusal', both.map(summarize).join(' and '));
    for (const response of both)
      if (response.status !== 200) expectRefused(response, 'payment_intent_not_pending');
    for (const response of accepted) expectOutcome(response);
    const after = await context.view();
    expectSame(
      'confirmation_attempts',
      after.confirmation_attempts,
      Number(before.confirmation_attempts) + 1,
    );
  },
  'succeeded: 4.1: an accepted payment succeeds and has succeeded_at': async (context) => {
    const view = await paidView(context);
    if (!Number.isSafeInteger(view.succeeded_at))
      throw new Mismatch('succeeded_at in unix seconds', JSON.stringify(view.succeeded_at));
    expectSame('last_payment_error', view.last_payment_error, null);
  },
  'paid-is-paid: S16.3: payment_intent_not_pending, a payment that has succeeded cannot be confirmed again':
    async (context) => {
      const before = await paidView(context);
      const number = numberToPay(context);
      expectRefused(
        await context.post('confirm', confirmToCheck(context, before, { number })),
        'payment_intent_not_pending',
      );
      expectSame('the payment', await context.view(), before);
    },
  'status-before-total: 4.5: the status is checked before the total': async (context) => {
    const before = await paidView(context);
    const body = confirmToCheck(context, before, { amount_total: 'higher' });
    expectRefused(await context.post('confirm', body), 'payment_intent_not_pending');
  },
  'release-paid: 3.3: a payment that has succeeded cannot be released': async (context) => {
    const before = await paidView(context);
    expectRefused(await context.post('release', secretOf(context)), 'payment_intent_not_pending');
    expectSame('the payment', await context.view(), before);
  },
});

const expectOutcome = (response: HttpResponse): void => {
  const { status } = parseObject(response);
  if (status !== 'succeeded' && status !== 'processing')
    throw new Mismatch('succeeded or processing', JSON.stringify(status));
};
