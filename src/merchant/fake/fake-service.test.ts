import { expect, it } from 'vitest';
import { createFakeService } from './fake-service.ts';

it.each(['retrieve', 'confirm'])('contract 3.8: an answer to %s tells the time', async (route) => {
  const { fetch } = createFakeService({ amount: 5804, currency: 'usd' });
  const body = JSON.stringify({ client_secret: 'lg_cs_1', amount_total: 1 });
  const { headers } = await fetch(`https://fake.invalid/partner/v1/client/payment_intents/${route}`, {
    method: 'POST',
    body,
  });
  expect(Math.abs(Date.parse(headers.get('Date') ?? '') - Date.now())).toBeLessThan(5000);
});
