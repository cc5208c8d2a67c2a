import { expect, it } from 'vitest';
import { API_ROUTES } from '../core/api-routes.ts';
import { confirmBody, createWorld, ORDER, refusedWith, type SandboxWorld } from '../sandbox.fixture.ts';
import { SANDBOX_KEYS } from '../service.ts';

/** Returns a valid body for each route that takes one. */
const bodyFor = async (world: SandboxWorld, name: string): Promise<unknown> => {
  const intent = await world.intent();
  const bodies: Readonly<Record<string, unknown>> = {
    CreatePaymentIntent: ORDER,
    UpdatePaymentIntent: { description: 'Two mugs' },
    CreateRefund: { payment_intent: (await world.paid()).id },
    CreateFeeQuote: { amount: 1000, currency: 'usd' },
    ClientRequest: { client_secret: intent.client_secret },
    ConfirmRequest: confirmBody(intent),
  };
  return bodies[name];
};

it.each(API_ROUTES)(
  'contract 5.8: $id refuses an unknown query parameter, and one given twice',
  async ({ method, path, key, body, query }) => {
    const world = createWorld();
    const { id } = await world.intent();
    const refund = await world.refunded((await world.paid()).id);
    const address = path.replace(':id', path.includes('refunds') ? refund.id : id);
    const sent = body === null ? undefined : await bodyFor(world, body.name);
    const send = (search: string) =>
      world.server(method.toUpperCase(), `${address}${search}`, sent, { key: SANDBOX_KEYS[key] });
    const before = JSON.stringify([...world.service.store.intents.values()]);
    expect(await send('?expand=buyer')).toMatchObject(refusedWith(400, 'validation_error', 'expand'));
    const [name = 'expand'] = Object.keys(query);
    expect(await send(`?${name}=1&${name}=2`)).toMatchObject(refusedWith(400, 'validation_error', name));
    expect(JSON.stringify([...world.service.store.intents.values()])).toBe(before);
    expect((await send('')).status).toBe(200);
  },
);
