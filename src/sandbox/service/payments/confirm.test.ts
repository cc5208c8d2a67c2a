import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import * as LIMITS from '../../../api/limits.ts';
import { accountOf } from '../accounts/accounts.ts';
import { unixNow } from '../core/clock.ts';
import {
  BILLING,
  card,
  confirmBody,
  createWorld,
  expectRefusal,
  refusedWith,
  type SandboxWorld,
} from '../sandbox.fixture.ts';
import { confirm } from './confirm.ts';
import { succeed } from './transitions.ts';

let world: SandboxWorld;
let intent: Awaited<ReturnType<SandboxWorld['intent']>>;
beforeEach(async () => {
  world = createWorld();
  intent = await world.intent();
});

const Insight = z.object({ charges: z.number(), confirms: z.number(), requests: z.array(z.unknown()) });
const chargesOf = async (world: SandboxWorld, id: string) =>
  Insight.parse((await world.control(`payment_intents/${id}`)).body).charges;

const pay = (world: SandboxWorld, intent: Parameters<typeof confirmBody>[0], number?: string) =>
  world.client('confirm', confirmBody(intent, number));

describe('contract 6.7: test numbers', () => {
  it.each([
    '4242424242424242',
    '5555555555554444',
    '378282246310005',
    '6011111111111117',
    '3566002020360505',
    '30569309025904',
    '6200000000000005',
  ])('%s succeeds', async (number) => {
    await world.clock.advance(5000);
    const { status, body } = await pay(world, intent, number);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'succeeded',
      confirmation_attempts: 1,
      succeeded_at: world.clock.now() / 1000,
      last_payment_error: null,
    });
    expect((await world.retrieve(intent.id)).body).toMatchObject({
      billing_details: BILLING,
      amount_refundable: 936,
      unlock_schedule: [
        { step: 1, days: 7, amount: 748 },
        { step: 2, days: 30, amount: 188 },
      ],
    });
    expect(await chargesOf(world, intent.id)).toBe(1);
  });

  it.each([
    ['4000000000000002', 402, 'payment_method_declined', undefined],
    ['4000000000009995', 402, 'payment_method_declined', 'insufficient_funds'],
    ['4000000000000069', 402, 'payment_method_declined', 'expired_card'],
    ['4000000000000127', 402, 'payment_method_declined', 'incorrect_cvc'],
    ['4000000000009987', 402, 'payment_method_declined', 'lost_card'],
    ['4000008400001629', 402, 'payment_failed', undefined],
    ['4000002760003184', 402, 'payment_failed', 'authentication_required'],
    ['4000000000000119', 502, 'provider_error', undefined],
  ])('%s fails with %i %s %s; it counts, and charges nothing', async (number, status, code, decline) => {
    const response = await pay(world, intent, number);
    const error = { type: status === 402 ? 'card_error' : 'api_error', code, message: expect.any(String) };
    const whole = decline === undefined ? error : { ...error, decline_code: decline };
    expect(response.status).toBe(status);
    expect(response.body).toEqual({ error: whole });
    expect((await world.client('retrieve', { client_secret: intent.client_secret })).body).toMatchObject({
      status: 'pending',
      confirmation_attempts: 1,
      last_payment_error: whole,
    });
    expect((await world.retrieve(intent.id)).body).toMatchObject({
      billing_details: BILLING,
      unlock_schedule: [],
      amount_refundable: 0,
    });
    expect(await chargesOf(world, intent.id)).toBe(0);
  });

  it('6.2: any other valid number is declined with 402 and a message that says why', async () => {
    const response = await pay(world, await world.intent(), '4000056655665556');
    expect(response).toMatchObject(refusedWith(402, 'payment_method_declined'));
    expect(response.text).toContain('test numbers only');
  });

  it('a number with a wrong check digit is not a card number', async () => {
    await expectRefusal(pay(world, intent, '4242424242424241'), 'validation_error', 'card.number');
    expect((await world.retrieve(intent.id)).body).toMatchObject({ confirmation_attempts: 0 });
  });

  it.each([
    ['past expiry', { ...card('4242424242424242'), exp_month: 11, exp_year: 2025 }, 'expired_card'],
    ['four digits on a Visa', { ...card('4242424242424242'), cvc: '1234' }, 'incorrect_cvc'],
    ['three digits on an American Express', { ...card('378282246310005'), cvc: '123' }, 'incorrect_cvc'],
  ])('a test number with %s is declined', async (_title, wrong, decline_code) => {
    const response = await world.client('confirm', confirmBody(await world.intent(), '', { card: wrong }));
    expect(response.body).toMatchObject({ error: { code: 'payment_method_declined', decline_code } });
  });

  it('a card is valid through the whole of its month', async () => {
    const january = { ...card('4242424242424242'), exp_month: 1, exp_year: 2026 };
    await world.clock.advance(31 * 86_400_000 - 1);
    expect(
      (await world.client('confirm', confirmBody(await world.intent(), '', { card: january }))).status,
    ).toBe(200);
    await world.clock.advance(86_400_000);
    expect(
      (await world.client('confirm', confirmBody(await world.intent(), '', { card: january }))).status,
    ).toBe(402);
  });

  it('4000 0000 0001 0001 is processing and succeeds after 3 s, with that time, even if it is read later', async () => {
    const at = world.clock.now() / 1000;
    expect((await pay(world, intent, '4000000000010001')).body).toMatchObject({
      status: 'processing',
      succeeded_at: null,
    });
    expect(await chargesOf(world, intent.id)).toBe(0);
    await world.clock.advance(2999);
    expect((await world.retrieve(intent.id)).body).toMatchObject({ status: 'processing' });
    await world.clock.advance(1);
    expect((await world.list()).body).toMatchObject({
      data: [{ status: 'succeeded', succeeded_at: at + 3 }],
    });
    await world.clock.advance(86_400_000);
    expect((await world.retrieve(intent.id)).body).toMatchObject({ succeeded_at: at + 3 });
    expect(await chargesOf(world, intent.id)).toBe(1);
  });

  it('4000 0000 0001 0001, canceled in time, never charges', async () => {
    await pay(world, intent, '4000000000010001');
    await world.control(`payment_intents/${intent.id}/cancel`, {});
    await world.clock.advance(10_000);
    expect((await world.retrieve(intent.id)).body).toMatchObject({ status: 'canceled' });
    expect(await chargesOf(world, intent.id)).toBe(0);
  });

  it('4000 0000 0001 0019 is processing and fails after 3 s', async () => {
    expect((await pay(world, intent, '4000000000010019')).body).toMatchObject({
      status: 'processing',
      last_payment_error: null,
    });
    await world.clock.advance(3000);
    expect((await world.client('retrieve', { client_secret: intent.client_secret })).body).toMatchObject({
      status: 'pending',
      confirmation_attempts: 1,
      last_payment_error: { code: 'payment_method_declined' },
    });
    expect(await chargesOf(world, intent.id)).toBe(0);
  });

  const SUCCEEDED = { status: 'succeeded', confirmation_attempts: 1 };
  const UNCOUNTED = { status: 'pending', confirmation_attempts: 0, billing_details: null };
  it.each([
    ['10027', 'is charged', 'connection cut', SUCCEEDED, 1],
    ['10035', 'is declined', 'connection cut', { status: 'pending', confirmation_attempts: 1 }, 0],
    ['10043', 'is charged', refusedWith(502, 'provider_error'), SUCCEEDED, 1],
    ['10084', 'is charged', { status: 200, body: undefined }, SUCCEEDED, 1],
    ['10100', 'runs for ever', { status: 200 }, { status: 'processing' }, 0],
    [
      '10118',
      'is refused',
      refusedWith(400, 'invalid_billing_details', 'billing_details.address.postal_code'),
      UNCOUNTED,
      0,
    ],
    ['10126', 'is refused', refusedWith(500, 'internal_error'), UNCOUNTED, 0],
  ])('4000 0000 00%s %s; the answer is %j', async (ending, _what, answer, state, charges) => {
    const paying = pay(world, intent, `40000000000${ending}`);
    if (typeof answer === 'string') await expect(paying).rejects.toMatchObject({ name: 'ConnectionCut' });
    else expect(await paying).toMatchObject(answer);
    await world.clock.advance(365 * 86_400_000);
    expect((await world.retrieve(intent.id)).body).toMatchObject(state);
    expect(await chargesOf(world, intent.id)).toBe(charges);
  });

  it('4000 0000 0001 0050 is charged at once, and answered after 30 s', async () => {
    let answered = false;
    const paying = pay(world, intent, '4000000000010050').then((response) => {
      answered = true;
      return response;
    });
    await world.clock.advance(29_999);
    expect(answered).toBe(false);
    expect((await world.retrieve(intent.id)).body).toMatchObject({ status: 'succeeded' });
    await expectRefusal(pay(world, intent, '4000000000010050'), 'payment_intent_not_pending');
    await world.clock.advance(1);
    expect(await paying).toMatchObject({ status: 200, body: { status: 'succeeded' } });
    expect(await chargesOf(world, intent.id)).toBe(1);
  });

  it('4000 0000 0001 0068: first 429 with Retry-After: 5 and no attempt counted, then it succeeds', async () => {
    const first = await pay(world, intent, '4000000000010068');
    expect(first).toMatchObject(refusedWith(429, 'rate_limited'));
    expect(first.headers.get('retry-after')).toBe('5');
    expect((await world.retrieve(intent.id)).body).toMatchObject({ confirmation_attempts: 0 });
    expect((await pay(world, intent, '4000000000010068')).body).toMatchObject({ status: 'succeeded' });
  });

  it.each(['merchant', 'buyer'] as const)(
    '4000 0000 0001 0076: the total rises by 100 before it is compared; then it succeeds (fee bearer %s)',
    async (feeBearer) => {
      world = createWorld({ feeBearer });
      const intent = await world.intent();
      await expectRefusal(pay(world, intent, '4000000000010076'), 'payment_intent_updated');
      const amount_total = intent.amount_total + 100;
      expect((await world.retrieve(intent.id)).body).toMatchObject({
        amount: intent.amount + 100,
        amount_total,
        fee_buyer: intent.fee_buyer,
        confirmation_attempts: 0,
      });
      expect((await pay(world, { ...intent, amount_total }, '4000000000010076')).body).toMatchObject({
        status: 'succeeded',
      });
      expect(await chargesOf(world, intent.id)).toBe(1);
    },
  );

  it.each([
    [LIMITS.largestAmount - 100, 409, LIMITS.largestAmount],
    [LIMITS.largestAmount - 99, 200, LIMITS.largestAmount - 99],
  ])('4000 0000 0001 0076: no total rises above the largest amount: %i', async (amount, status, total) => {
    const items = [{ name: 'Mug', quantity: 1, unit_amount: amount }];
    const intent = await world.intent({ amount, items });
    expect((await pay(world, intent, '4000000000010076')).status).toBe(status);
    expect(await world.now(intent.id)).toMatchObject({ amount_total: total });
  });

  it('4000 0000 0001 0084 is answered with an HTML page', async () => {
    const { headers, text } = await pay(world, await world.intent(), '4000000000010084');
    expect(headers.get('content-type')).toContain('text/html');
    expect(headers.get('content-length')).toBe(String(text.length));
  });

  it('4000 0000 0001 0092 is charged, and answered 200 with the JSON cut in the middle', async () => {
    const response = await world.send(
      'POST',
      '/partner/v1/client/payment_intents/confirm',
      confirmBody(intent, '4000000000010092'),
      {
        key: world.sandbox.keys.publishable,
      },
    );
    expect(response.status).toBe(200);
    const reader = response.body?.getReader();
    const first = await reader?.read();
    const promised = Number(response.headers.get('content-length'));
    expect(first?.value?.length).toBe(Math.floor(promised / 2));
    await expect(reader?.read()).rejects.toThrow();
    expect(await chargesOf(world, intent.id)).toBe(1);
  });
});

describe("contract 4.5: the order of confirm's checks", () => {
  /** Mistakes, from the last check to the first. Each added mistake must determine the response. */
  it('authentication, body, client_secret, status and attempts, amount, details missing, billing details, attempt', async () => {
    const bare = await world.intent({ buyer: null });
    const done = await world.intent({ buyer: null });
    await world.control(`payment_intents/${done.id}/cancel`, {});
    const base = confirmBody(intent, '4000000000000002');
    const billing = { billing_details: { ...BILLING, email: 'nobody' } };
    const steps: [Record<string, unknown>, number, string][] = [
      [{}, 402, 'payment_method_declined'],
      [billing, 400, 'invalid_billing_details'],
      [{ ...billing, client_secret: bare.client_secret }, 400, 'payment_details_missing'],
      [{ ...billing, client_secret: bare.client_secret, amount_total: 999 }, 409, 'payment_intent_updated'],
      [
        { ...billing, client_secret: done.client_secret, amount_total: 999 },
        400,
        'payment_intent_not_pending',
      ],
      [{ ...billing, client_secret: 'lg_cs_x', amount_total: 999 }, 401, 'invalid_client_secret'],
      [{ ...billing, client_secret: 'lg_cs_x', amount_total: 'x' }, 400, 'validation_error'],
    ];
    for (const [change, status, code] of steps) {
      expect(await world.client('confirm', { ...base, ...change })).toMatchObject(refusedWith(status, code));
    }
    await expectRefusal(world.client('confirm', '{', { key: null }), 'invalid_api_key');
  });

  it.each([[{ amount_total: 999 }], [{ amount_total: 1001 }], [{ currency: 'eur' }]])(
    'contract 3.2: %j against 1000 usd gives 409, charges nothing and counts no attempt',
    async (shown) => {
      const response = await world.client('confirm', confirmBody(intent, undefined, shown));
      expect(response).toMatchObject(refusedWith(409, 'payment_intent_updated'));
      expect((await world.retrieve(intent.id)).body).toMatchObject({
        status: 'pending',
        confirmation_attempts: 0,
      });
    },
  );

  it('contract S16.3, payment_intent_updated: the merchant changed the amount since the form loaded', async () => {
    await world.update(intent.id, { amount: 2000 });
    expect(await pay(world, intent)).toMatchObject(refusedWith(409, 'payment_intent_updated'));
  });

  it.each([
    [{ buyer: null }, 'buyer'],
    [{ shipping_details: null }, 'shipping_details'],
    [{ buyer: null, order_reference: null }, 'buyer, order_reference'],
  ])('contract S7.2: %j gives 400 payment_details_missing', async (missing, name) => {
    const response = await pay(world, await world.intent(missing));
    expect(response).toMatchObject(refusedWith(400, 'payment_details_missing'));
    expect(response.text).toContain(`needs ${name} before`);
  });

  it('contract S7.2: non-physical goods need no shipping details', async () => {
    const intent = await world.intent({ shipping_details: null, goods_type: 'non_physical' });
    expect((await pay(world, intent)).status).toBe(200);
  });

  const at = (change: Record<string, unknown>) => ({ address: { ...BILLING.address, ...change } });
  it.each([
    ['', undefined, 'an object; got nothing'],
    ['', null, 'an object; got null'],
    ['.email', { email: 'ada.example.com' }, 'an e-mail address; got something else'],
    ['.email', { email: 'ada byron@example.com' }, 'an e-mail address'],
    ['.email', { email: 'ada@example.com byron' }, 'an e-mail address'],
    ['.name', { name: '   ' }, 'a name; got something else'],
    ['.address.line1', at({ line1: ' ' }), 'an address line'],
    ['.address.postal_code', at({ postal_code: 1 }), ''],
    ['.address.country', at({ country: 'XX' }), 'the ISO 3166-1 alpha-2 code of a country'],
  ])(
    'contract S16.3, invalid_billing_details: billing_details%s with %j must be %s',
    async (field, change, expected) => {
      const billing_details = change && { ...BILLING, ...change };
      const response = await world.client('confirm', confirmBody(intent, undefined, { billing_details }));
      expect(response).toMatchObject(refusedWith(400, 'invalid_billing_details', `billing_details${field}`));
      expect(response.text).toContain(`\\"billing_details${field}\\" must be ${expected}`);
      expect(await world.now(intent.id)).toMatchObject({ confirmation_attempts: 0, billing_details: null });
    },
  );

  it("contract S1.6: an unknown field in billing details is the body's fault, before all else", async () => {
    const billing_details = { ...BILLING, email: '', address: { ...BILLING.address, planet: 'Earth' } };
    expect(
      await world.client('confirm', confirmBody(intent, undefined, { billing_details, amount_total: 5 })),
    ).toMatchObject(refusedWith(400, 'validation_error', 'billing_details.address.planet'));
  });

  it('contract S8.4: no idempotency key is accepted', async () => {
    const call = { headers: { 'idempotency-key': 'k' } };
    expect(await world.client('confirm', confirmBody(await world.intent()), call)).toMatchObject(
      refusedWith(400, 'validation_error', 'Idempotency-Key'),
    );
  });
});

describe('contract 4: states of an intent', () => {
  it('contract S4.3 and S17.5; 4.2: when the attempts are used up, status stays pending and confirm answers payment_intent_not_pending', async () => {
    world = createWorld({ attempts: 2 });
    const intent = await world.intent();
    await pay(world, intent, '4000000000000002');
    await pay(world, intent, '4000000000000119');
    const answer = await pay(world, intent);
    expect(answer).toMatchObject(refusedWith(400, 'payment_intent_not_pending'));
    expect(answer.text).toContain('all its payment attempts are used');
    expect((await world.retrieve(intent.id)).body).toMatchObject({
      status: 'pending',
      confirmation_attempts: 2,
    });
    expect(await chargesOf(world, intent.id)).toBe(0);
  });

  it('4.3: an attempt that takes no time has ended when confirm returns: nothing can run before it', async () => {
    const [paid, refusedCard] = [await world.intent(), await world.intent()];
    const account = accountOf(world.service.store, { account: 'sandbox' });
    expect(confirm(world.service, account, confirmBody(paid)).intent.status).toBe('succeeded');
    expect(world.service.store.charges).toHaveLength(1);
    const { intent } = confirm(world.service, account, confirmBody(refusedCard, '4000000000000002'));
    expect(intent).toMatchObject({ status: 'pending', attempt: null, settlement: null });
    expect(intent.last_payment_error?.code).toBe('payment_method_declined');
  });

  it('4.1: succeeded and canceled are final; canceling twice is canceling once', async () => {
    const [paid, canceled] = [await world.paid(), await world.intent()];
    const cancel = (id: string) => world.control(`payment_intents/${id}/cancel`, {});
    expect(await cancel(paid.id)).toMatchObject(refusedWith(400, 'payment_intent_not_pending'));
    expect([(await cancel(canceled.id)).status, (await cancel(canceled.id)).status]).toEqual([200, 200]);
    const record = world.service.store.intents.get(canceled.id);
    expect(() => record && succeed(world.service, record, 0)).toThrow(
      'an intent cannot go from canceled to succeeded',
    );
    expect(world.service.store.charges).toHaveLength(1);
  });

  it("contract S3.1, billing_details: the succeeded attempt's, else the latest attempt's", async () => {
    const named = (name: string) => ({ billing_details: { ...BILLING, name } });
    await world.client('confirm', confirmBody(intent, '4000000000000002', named('First')));
    await world.client('confirm', confirmBody(intent, '4000000000009995', named('Second')));
    expect((await world.retrieve(intent.id)).body).toMatchObject({ billing_details: { name: 'Second' } });
    await world.client('confirm', confirmBody(intent, '4242424242424242', named('Third')));
    await world.client('confirm', confirmBody(intent, '4242424242424242', named('Fourth')));
    expect((await world.retrieve(intent.id)).body).toMatchObject({ billing_details: { name: 'Third' } });
  });
});

describe('contract 3.3: release', () => {
  const release = (world: SandboxWorld, client_secret: string) => world.client('release', { client_secret });

  it('ends the failed attempt, and is idempotent', async () => {
    await pay(world, intent, '4000000000000002');
    for (let n = 0; n < 2; n++) {
      expect(await release(world, intent.client_secret)).toMatchObject({
        status: 200,
        body: { status: 'pending', last_payment_error: null, confirmation_attempts: 1 },
      });
    }
    expect((await pay(world, intent)).body).toMatchObject({ status: 'succeeded' });
  });

  it('3.6: last_payment_error is there until the attempt is released or another one succeeds', async () => {
    await pay(world, intent, '4000000000000002');
    expect((await pay(world, intent)).body).toMatchObject({ status: 'succeeded', last_payment_error: null });
  });

  it('does nothing on an intent without an attempt', async () => {
    expect((await release(world, intent.client_secret)).body).toMatchObject({ status: 'pending' });
  });

  it('does not end an attempt that is still running', async () => {
    await pay(world, intent, '4000000000010001');
    expect((await release(world, intent.client_secret)).body).toMatchObject({ status: 'processing' });
    await world.clock.advance(3000);
    expect((await world.retrieve(intent.id)).body).toMatchObject({ status: 'succeeded' });
  });

  it('on a succeeded or canceled intent: 400 payment_intent_not_pending', async () => {
    const paid = await world.intent();
    await pay(world, paid);
    await expectRefusal(release(world, paid.client_secret), 'payment_intent_not_pending');
    const canceled = await world.intent();
    await world.control(`payment_intents/${canceled.id}/cancel`, {});
    await expectRefusal(release(world, canceled.client_secret), 'payment_intent_not_pending');
  });
});

describe('contract 4.4: holdFailedAttempts', () => {
  it.each([
    ['at once', '4000000000000002'],
    ['after 3 s', '4000000000010019'],
  ])('a card that fails %s leaves the intent processing until it is released', async (_title, number) => {
    world = createWorld({ holdFailedAttempts: true });
    const intent = await world.intent();
    await pay(world, intent, number);
    await world.clock.advance(3000);
    const { client_secret } = intent;
    expect((await world.client('retrieve', { client_secret })).body).toMatchObject({
      status: 'processing',
      last_payment_error: { code: 'payment_method_declined' },
    });
    expect(await pay(world, intent)).toMatchObject(refusedWith(400, 'payment_intent_not_pending'));
    expect((await world.client('release', { client_secret })).body).toMatchObject({
      status: 'pending',
      last_payment_error: null,
    });
    expect((await pay(world, intent)).body).toMatchObject({ status: 'succeeded' });
  });

  it('a 502 does not hold the intent', async () => {
    world = createWorld({ holdFailedAttempts: true });
    const intent = await world.intent();
    await pay(world, intent, '4000000000000119');
    expect((await world.retrieve(intent.id)).body).toMatchObject({ status: 'pending' });
  });
});

describe('contract 4.6: an attempt that takes time', () => {
  const DECLINED = '4000000000000002';
  const begin = async (runningAttempts: 'processing' | 'pending', number?: string) => {
    const world = createWorld({ attemptSeconds: 5, runningAttempts, attempts: 1 });
    const intent = await world.intent();
    const confirmed = pay(world, intent, number);
    await world.clock.advance(4000);
    const read = async () => (await world.client('retrieve', { client_secret: intent.client_secret })).body;
    return { world, intent, confirmed, read };
  };

  it.each(['processing', 'pending'] as const)(
    'is counted, and reported with the status %s',
    async (status) => {
      const { world, intent, confirmed, read } = await begin(status);
      const running = { status, confirmation_attempts: 1, attempts_left: 0, attempt_in_progress: true };
      expect(await read()).toMatchObject(running);
      expect(await world.now(intent.id)).toMatchObject({ status });
      expect(world.service.store.charges).toEqual([]);
      await world.clock.advance(1000);
      expect((await confirmed).body).toMatchObject({ status: 'succeeded', attempt_in_progress: false });
      expect(await chargesOf(world, intent.id)).toBe(1);
    },
  );

  it.each(['processing', 'pending'] as const)('may fail, seen as %s until then', async (status) => {
    const { world, confirmed, read } = await begin(status, DECLINED);
    expect(await read()).toMatchObject({ status, last_payment_error: null });
    await world.clock.advance(1000);
    expect(await confirmed).toMatchObject(refusedWith(402, 'payment_method_declined'));
    expect(await read()).toMatchObject({
      status: 'pending',
      attempt_in_progress: false,
      last_payment_error: { code: 'payment_method_declined' },
    });
  });

  it('4.3: no other confirm, update or release acts in the meantime', async () => {
    const { world, intent } = await begin('pending');
    expect(await pay(world, intent)).toMatchObject(refusedWith(400, 'payment_intent_not_pending'));
    await expectRefusal(world.update(intent.id, { amount: 2000 }), 'payment_intent_not_pending');
    const released = await world.client('release', { client_secret: intent.client_secret });
    expect(released.body).toMatchObject({ attempt_in_progress: true });
  });

  it('may never end', async () => {
    const { world, read } = await begin('processing', '4000000000010100');
    await world.clock.advance(365 * 86_400_000);
    expect(await read()).toMatchObject({ status: 'processing' });
  });

  it('continues when the browser is gone', async () => {
    world = createWorld({ attemptSeconds: 5 });
    const intent = await world.intent();
    const leaving = new AbortController();
    const confirmed = world.client('confirm', confirmBody(intent), { signal: leaving.signal });
    await world.clock.advance(1000);
    leaving.abort();
    await confirmed.catch(() => undefined);
    await world.clock.advance(4000);
    expect(await world.now(intent.id)).toMatchObject({ status: 'succeeded' });
  });

  it.each(['4242424242424242', DECLINED, '4000000000000119', '4000000000010001'])(
    '3.2: canceled meanwhile, %s charges nothing and the confirm is refused: 400 payment_intent_not_pending',
    async (number) => {
      const { world, intent, confirmed } = await begin('processing', number);
      await world.control(`payment_intents/${intent.id}/cancel`, {});
      await world.clock.advance(1000);
      expect(await confirmed).toMatchObject(refusedWith(400, 'payment_intent_not_pending'));
      expect(await world.now(intent.id)).toMatchObject({ status: 'canceled', confirmation_attempts: 1 });
      expect(await chargesOf(world, intent.id)).toBe(0);
      expect((await world.control('requests')).body).toMatchObject({
        data: expect.arrayContaining([
          expect.objectContaining({
            route: 'client.confirm',
            status: 400,
            code: 'payment_intent_not_pending',
          }),
        ]),
      });
    },
  );

  it.each([0, 1, 300, 999])('its outcome is known when it is answered, %i ms into a second', async (ms) => {
    world = createWorld({ attemptSeconds: 1, seed: 1 });
    await world.clock.advance(ms);
    const intent = await world.intent();
    const confirmed = pay(world, intent);
    await world.clock.advance(999);
    expect(await world.now(intent.id)).toMatchObject({ status: 'processing' });
    await world.clock.advance(1);
    expect((await confirmed).body).toMatchObject({ status: 'succeeded' });
    expect(await world.now(intent.id)).toMatchObject({ succeeded_at: unixNow(world.service) });
  });
});
