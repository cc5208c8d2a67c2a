/**
 * The largest intent the description allows, over a socket: created by a merchant's server, read by the form's client.
 */
import { expect, it } from 'vitest';
import { createClient } from '../../api/client.ts';
import { systemClock } from '../../api/clock/clock.ts';
import * as LIMITS from '../../api/limits.ts';
import { SERVER_ROUTES } from '../../api/routes.ts';
import { PaymentIntent } from '../../api/schemas.ts';
import { ORDER } from '../../sandbox/service/sandbox.fixture.ts';
import { createSandbox } from '../../sandbox/service/sandbox.ts';
import { listen } from '../../sandbox/service/server.ts';

it('contract S17.8, S3.5: a hundred items with names of 500 characters can be created, read and paid for', async () => {
  const sandbox = createSandbox();
  const server = await listen(sandbox, { port: 0 });
  const baseUrl = `http://127.0.0.1:${server.port}`;
  try {
    const items = Array.from({ length: LIMITS.items }, () => ({
      // A lone surrogate is one character here and six bytes in JSON.
      name: '\ud83d'.repeat(LIMITS.itemName),
      quantity: 999.999,
      unit_amount: LIMITS.largestAmount,
    }));
    const created = await fetch(baseUrl + SERVER_ROUTES.paymentIntents, {
      method: 'POST',
      headers: { Authorization: `Bearer ${sandbox.keys.secret}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...ORDER, items }),
    });
    const { client_secret = '', amount_total } = PaymentIntent.parse(await created.json());
    const client = createClient({
      baseUrl,
      publishableKey: sandbox.keys.publishable,
      clientSecret: () => client_secret,
      clock: systemClock,
    });
    const read = await client.retrieve();
    expect(read).toMatchObject({ ok: true, value: { amount_total, items } });
  } finally {
    sandbox.close();
    await server.close();
  }
});
