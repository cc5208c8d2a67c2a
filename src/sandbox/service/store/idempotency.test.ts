import { beforeEach, describe, expect, it } from 'vitest';
import { PaymentIntent } from '../../../api/schemas.ts';
import { addAccount } from '../accounts/accounts.ts';
import {
  confirmBody,
  createWorld,
  expectRefusal,
  ORDER,
  refusedWith,
  type SandboxWorld,
} from '../sandbox.fixture.ts';
import { makeOnce } from './idempotency.ts';
import { createStore } from './store.ts';

let world: SandboxWorld;
beforeEach(() => {
  world = createWorld();
});

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });
const count = async (world: ReturnType<typeof createWorld>) => world.service.store.intents.size;

describe('contract S9: idempotency', () => {
  it('2: same key and same body gives the same id and client_secret, and creates nothing', async () => {
    const first = await world.create(ORDER, withKey('k'));
    const second = await world.create(ORDER, withKey('k'));
    expect(second.body).toEqual(first.body);
    expect(first.body).toHaveProperty('client_secret');
    expect(await count(world)).toBe(1);
  });

  it('2: the same body in another order of fields is the same body', async () => {
    const first = await world.create({ ...ORDER, metadata: { a: '1', b: '2' } }, withKey('k'));
    const turned = Object.fromEntries(Object.entries({ ...ORDER, metadata: { b: '2', a: '1' } }).reverse());
    expect((await world.create(turned, withKey('k'))).body).toEqual(first.body);
  });

  it('2: a replay after the payment shows the payment as it is now', async () => {
    const intent = PaymentIntent.parse((await world.create(ORDER, withKey('k'))).body);
    await world.client('confirm', confirmBody({ ...intent, client_secret: intent.client_secret ?? '' }));
    expect((await world.create(ORDER, withKey('k'))).body).toMatchObject({
      id: intent.id,
      client_secret: intent.client_secret,
      status: 'succeeded',
    });
  });

  it('3: same key with a different body gives 409 idempotency_key_reused', async () => {
    await world.create(ORDER, withKey('k'));
    expect(await world.create({ ...ORDER, amount: 1001 }, withKey('k'))).toMatchObject(
      refusedWith(409, 'idempotency_key_reused', 'Idempotency-Key'),
    );
    expect(await world.create({ ...ORDER, description: null }, withKey('k'))).toMatchObject(
      refusedWith(409, 'idempotency_key_reused'),
    );
    expect(await count(world)).toBe(1);
  });

  it('3 and 4: used on the other route it is refused, on another account it is another key', () => {
    const store = createStore();
    const keys = (letter: string) => ({ publishable: `pk_${letter}`, secret: `sk_${letter}` });
    const one = addAccount(store, { id: 'one', ...keys('a'), feeBearer: 'merchant' });
    const two = addAccount(store, { id: 'two', ...keys('b'), feeBearer: 'merchant' });
    const create = { account: one, key: 'k', route: 'payment_intents.create', body: {} };
    expect(makeOnce(store, create, () => 'first')).toBe('first');
    expect(() => makeOnce(store, { ...create, route: 'refunds.create' }, () => 'x')).toThrowError(
      expect.objectContaining({ code: 'idempotency_key_reused' }),
    );
    expect(makeOnce(store, { ...create, account: two }, () => 'second')).toBe('second');
  });

  it('4: keys never expire', async () => {
    const first = await world.create(ORDER, withKey('k'));
    await world.clock.advance(1000 * 86_400_000);
    expect((await world.create(ORDER, withKey('k'))).body).toEqual(first.body);
  });

  it('contract S9.5: a request that ends in an error stores nothing; the same key runs it again', async () => {
    await world.control('account', { fee_schedule: null });
    await expectRefusal(world.create(ORDER, withKey('k')), 'fee_plan_not_configured');
    await expectRefusal(world.create({ ...ORDER, amount: 0 }, withKey('k')), 'invalid_amount');
    await world.control('account', {
      fee_schedule: { processing: { bps: 0, fixed: 1 }, bank: { bps: 0, fixed: 1 } },
    });
    expect((await world.create({ ...ORDER, amount: 2000 }, withKey('k'))).status).toBe(200);
  });

  it.each([
    ['', false],
    ['k', true],
    ['k'.repeat(255), true],
    ['k'.repeat(256), false],
  ])('contract S17.14: a key is 1 to 255 characters (%#)', async (key, allowed) => {
    const response = await createWorld().create(ORDER, withKey(key));
    if (allowed) expect(response.status).toBe(200);
    else expect(response).toMatchObject(refusedWith(400, 'validation_error', 'Idempotency-Key'));
  });

  it.each([255, 256])(
    'contract S17.14: %i emoji in a control route are as many characters',
    async (count) => {
      const { id } = await world.paid();
      const body = { idempotency_key: '😀'.repeat(count) };
      const response = await world.control(`payment_intents/${id}/refund`, body);
      if (count === 255) expect(response.status).toBe(200);
      else {
        expect(response).toMatchObject(refusedWith(400, 'validation_error', 'idempotency_key'));
        expect(response.text).toContain('must be 1 to 255 characters long; got 256.');
      }
    },
  );
});
