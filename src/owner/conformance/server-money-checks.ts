/** Rules for the merchant's money: fees, unlock steps, balance and refunds (contract 5, S3 and S6). */
import { SERVER_ROUTES } from '../../api/routes.ts';
import { Balance, CURRENCIES, FeeQuote, List, type PaymentIntent, Refund } from '../../api/schemas.ts';
import { checks } from './check.ts';
import { expectSame, Mismatch, Skipped } from './context.ts';
import { created, named, ORDER_TO_CHECK, paidIntent, readAs, retrievedIntent } from './server-calls.ts';
import type { ServerContext } from './server-context.ts';

/** Amounts whose percentages round differently. */
const PRICED = [1001, 2050, 33_333, 99_999];

/** Unlock steps this close to their time may unlock during a check. */
const NEAR_SECONDS = 300;
const HALF_HOUR = 1800;

const quoted = async (context: ServerContext, amount: number) =>
  readAs(
    await context.call('POST', SERVER_ROUTES.feeQuotes, {
      body: { amount, currency: ORDER_TO_CHECK.currency },
    }),
    FeeQuote,
  );

const netOf = ({ amount_total, processing_fee, bank_fee }: PaymentIntent): number =>
  amount_total - processing_fee - bank_fee;

/** Steps that stay locked for a while. `now` is the service's own time in unix seconds. */
const lockedSteps = ({ unlock_schedule }: PaymentIntent, now: number) =>
  unlock_schedule
    .filter(({ available_at }) => available_at > now + NEAR_SECONDS)
    .sort((a, b) => a.available_at - b.available_at || a.step - b.step);

const refundOf = async (context: ServerContext, id: string, key: string) => {
  const body = { payment_intent: id, amount: 1 };
  return readAs(
    await context.call('POST', SERVER_ROUTES.refunds, { body, idempotencyKey: named(context, key) }),
    Refund,
  );
};

const refundable = async (context: ServerContext) => {
  const intent = await paidIntent(context);
  if (intent.amount_refundable < 1) throw new Skipped('nothing of the payment is left to refund');
  return intent;
};

export const SERVER_MONEY_CHECKS = checks<ServerContext>({
  'money-fees: S7.1: the fees are those of the account, in a quote and in a payment': async (context) => {
    const { fees } = context.options;
    if (fees === null) throw new Skipped('needs --fees <processing,bank>, which no route returns');
    for (const amount of PRICED) {
      const expected = [fees.processing, fees.bank].map(
        ({ bps, fixed }) => Math.floor((amount * bps + 5000) / 10_000) + fixed,
      );
      for (const { processing_fee, bank_fee } of [
        await quoted(context, amount),
        await created(context, { ...ORDER_TO_CHECK, amount }),
      ])
        expectSame(`the fees of ${amount}`, [processing_fee, bank_fee], expected);
    }
  },
  'money-paid: S3.1: amount_refundable is amount_total minus both fees minus amount_refunded': async (
    context,
  ) => {
    const intent = await paidIntent(context);
    expectSame('amount_refundable', intent.amount_refundable, netOf(intent) - intent.amount_refunded);
  },
  'unlock: S3.7: the steps divide amount_total minus both fees by their shares': async (context) => {
    const intent = await paidIntent(context);
    const { unlock_schedule: steps } = intent;
    const net = netOf(intent);
    const sum = (of: 'amount' | 'percent_bps') => steps.reduce((total, step) => total + step[of], 0);
    expectSame(
      'the numbers of the steps',
      steps.map(({ step }) => step),
      steps.map((_, index) => index + 1),
    );
    expectSame('the sum of the shares', sum('percent_bps'), 10_000);
    expectSame('the sum of the amounts', sum('amount'), net);
    for (const { step, percent_bps, amount, deducted, remaining, available_at, rescheduled } of steps) {
      const share = (net * percent_bps) / 10_000;
      if (Math.abs(amount - share) > steps.length)
        throw new Mismatch(`step ${step} to have about ${Math.round(share)}`, String(amount));
      if (deducted < 0 || deducted > amount)
        throw new Mismatch(`"deducted" of step ${step} from 0 to ${amount}`, String(deducted));
      expectSame(`"remaining" of step ${step}`, remaining, amount - deducted);
      if (!rescheduled && available_at % HALF_HOUR !== 0)
        throw new Mismatch(`step ${step} at :00 or :30 of an hour`, String(available_at));
    }
  },
  'balance: 5.4: the balance has available and locked money for every currency, and the locked steps of a payment in it':
    async (context) => {
      const balance = readAs(await context.call('GET', SERVER_ROUTES.balance), Balance);
      for (const part of ['available', 'locked'] as const) {
        const currencies = balance[part].map(({ currency }) => currency).sort();
        expectSame(`the currencies of "${part}"`, currencies, [...CURRENCIES].sort());
      }
      if (context.options.refundOf === null) return;
      const intent = await paidIntent(context);
      const { created: now } = await created(context);
      const least = lockedSteps(intent, now).reduce((total, { remaining }) => total + remaining, 0);
      const locked = balance.locked.find(({ currency }) => currency === intent.currency)?.amount ?? 0;
      if (locked < least)
        throw new Mismatch(`at least ${least} locked, as this payment alone has`, String(locked));
    },
  'refund-once: S9.2 and S5.1: the same key refunds once, and the amount is reserved at once': async (
    context,
  ) => {
    const before = await refundable(context);
    const refund = () => refundOf(context, before.id, 'refund');
    const both = await Promise.all([refund(), refund()]);
    expectSame('the ids', both[1]?.id, both[0]?.id);
    const after = await retrievedIntent(context, before.id);
    expectSame(
      'amount_refunded and amount_refundable',
      [after.amount_refunded, after.amount_refundable],
      [before.amount_refunded + 1, before.amount_refundable - 1],
    );
  },
  'refund-read: 5.2: a refund is read back, and listed with its payment': async (context) => {
    const before = await refundable(context);
    const made = await refundOf(context, before.id, 'refund-read');
    expectSame('the payment', [made.payment_intent, made.currency], [before.id, before.currency]);
    const again = readAs(await context.call('GET', SERVER_ROUTES.refund.replace(':id', made.id)), Refund);
    // The refund may have progressed meanwhile.
    expectSame('the refund', { ...again, status: made.status }, made);
    const listed = readAs(
      await context.call('GET', `${SERVER_ROUTES.refunds}?payment_intent=${before.id}&limit=1`),
      List(Refund),
    );
    expectSame('the newest refund of the payment', listed.data[0]?.id, made.id);
  },
  'refund-deducts: S6.5: a refund and its fee are taken from the locked steps, the one that unlocks next first':
    async (context) => {
      const before = await refundable(context);
      const refund = await refundOf(context, before.id, 'refund-deducts');
      const after = await retrievedIntent(context, before.id);
      let left = refund.amount + refund.refund_fee;
      const locked = lockedSteps(before, refund.created);
      const isNear = before.unlock_schedule.some(
        ({ available_at }) => Math.abs(available_at - refund.created) <= NEAR_SECONDS,
      );
      if (isNear) throw new Skipped('a step unlocks just now');
      const expected = new Map(before.unlock_schedule.map(({ step, deducted }) => [step, deducted]));
      for (const { step, remaining, deducted } of locked) {
        const part = Math.min(left, remaining);
        expected.set(step, deducted + part);
        left -= part;
      }
      expectSame(
        '"deducted" of each step',
        after.unlock_schedule.map(({ deducted }) => deducted),
        [...expected.values()],
      );
    },
});
