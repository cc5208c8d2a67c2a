/** Rules of the client routes that the conformance suite, which the sandbox passes, does not check. */
import { beforeEach, describe, expect, it } from 'vitest';
import { CLIENT_ROUTES } from '../../../api/routes.ts';
import { ClientPaymentIntent } from '../../../api/schemas.ts';
import {
  confirmBody,
  createWorld,
  expectRefusal,
  refusedWith,
  type SandboxWorld,
} from '../sandbox.fixture.ts';
import { SANDBOX_KEYS } from '../service.ts';

let world: SandboxWorld;
beforeEach(() => {
  world = createWorld();
});

describe('contract 3: client routes', () => {
  it('3.5: the client view has exactly these fields', async () => {
    const { id, client_secret, created } = await world.intent({
      metadata: { inner: 'secret' },
      description: 'A mug',
    });
    const { status, body } = await world.client('retrieve', { client_secret });
    expect(status).toBe(200);
    expect(body).toEqual({
      id,
      object: 'payment_intent',
      status: 'pending',
      currency: 'usd',
      amount: 1000,
      fee_buyer: 0,
      amount_total: 1000,
      confirmation_attempts: 0,
      description: 'A mug',
      items: [{ name: 'Mug', quantity: 1, unit_amount: 1000, amount: 1000 }],
      shipping_amount: 0,
      tax_amount: 0,
      discount_amount: 0,
      items_difference: 0,
      created,
      succeeded_at: null,
      last_payment_error: null,
      attempts_left: 5,
      attempt_in_progress: false,
      missing_details: [],
    });
    expect(ClientPaymentIntent.parse(body)).toEqual(body);
  });

  it('3.8: answers carry type, length, no-store, nosniff and the time of the sandbox; 3.7: and no CORS', async () => {
    const { client_secret } = await world.intent();
    for (const body of [{ client_secret }, { client_secret: 'x' }]) {
      const { headers, text } = await world.client('retrieve', body, {
        headers: { origin: 'https://shop.test' },
      });
      expect(Object.fromEntries(headers)).toEqual({
        'content-type': 'application/json',
        'content-length': String(new TextEncoder().encode(text).length),
        'cache-control': 'no-store',
        date: new Date(world.clock.now()).toUTCString(),
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      });
    }
  });

  it('3.8: the length is in bytes, not characters', async () => {
    const { client_secret } = await world.intent({ description: 'für später ☕' });
    const { headers, text } = await world.client('retrieve', { client_secret });
    expect(headers.get('content-length')).toBe(String(new TextEncoder().encode(text).length));
  });

  it.each([
    ['GET', CLIENT_ROUTES.retrieve],
    ['POST', '/partner/v1/client/payment_intents'],
    ['POST', '/partner/v2/payment_intents'],
    ['DELETE', '/partner/v1/payment_intents/x'],
    ['GET', '/'],
    ['GET', '/partner/v1/'],
  ])('contract S16.3: %s %s gives 404 not_found', async (method, path) => {
    const refused = await world.server(method, path);
    expect(refused).toMatchObject(refusedWith(404, 'not_found'));
    expect(refused.text).toContain('routes begin with /partner/v1/');
  });

  it('contract S11.8: a suspended account gets 400, never 403, and can still be read', async () => {
    const intent = await world.intent();
    await world.control('account', { suspended: true });
    await expectRefusal(world.client('confirm', confirmBody(intent)), 'merchant_suspended');
    expect((await world.client('retrieve', { client_secret: intent.client_secret })).status).toBe(200);
    await world.control('account', { suspended: false, approved: false });
    await expectRefusal(world.client('confirm', confirmBody(intent)), 'merchant_not_approved');
  });

  it('an aborted request fails with the reason it was aborted for', async () => {
    const { client_secret } = await world.intent();
    const controller = new AbortController();
    const sending = world.client('retrieve', { client_secret }, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(sending).rejects.toThrow('enough');
    await expect(world.client('retrieve', {}, { signal: controller.signal })).rejects.toThrow('enough');
  });

  it('nothing a sandbox answers or remembers about a request holds a card, a key or a secret', async () => {
    const intent = await world.intent();
    const responses = [
      await world.client('confirm', confirmBody(intent, '4000000000000002')),
      await world.client('confirm', confirmBody(intent, '4000056655665556')),
      await world.client('confirm', confirmBody(intent, '4242424242424241')),
      await world.client('confirm', JSON.stringify(confirmBody(intent, '4000000000000002')).slice(0, -5)),
      await world.client(
        'confirm',
        confirmBody(intent, '4242424242424242', { card: { number: '4242 4242', cvc: 777 } }),
      ),
      await world.control('requests'),
    ];
    for (const { text } of responses) {
      expect(text).not.toMatch(/4000000000000002|4000056655665556|424242424242424|777/);
      expect(text).not.toContain(intent.client_secret);
      expect(text).not.toContain(SANDBOX_KEYS.publishable);
    }
  });
});
