/** Kinds of keys that the conformance suite, which the sandbox passes, does not try. */
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
    ['empty', null, ''],
    ['of another scheme', null, `Basic ${SANDBOX_KEYS.secret}`],
    ['without scheme', null, SANDBOX_KEYS.secret],
    ['a key cut short', SANDBOX_KEYS.secret.slice(0, -1), undefined],
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

  it('an intent of another account gives 404, in the words of one that does not exist', async () => {
    addAccount(world.service.store, { id: 'other', ...OTHER, feeBearer: 'merchant' });
    const { id } = await world.intent();
    const foreign = await world.retrieve(id, { key: OTHER.secret });
    expect(foreign).toMatchObject(refusedWith(404, 'payment_intent_not_found'));
    expect(foreign.text).toBe((await world.retrieve('lg_pi_none', { key: OTHER.secret })).text);
  });
});
