import { beforeEach, describe, expect, it } from 'vitest';
import { addAccount } from '../accounts/accounts.ts';
import { createWorld, expectRefusal, ORDER, refusedWith, type SandboxWorld } from '../sandbox.fixture.ts';
import { SANDBOX_KEYS } from '../service.ts';

let world: SandboxWorld;
beforeEach(() => {
  world = createWorld();
});

const OTHER = {
  publishable: `pk_live_${'b'.repeat(32)}`,
  secret: `sk_live_${'b'.repeat(32)}`,
};

it('contract 6.1: the sandbox keys have 32 characters after their prefix', () => {
  expect(SANDBOX_KEYS.publishable).toMatch(/^pk_live_sandbox0{24}1$/);
  expect(SANDBOX_KEYS.secret).toMatch(/^sk_live_sandbox0{24}1$/);
  expect(SANDBOX_KEYS.publishable.slice(8)).toHaveLength(32);
});

describe('contract S11.1: a bearer key, on server routes', () => {
  it.each([
    ['missing', null, undefined],
    ['empty', null, ''],
    ['of another scheme', null, `Basic ${SANDBOX_KEYS.secret}`],
    ['without scheme', null, SANDBOX_KEYS.secret],
    ['a key that does not exist', `sk_live_${'x'.repeat(32)}`, undefined],
    ['a key cut short', SANDBOX_KEYS.secret.slice(0, -1), undefined],
    ['the publishable key', SANDBOX_KEYS.publishable, undefined],
  ])('%s gives 401 invalid_api_key', async (_title, key, header) => {
    const headers: Record<string, string> = header === undefined ? {} : { authorization: header };
    const response = await world.create(ORDER, { key, headers });
    expect(response).toMatchObject(refusedWith(401, 'invalid_api_key'));
    expect(response.body).toMatchObject({ error: { type: 'authentication_error' } });
    expect(response.text).not.toContain(SANDBOX_KEYS.secret.slice(8));
  });

  it('the scheme is not case-sensitive', async () => {
    const headers = { authorization: `bearer ${SANDBOX_KEYS.secret}` };
    expect((await createWorld().list('', { key: null, headers })).status).toBe(200);
  });

  it('4: a revoked key of the wrong kind too', async () => {
    const { client_secret } = await world.intent();
    await world.control('keys/revoke', { key: SANDBOX_KEYS.publishable });
    await expectRefusal(world.list('', { key: SANDBOX_KEYS.publishable }), 'api_key_revoked');
    await world.control('keys/revoke', { key: SANDBOX_KEYS.secret });
    expect(await world.client('retrieve', { client_secret }, { key: SANDBOX_KEYS.secret })).toMatchObject(
      refusedWith(401, 'api_key_revoked'),
    );
  });

  it('authentication comes before everything else', async () => {
    expect(await createWorld().create('{', { key: null })).toMatchObject(refusedWith(401, 'invalid_api_key'));
  });

  it('an intent of another account gives 404, in the words of one that does not exist', async () => {
    addAccount(world.service.store, { id: 'other', ...OTHER, feeBearer: 'merchant' });
    const { id } = await world.intent();
    const foreign = await world.retrieve(id, { key: OTHER.secret });
    expect(foreign).toMatchObject(refusedWith(404, 'payment_intent_not_found'));
    expect(foreign.text).toBe((await world.retrieve('lg_pi_none', { key: OTHER.secret })).text);
  });
});

describe.each(['retrieve', 'confirm', 'release'] as const)('contract S11 on client %s', (route) => {
  const body = (client_secret: string) =>
    route === 'confirm'
      ? {
          client_secret,
          amount_total: 1000,
          currency: 'usd',
          card: { number: '4242424242424242', exp_month: 1, exp_year: 2031, cvc: '123' },
          billing_details: {},
        }
      : { client_secret };

  it.each([
    ['no key', null],
    ['the secret key', SANDBOX_KEYS.secret],
    ['an unknown key', OTHER.publishable],
  ])('%s gives 401 invalid_api_key', async (_title, key) => {
    const { client_secret } = await world.intent();
    await expectRefusal(world.client(route, body(client_secret), { key }), 'invalid_api_key');
  });

  it('a revoked publishable key gives 401 api_key_revoked', async () => {
    const { client_secret } = await world.intent();
    await world.control('keys/revoke', { key: SANDBOX_KEYS.publishable });
    expect(await world.client(route, body(client_secret))).toMatchObject(refusedWith(401, 'api_key_revoked'));
  });

  it.each(['lg_cs_wrong', 'x', 'lg_pi_x'])(
    'a client_secret %s gives 401 invalid_client_secret',
    async (secret) => {
      expect(await createWorld().client(route, body(secret))).toMatchObject(
        refusedWith(401, 'invalid_client_secret', 'client_secret'),
      );
    },
  );

  it('a missing client_secret gives 400 validation_error, an unknown field too', async () => {
    const { client_secret } = await world.intent();
    const { client_secret: _left, ...rest } = body(client_secret);
    await expectRefusal(world.client(route, rest), 'validation_error', 'client_secret');
    await expectRefusal(world.client(route, { ...body(client_secret), id: 'x' }), 'validation_error', 'id');
  });
});
