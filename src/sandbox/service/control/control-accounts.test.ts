import { beforeEach, describe, expect, it } from 'vitest';
import { SERVER_ROUTES } from '../../../api/routes.ts';
import {
  confirmBody,
  createWorld,
  expectRefusal,
  ORDER,
  refusedWith,
  type SandboxWorld,
} from '../sandbox.fixture.ts';
import { SANDBOX_KEYS } from '../service.ts';

let world: SandboxWorld;
beforeEach(() => {
  world = createWorld();
});

const FEES = {
  processing: { bps: 100, fixed: 10 },
  bank: { bps: 0, fixed: 5 },
  refund: { bps: 50, fixed: 1 },
};

describe('accounts by control routes', () => {
  it("open with the sandbox's default schedules, or with the given ones", async () => {
    const { body: plain } = await world.control('accounts', {});
    expect(plain).toEqual({
      id: 'account_2',
      suspended: false,
      approved: true,
      non_physical_goods: true,
      fee_bearer: 'merchant',
      fee_schedule: {
        processing: { bps: 290, fixed: 30 },
        bank: { bps: 50, fixed: 0 },
        refund: { bps: 0, fixed: 0 },
      },
      unlock_schedule: [
        { days: 7, percent_bps: 8000 },
        { days: 30, percent_bps: 2000 },
      ],
      keys: { id: 'key_1', publishable_key: expect.any(String), secret_key: expect.any(String) },
    });
    const settings = {
      suspended: true,
      approved: false,
      non_physical_goods: false,
      fee_bearer: 'buyer',
      fee_schedule: FEES,
      unlock_schedule: [
        { days: 0, percent_bps: 1 },
        { days: 0, percent_bps: 9999 },
      ],
    };
    const { body } = await world.control('accounts', settings);
    expect(body).toMatchObject({ id: 'account_3', ...settings });
    expect((await world.control('accounts/account_3')).body).toEqual({ id: 'account_3', ...settings });
    expect((await world.control('accounts')).body).toMatchObject({
      data: [{ id: 'sandbox' }, { id: 'account_2' }, { id: 'account_3' }],
    });
  });

  it('change the given settings and keep the others', async () => {
    await world.account();
    const { body: before } = await world.control('accounts/account_2');
    expect((await world.control('accounts/account_2', { suspended: true })).body).toEqual({
      ...Object(before),
      suspended: true,
    });
    expect(
      (await world.control('accounts/account_2', { fee_schedule: null, unlock_schedule: null })).body,
    ).toEqual({ ...Object(before), suspended: true, fee_schedule: null, unlock_schedule: null });
    expect((await world.control('accounts/sandbox')).body).toMatchObject({ suspended: false });
  });

  it.each([
    [
      { fee_schedule: { processing: { bps: 10_001, fixed: 0 }, bank: { bps: 0, fixed: 0 } } },
      'fee_schedule.processing.bps',
    ],
    [{ fee_schedule: { ...FEES, refund: { bps: 0, fixed: -1 } } }, 'fee_schedule.refund.fixed'],
    [{ fee_schedule: { processing: FEES.bank } }, 'fee_schedule.bank'],
    [{ unlock_schedule: [] }, 'unlock_schedule'],
    [{ unlock_schedule: [{ days: 7, percent_bps: 9999 }] }, 'unlock_schedule'],
    [{ unlock_schedule: [{ days: -1, percent_bps: 10_000 }] }, 'unlock_schedule[0].days'],
    [{ unlock_schedule: [{ days: 1.5, percent_bps: 10_000 }] }, 'unlock_schedule[0].days'],
    [
      {
        unlock_schedule: [
          { days: 1, percent_bps: 10_000 },
          { days: 2, percent_bps: 0 },
        ],
      },
      'unlock_schedule[1].percent_bps',
    ],
    [
      {
        unlock_schedule: [
          { days: 8, percent_bps: 5000 },
          { days: 7, percent_bps: 5000 },
        ],
      },
      'unlock_schedule',
    ],
    [{ id: 'mine' }, 'id'],
  ])('%j answers 400, names the field, and opens no account', async (settings, param) => {
    await expectRefusal(world.control('accounts', settings), 'validation_error', param);
    await expectRefusal(world.control('accounts/sandbox', settings), 'validation_error', param);
    expect(world.service.store.accounts.size).toBe(1);
    expect(world.service.store.keys.size).toBe(2);
  });

  it('answer 404 for an account or pair that does not exist', async () => {
    expect(await world.control('accounts/none')).toMatchObject(refusedWith(404, 'not_found'));
    expect(await world.control('accounts/none', {})).toMatchObject(refusedWith(404, 'not_found'));
    expect(await world.control('accounts/none/keys')).toMatchObject(refusedWith(404, 'not_found'));
    expect(await world.control('accounts/none/keys', {})).toMatchObject(refusedWith(404, 'not_found'));
    await expectRefusal(world.control('accounts/sandbox/keys/key_2/revoke', {}), 'not_found');
    await expectRefusal(world.control('accounts/sandbox/keys', { name: 'x' }), 'validation_error', 'name');
  });
});

describe('contract S11: authentication', () => {
  it('contract S11.9: Secret key, S11.9: Publishable key, S11.9: Client secret; contract 6.1: keys mark a sandbox', async () => {
    const { publishable, secret } = await createWorld().account();
    expect(publishable).toMatch(/^pk_live_[A-Za-z0-9]{32}$/);
    expect(secret).toMatch(/^sk_live_[A-Za-z0-9]{32}$/);
    expect(publishable).toMatch(/^pk_live_sandbox/);
    expect(publishable.slice(15)).not.toBe(secret.slice(15));
    expect((await world.intent()).client_secret).toMatch(/^lg_cs_\w+$/);
  });

  it('contract S11.3: created in pairs; the secret key is shown once, the list shows its last 4 characters', async () => {
    const { id, publishable, secret } = await world.account();
    const { body: second } = await world.control(`accounts/${id}/keys`, {});
    expect(second).toEqual({
      id: 'key_2',
      publishable_key: expect.stringMatching(/^pk_live_sandbox/),
      secret_key: expect.stringMatching(/^sk_live_sandbox/),
    });
    const list = await world.control(`accounts/${id}/keys`);
    const none = { publishable_revoked: false, secret_revoked: false };
    expect(list.body).toEqual({
      data: [
        {
          id: 'key_2',
          publishable_key: Object(second).publishable_key,
          secret_key_last4: Object(second).secret_key.slice(-4),
          ...none,
        },
        { id: 'key_1', publishable_key: publishable, secret_key_last4: secret.slice(-4), ...none },
      ],
    });
    for (const path of ['accounts', `accounts/${id}`, `accounts/${id}/keys`]) {
      expect((await world.control(path)).text).not.toContain('sk_live_');
    }
    expect((await world.list('', { key: Object(second).secret_key })).status).toBe(200);
    expect((await world.list('', { key: secret })).status).toBe(200);
  });

  it('contract S11.4: a revoked key is rejected at once with api_key_revoked, the other pair still works', async () => {
    const { id, publishable, secret, pair } = await world.account();
    const { body } = await world.control(`accounts/${id}/keys`, {});
    const intent = await world.intent({}, { key: secret });
    const revoked = await world.control(`accounts/${id}/keys/${pair}/revoke`, {});
    expect(revoked.body).toMatchObject({
      data: [
        { id: 'key_2', publishable_revoked: false, secret_revoked: false },
        { id: 'key_1', publishable_revoked: true, secret_revoked: true },
      ],
    });
    expect(await world.list('', { key: secret })).toMatchObject(refusedWith(401, 'api_key_revoked'));
    expect(await world.client('confirm', confirmBody(intent), { key: publishable })).toMatchObject(
      refusedWith(401, 'api_key_revoked'),
    );
    expect((await world.list('', { key: Object(body).secret_key })).status).toBe(200);
    expect((await world.list()).status).toBe(200);
  });

  it('contract S11.4: the secret key of a pair can be revoked on its own', async () => {
    const { id, publishable, secret } = await world.account();
    const { client_secret } = await world.intent({}, { key: secret });
    await world.control('keys/revoke', { key: secret });
    expect(await world.list('', { key: secret })).toMatchObject(refusedWith(401, 'api_key_revoked'));
    expect((await world.client('retrieve', { client_secret }, { key: publishable })).status).toBe(200);
    expect((await world.control(`accounts/${id}/keys`)).body).toMatchObject({
      data: [{ publishable_revoked: false, secret_revoked: true }],
    });
  });

  it('contract S11.6: the publishable key of another account answers 404 payment_intent_not_found', async () => {
    const { publishable, secret } = await world.account();
    const mine = await world.intent();
    const theirs = await world.intent({}, { key: secret });
    for (const [intent, key] of [
      [mine, publishable],
      [theirs, SANDBOX_KEYS.publishable],
    ] as const) {
      const { client_secret } = intent;
      for (const response of [
        await world.client('retrieve', { client_secret }, { key }),
        await world.client('confirm', confirmBody(intent), { key }),
        await world.client('release', { client_secret }, { key }),
      ]) {
        expect(response).toMatchObject(refusedWith(404, 'payment_intent_not_found'));
      }
    }
    expect((await world.client('confirm', confirmBody(theirs), { key: publishable })).status).toBe(200);
    expect(world.service.store.charges).toHaveLength(1);
  });

  it('an account cannot see payments or balance of another', async () => {
    const { id } = await world.paid();
    await world.refunded(id, 100);
    const call = { key: (await world.account()).secret };
    await expectRefusal(world.retrieve(id, call), 'payment_intent_not_found');
    await expectRefusal(world.update(id, { amount: 1 }, call), 'payment_intent_not_found');
    expect((await world.list('', call)).body).toMatchObject({ data: [] });
    expect(await world.balance(call)).toEqual({ available: 0, locked: 0 });
    expect(await world.balance()).toEqual({ available: 0, locked: 836 });
  });

  it.each([
    [{ suspended: true }, ORDER, 400, 'merchant_suspended'],
    [{ approved: false }, ORDER, 400, 'merchant_not_approved'],
    [
      { non_physical_goods: false },
      { ...ORDER, goods_type: 'non_physical' },
      400,
      'non_physical_goods_not_allowed',
    ],
    [{ fee_schedule: null }, ORDER, 500, 'fee_plan_not_configured'],
  ] as const)(
    'contract S7.3, S7.5 and S11.8: %j cannot create: %#',
    async (settings, order, status, code) => {
      const { id, secret } = await world.account(settings);
      expect(await world.create(order, { key: secret })).toMatchObject(refusedWith(status, code));
      expect((await world.create(order)).status).toBe(200);
      await world.control(`accounts/${id}`, {
        suspended: false,
        approved: true,
        non_physical_goods: true,
        fee_schedule: FEES,
      });
      expect((await world.create(order, { key: secret })).status).toBe(200);
    },
  );

  it('contract S7.1: each account has its own fee schedule and fee bearer', async () => {
    const { secret } = await world.account({ fee_bearer: 'buyer', fee_schedule: FEES });
    expect((await world.create(ORDER, { key: secret })).body).toMatchObject({
      fee_bearer: 'buyer',
      processing_fee: 20,
      bank_fee: 5,
      amount_total: 1025,
    });
    expect((await world.create()).body).toMatchObject({ fee_bearer: 'merchant', processing_fee: 59 });
  });

  it('contract S9.4: keys belong to the account', async () => {
    const other = await world.account();
    const headers = { 'idempotency-key': 'k' };
    const mine = await world.create(ORDER, { headers });
    const theirs = await world.create({ ...ORDER, amount: 2000 }, { headers, key: other.secret });
    expect([mine.status, theirs.status]).toEqual([200, 200]);
    const paid = await world.paid({}, other);
    const refund = { payment_intent: paid.id };
    const call = { headers: { 'idempotency-key': 'r' } };
    expect((await world.create(ORDER, call)).status).toBe(200);
    expect((await world.refund(refund, { ...call, key: other.secret })).status).toBe(200);
  });

  it('contract S17.1: requests are counted per account and per route', async () => {
    world = createWorld({ serverRateLimit: 1 });
    const other = await world.account();
    for (const call of [{}, { key: other.secret }]) {
      for (const path of [SERVER_ROUTES.refunds, SERVER_ROUTES.balance, `${SERVER_ROUTES.refunds}/x`]) {
        expect((await world.server('GET', path, undefined, call)).status).not.toBe(429);
        await expectRefusal(world.server('GET', path, undefined, call), 'rate_limited');
      }
      for (const path of [SERVER_ROUTES.refunds, SERVER_ROUTES.feeQuotes]) {
        expect((await world.server('POST', path, {}, call)).status).toBe(400);
        expect(await world.server('POST', path, {}, call)).toMatchObject(refusedWith(429, 'rate_limited'));
      }
    }
  });
});
