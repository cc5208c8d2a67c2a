import { describe, expect, it } from 'vitest';
import { type PaymentDetails, paymentDetails } from '../service/control/overview.ts';
import type { RequestLogEntry } from '../service/core/request-log.ts';
import { currentIntent } from '../service/payments/current.ts';
import {
  confirmBody,
  createWorld,
  exampleServerIntent,
  type SandboxWorld,
} from '../service/sandbox.fixture.ts';
import { buildTimeline, type Entry } from './timeline.ts';

const START = Date.UTC(2026, 0, 1);

const PAYMENT = exampleServerIntent();

const request = (change: Partial<RequestLogEntry>): RequestLogEntry => ({
  at: START + 500,
  method: 'POST',
  path: '/partner/v1/client/payment_intents/retrieve',
  route: 'client.retrieve',
  intent: 'lg_pi_1',
  delivery: 1,
  status: 200,
  took: 3,
  fault: null,
  code: null,
  param: null,
  message: null,
  attempt: null,
  defect: null,
  ...change,
});

const facts = (change: Partial<PaymentDetails>): PaymentDetails => ({
  payment: PAYMENT,
  account: 'sandbox',
  publishable_key: null,
  last_payment_error: null,
  settles_at: null,
  refunds_refused: false,
  attempts_allowed: 5,
  refunds: [],
  charges: [],
  requests: [],
  requests_left_off: 0,
  known_since: START,
  actions: [],
  events: [],
  ...change,
});

const REFUND: PaymentDetails['refunds'][number] = {
  id: 'lg_re_1',
  object: 'refund',
  status: 'succeeded',
  amount: 300,
  refund_fee: 20,
  currency: 'usd',
  payment_intent: 'lg_pi_1',
  created: START / 1000 + 5,
  made_at: START + 5700,
  deduction: { steps: [{ step: 1, amount: 300 }], available: 20 },
};

const line = ({ title, tone, details, actor }: Entry): string =>
  `${actor} ${tone}: ${[title, ...details].join(' | ')}`;

const confirm = (change: Partial<RequestLogEntry>) => request({ route: 'client.confirm', ...change });

describe('the entry of a request', () => {
  const DECLINED = { attempt: 1, status: 402, code: 'payment_method_declined' } as const;
  it.each<[string, RequestLogEntry]>([
    ['form plain: Retrieved by the form', request({})],
    ['form bad: Retrieved by the form | 503', request({ status: 503 })],
    ['form plain: Confirmed, attempt 1', confirm({ attempt: 1 })],
    ['form bad: Declined, attempt 2 | 402 payment_method_declined', confirm({ ...DECLINED, attempt: 2 })],
    [
      'form bad: Declined, attempt 1 | the connection ended before the response | payment_method_declined',
      confirm({ ...DECLINED, status: 'cut' }),
    ],
    [
      'form bad: Confirmed, attempt 1 | the connection ended before the response | fault: cut: after',
      confirm({ attempt: 1, status: 'cut', fault: 'cut: after' }),
    ],
    [
      'form bad: Confirm had no effect | 409 payment_intent_updated',
      confirm({ status: 409, code: 'payment_intent_updated' }),
    ],
    ['form plain: Confirm in progress | not answered yet', confirm({ status: null, took: null })],
    ['form plain: Confirmed, attempt 1 | answered after 30 s', confirm({ attempt: 1, took: 30_000 })],
    [
      'form bad: Confirm had no effect | 400 payment_intent_not_pending | delivered for the 2nd time',
      confirm({ status: 400, code: 'payment_intent_not_pending', delivery: 2 }),
    ],
    ['form plain: Released by the form', request({ route: 'client.release' })],
    ["server plain: Changed by the merchant's server", request({ route: 'payment_intents.update' })],
    ["server plain: Retrieved by the merchant's server", request({ route: 'payment_intents.retrieve' })],
    [
      "server bad: Changed by the merchant's server | 400 invalid_amount",
      request({ route: 'payment_intents.update', status: 400, code: 'invalid_amount' }),
    ],
  ])('%s', (expected, one) => {
    const { past } = buildTimeline(facts({ requests: [one] }), START + 10_000);
    expect(past.slice(1).map(line)).toEqual([expected]);
  });

  it('equal requests in a row are merged into one entry with the first and the last time', () => {
    const polls = [1, 2, 3].map((second) => request({ at: START + second * 1000 }));
    const requests = [...polls, request({ at: START + 4000, status: 503 }), request({ at: START + 5000 })];
    const { past } = buildTimeline(facts({ requests }), START + 10_000);
    expect(past.slice(1).map(({ title, count, at, lastAt }) => ({ title, count, at, lastAt }))).toEqual([
      { title: 'Retrieved by the form', count: 3, at: START + 1000, lastAt: START + 3000 },
      { title: 'Retrieved by the form', count: 1, at: START + 4000, lastAt: null },
      { title: 'Retrieved by the form', count: 1, at: START + 5000, lastAt: null },
    ]);
  });

  it('the creation has the time of its request; repeats with the same idempotency key have their own entries', () => {
    const requests = [300, 800].map((ms) => request({ at: START + ms, route: 'payment_intents.create' }));
    const { past } = buildTimeline(facts({ requests }), START + 10_000);
    expect(past.map(({ at, title }) => [at, title])).toEqual([
      [START + 300, 'Created'],
      [START + 800, 'Created again with the same idempotency key: the same payment'],
    ]);
  });
});

describe('the total at creation', () => {
  const changed = (at: number, from: number) => ({
    at: START + at,
    intent: 'lg_pi_1',
    action: 'amount_changed' as const,
    from,
    to: 1000,
  });
  const update = request({ at: START + 300, route: 'payment_intents.update' });

  it.each<[string, Partial<PaymentDetails>, string]>([
    ['the current one if nothing changed it', {}, 'Created | $10.00'],
    [
      'the one before the first change',
      { actions: [changed(200, 700), changed(400, 800)] },
      'Created | $7.00',
    ],
    ['unknown after an update, as the request log has no amounts', { requests: [update] }, 'Created'],
    [
      'known if the update came after the first change',
      { requests: [update], actions: [changed(200, 700)] },
      'Created | $7.00',
    ],
  ])('is %s', (_, change, expected) => {
    const [first] = buildTimeline(facts(change), START + 10_000).past;
    expect(first && line(first)).toBe(`service plain: ${expected}`);
  });
});

describe('the order within one second', () => {
  it('"Paid" follows the confirm that paid, even though charges have whole seconds', () => {
    const charge = { intent: 'lg_pi_1', amount: 1000, currency: 'usd', at: START / 1000 };
    const requests = [
      confirm({ at: START + 200, attempt: 1, status: 402, code: 'payment_method_declined' }),
      request({ at: START + 300, route: 'client.release' }),
      confirm({ at: START + 640, attempt: 2 }),
      request({ at: START + 700 }),
    ];
    const { past } = buildTimeline(facts({ charges: [charge], requests }), START + 10_000);
    expect(past.map(({ title }) => title)).toEqual([
      'Created',
      'Declined, attempt 1',
      'Released by the form',
      'Confirmed, attempt 2',
      'Paid',
      'Retrieved by the form',
    ]);
  });

  it("a refund's outcome follows its creation, even though events have whole seconds", () => {
    const event = {
      id: 'evt_1',
      type: 'refund.succeeded' as const,
      created: START / 1000 + 5,
      refund: 'lg_re_1',
      deliveries: [],
    };
    const { past } = buildTimeline(facts({ refunds: [REFUND], events: [event] }), START + 10_000);
    expect(past.slice(1).map(line)).toEqual([
      'service plain: Refund of $3.00 begun | lg_re_1 | fee $0.20 | $3.00 from step 1 | $0.20 from the available balance',
      'service good: Refund of $3.00 succeeded | lg_re_1',
    ]);
  });
});

describe('upcoming entries', () => {
  const step = (change: object) => ({
    step: 1,
    days: 7,
    percent_bps: 8000,
    available_at: START / 1000 + 100,
    amount: 800,
    deducted: 0,
    remaining: 800,
    rescheduled: false,
    ...change,
  });
  const processing = { ...PAYMENT, status: 'processing' };

  const unlocking = step({ deducted: 100, remaining: 700, rescheduled: true });
  const error = { type: 'card_error', code: 'payment_method_declined', message: '' };
  const attempt = { reason: 'schedule', at: START + 9000, duration_ms: 20, response: '' } as const;
  const delivery = {
    ...{ id: 'evt_1.we_1', event: 'evt_1', endpoint: 'we_1', url: 'http://localhost:1/hook' },
    ...{ status: 'pending' as const, failures: 1, next_attempt_at: START + 40_000 },
    attempts: [{ ...attempt, http_status: 500, error: 'the endpoint answered 500' }],
  };
  const event = {
    ...{ id: 'evt_1', type: 'payment_intent.succeeded' as const, created: START / 1000, refund: null },
    deliveries: [delivery],
  };

  it.each<[string, Partial<PaymentDetails>]>([
    [
      'service plain: Step 1 available | $7.00 | $1.00 was refunded | rescheduled',
      { payment: { ...PAYMENT, unlock_schedule: [unlocking] } },
    ],
    ['service wait: Outcome of the attempt', { payment: processing, settles_at: START / 1000 + 30 }],
    ['service wait: Processing without an end', { payment: processing }],
    [
      'service wait: The form releases the failed attempt',
      { payment: processing, last_payment_error: error },
    ],
    ['service wait: Outcome of the refund of $3.00', { refunds: [{ ...REFUND, status: 'pending' }] }],
    [
      'webhook wait: Webhook payment_intent.succeeded | http://localhost:1/hook | attempt 2 of 8',
      { events: [event] },
    ],
  ])('%s', (expected, given) => {
    expect(buildTimeline(facts(given), START + 10_000).upcoming.map(line)).toEqual([expected]);
  });

  it('are sorted by time, and move to the past when their time has come', () => {
    const payment = {
      ...PAYMENT,
      unlock_schedule: [step({ step: 2, available_at: START / 1000 + 200 }), step({})],
    };
    const titles = (now: number) => {
      const { past, upcoming } = buildTimeline(facts({ payment }), now);
      return [past.slice(1), upcoming].map((entries) => entries.map(({ title }) => title));
    };
    expect(titles(START + 1000)).toEqual([[], ['Step 1 available', 'Step 2 available']]);
    expect(titles(START + 100_000)).toEqual([['Step 1 available'], ['Step 2 available']]);
    expect(titles(START + 200_000)).toEqual([['Step 1 available', 'Step 2 available'], []]);
  });
});

describe('changes through control routes, and gaps', () => {
  it('lists each change; clock moves only since the payment was created', () => {
    const at = START + 1000;
    const { past } = buildTimeline(
      facts({
        requests: [request({ at: START + 400, route: 'payment_intents.create' })],
        actions: [
          { at: START + 100, intent: null, action: 'clock_moved', ms: 1000 },
          { at, intent: 'lg_pi_1', action: 'amount_changed', from: 1000, to: 2000 },
          { at, intent: 'lg_pi_1', action: 'step_released', step: 1 },
          { at, intent: null, action: 'clock_moved', ms: 90_000 },
          { at, intent: 'lg_pi_1', action: 'canceled' },
        ],
      }),
      START + 10_000,
    );
    expect(past.slice(1).map(line)).toEqual([
      'control plain: Total changed from $10.00 to $20.00',
      'control plain: Unlock step 1 released early',
      'control plain: Clock moved forward by 1 min 30 s',
      'control bad: Canceled',
    ]);
  });

  it.each<[string, Partial<PaymentDetails>, string[]]>([
    ['nothing is missing', {}, []],
    [
      'requests from before the request log begins are missing',
      { known_since: START + 5000 },
      ['Requests from before the sandbox started, or no longer in its request log, are missing here.'],
    ],
    [
      'requests are left out because there are too many',
      { requests_left_off: 12 },
      ['12 earlier requests are left out.'],
    ],
  ])('says if %s', (_, change, gaps) => {
    expect(buildTimeline(facts(change), START + 10_000).gaps).toEqual(gaps);
  });

  it('a cancellation that the control log does not have is shown without a time', () => {
    const { past } = buildTimeline(facts({ payment: { ...PAYMENT, status: 'canceled' } }), START + 10_000);
    expect(past.at(-1)).toMatchObject({ title: 'Canceled', at: null });
  });
});

describe('the timeline of a real sandbox payment', () => {
  const timelineOf = (world: SandboxWorld, id: string) => {
    const intent = currentIntent(world.service, id);
    if (intent === undefined) throw new Error('the payment is gone');
    return buildTimeline(paymentDetails(world.service, intent), world.clock.now());
  };

  it('is complete: created, retrieved, declined, released, processing, paid, webhook, refunded, unlocked', async () => {
    const world = createWorld({ outgoing: async () => ({ status: 204 }) });
    await world.control('webhook_endpoints', { url: 'http://localhost:9/hook' });
    const intent = await world.intent();
    const step = async (act: Promise<unknown>) => {
      await act;
      await world.clock.advance(100);
    };
    await step(world.client('retrieve', { client_secret: intent.client_secret }));
    await step(world.client('confirm', confirmBody(intent, '4000000000000002')));
    await step(world.client('release', { client_secret: intent.client_secret }));
    await step(world.client('confirm', confirmBody(intent, '4000000000010001')));
    expect(timelineOf(world, intent.id).upcoming.map(({ title }) => title)).toEqual([
      'Outcome of the attempt',
    ]);
    await world.clock.advance(4000);
    await step(world.refunded(intent.id, 100));
    await world.clock.advance(4000);
    await world.clock.advance(8 * 86_400_000);
    const { past, upcoming, gaps } = timelineOf(world, intent.id);
    expect(past.map(({ title }) => title)).toEqual([
      'Created',
      'Retrieved by the form',
      'Declined, attempt 1',
      'Released by the form',
      'Confirmed, attempt 2',
      'Paid',
      'Webhook payment_intent.succeeded delivered',
      'Refund of $1.00 begun',
      'Refund of $1.00 succeeded',
      'Webhook refund.succeeded delivered',
      'Step 1 available',
    ]);
    expect(upcoming.map(({ title }) => title)).toEqual(['Step 2 available']);
    expect(gaps).toEqual([]);
  });
});
