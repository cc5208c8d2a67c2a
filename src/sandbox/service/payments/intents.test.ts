import { beforeEach, describe, expect, it } from 'vitest';
import { PaymentIntent } from '../../../api/schemas.ts';
import {
  createWorld,
  exampleServerIntent,
  expectRefusal,
  ORDER,
  refusedWith,
  type SandboxWorld,
} from '../sandbox.fixture.ts';

let world: SandboxWorld;
beforeEach(() => {
  world = createWorld();
});

describe('contract S7: create a payment intent', () => {
  it('answers 200 with the whole intent and its client_secret', async () => {
    const { status, body } = await world.create();
    expect(status).toBe(200);
    expect(body).toEqual({
      ...exampleServerIntent(),
      id: expect.stringMatching(/^lg_pi_/),
      client_secret: expect.stringMatching(/^lg_cs_/),
    });
    expect(PaymentIntent.parse(body)).toEqual(body);
  });

  it('takes no metadata, and every field at its largest at once', async () => {
    const long = (length: number) => 'x'.repeat(length);
    expect((await world.create({ ...ORDER, metadata: null })).body).toMatchObject({ metadata: {} });
    const largest = {
      ...ORDER,
      items: Array.from({ length: 100 }, () => ({
        name: long(500),
        quantity: 1_000_000,
        unit_amount: 99_999_999,
      })),
      shipping_amount: 99_999_999,
      tax_amount: 99_999_999,
      discount_amount: 99_999_999,
      buyer: { name: long(200) },
      order_reference: long(100),
      description: long(1000),
      metadata: Object.fromEntries(
        Array.from({ length: 50 }, (_, n) => [String(n).padEnd(40, 'k'), long(500)]),
      ),
    };
    expect((await createWorld().create(largest)).status).toBe(200);
  });

  it('contract S17.11: an emoji is one character of a text, in the rule and in its message', async () => {
    expect((await world.create({ ...ORDER, description: '😀'.repeat(1000) })).status).toBe(200);
    const tooLong = await world.create({ ...ORDER, description: '😀'.repeat(1001) });
    expect(tooLong).toMatchObject(refusedWith(400, 'validation_error', 'description'));
    expect(tooLong.body).toMatchObject({
      error: {
        message: '"description" must be at most 1000 characters long; got a string of 1001 characters.',
      },
    });
  });

  it.each([
    ['broken JSON', '{"amount": 10'],
    ['nothing', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['JSON nested a hundred thousand deep', '['.repeat(100_000)],
  ])('contract S16.3: %s gives 400 validation_error', async (_title, body) => {
    expect(await createWorld().create(body)).toMatchObject(refusedWith(400, 'validation_error'));
  });

  it.each([
    ['in one piece', {}],
    ['with its length announced', { 'content-length': '1100000' }],
  ])(
    'a body of more than a megabyte %s gives 400 validation_error',
    async (_title, headers: Record<string, string>) => {
      const response = await createWorld().create(' '.repeat(1_100_000) + JSON.stringify(ORDER), { headers });
      expect(response).toMatchObject(refusedWith(400, 'validation_error'));
      expect(response.text).toContain('at most 1048576 bytes');
    },
  );

  it('keys that reach into prototypes are unknown fields, or refused where any key is a name', async () => {
    const raw = (inner: string) => JSON.stringify(ORDER).replace(/\}$/, `,${inner}}`);
    expect(await createWorld().create(raw('"__proto__":{"amount":1}'))).toMatchObject(
      refusedWith(400, 'validation_error', '__proto__'),
    );
    expect(await createWorld().create(raw('"metadata":{"__proto__":"x"}'))).toMatchObject(
      refusedWith(400, 'validation_error', 'metadata'),
    );
    expect((await createWorld().create(raw('"metadata":{"constructor":"x"}'))).body).toMatchObject({
      metadata: { constructor: 'x' },
    });
  });
});

describe('contract S8.3: update a payment intent', () => {
  it('prices a new amount again, with the schedule of now', async () => {
    world = createWorld({ feeBearer: 'buyer' });
    const { id } = await world.intent();
    expect((await world.update(id, { amount: 2000 })).body).toMatchObject({
      amount: 2000,
      fee_buyer: 98,
      amount_total: 2098,
      items_difference: 1000,
    });
  });

  it('does not price again when only words change', async () => {
    const { id } = await world.intent();
    await world.control('account', { fee_bearer: 'buyer' });
    expect((await world.update(id, { description: 'b' })).body).toMatchObject({ amount_total: 1000 });
  });

  it('items replaces the whole list', async () => {
    const { id } = await world.intent();
    const items = [{ name: 'Cup', quantity: 2, unit_amount: 300 }];
    expect((await world.update(id, { items })).body).toMatchObject({
      items: [{ name: 'Cup', quantity: 2, unit_amount: 300, amount: 600 }],
      items_difference: 400,
    });
  });

  it('items must be sent again when the currency changes', async () => {
    const { id } = await world.intent();
    await expectRefusal(world.update(id, { currency: 'eur' }), 'invalid_payment_details', 'items');
    expect((await world.update(id, { currency: 'usd' })).status).toBe(200);
    expect((await world.update(id, { currency: 'eur', items: ORDER.items })).body).toMatchObject({
      currency: 'eur',
    });
  });

  it('changes all or nothing', async () => {
    const { client_secret: _secret, ...before } = await world.intent();
    expect(await world.update(before.id, { description: 'b', amount: 5 })).toMatchObject(
      refusedWith(400, 'amount_too_small', 'amount'),
    );
    expect((await world.retrieve(before.id)).body).toEqual(before);
  });

  it.each([
    [{ amount: 0 }, 'invalid_amount', 'amount'],
    [{ currency: 'chf' }, 'unsupported_currency', 'currency'],
    [{ items: [] }, 'invalid_payment_details', 'items'],
    [{ items: null }, 'validation_error', 'items'],
    [{ status: 'succeeded' }, 'validation_error', 'status'],
  ])('refuses %j with %s', async (change, code, param) => {
    const { id } = await world.intent();
    expect(await world.update(id, change)).toMatchObject(refusedWith(400, code, param));
  });

  it('no idempotency key is accepted', async () => {
    const { id } = await world.intent();
    const call = { headers: { 'idempotency-key': 'k' } };
    await expectRefusal(world.update(id, { description: 'b' }, call), 'validation_error', 'Idempotency-Key');
  });

  it('an intent that is not pending gives 400 payment_intent_not_pending', async () => {
    const { id } = await world.intent();
    await world.control(`payment_intents/${id}/cancel`, {});
    await expectRefusal(world.update(id, { amount: 2000 }), 'payment_intent_not_pending');
  });

  it('an intent that does not exist gives 404 payment_intent_not_found', async () => {
    await expectRefusal(createWorld().update('lg_pi_none', {}), 'payment_intent_not_found');
  });
});
