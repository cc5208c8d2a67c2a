import { beforeEach, describe, expect, it } from 'vitest';
import { List, PaymentIntent } from '../../../api/schemas.ts';
import { createWorld, expectRefusal, refusedWith, type SandboxWorld } from '../sandbox.fixture.ts';

let world: SandboxWorld;
beforeEach(() => {
  world = createWorld();
});

const Page = List(PaymentIntent);
const page = async (world: ReturnType<typeof createWorld>, query: string) =>
  Page.parse((await world.list(query)).body);

describe('contract S8.1: retrieve a payment intent', () => {
  it('contract S11.5: answers the intent without client_secret', async () => {
    const { client_secret, ...intent } = await world.intent();
    const { status, body, text } = await world.retrieve(intent.id);
    expect(status).toBe(200);
    expect(body).toEqual(intent);
    expect(text).not.toContain(client_secret);
  });

  it('404 payment_intent_not_found where there is none', async () => {
    await expectRefusal(createWorld().retrieve('lg_pi_none'), 'payment_intent_not_found');
    await expectRefusal(createWorld().retrieve('lg_pi_%2e%2e%2fx'), 'payment_intent_not_found');
  });
});

describe('contract S8.2: list payment intents', () => {
  it('contract S17.13: newest first, also within one second, 20 by default', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 21; n++) ids.unshift((await world.intent()).id);
    const first = await page(world, '');
    expect(first).toMatchObject({ object: 'list', has_more: true });
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 20));
    expect((await world.list()).text).not.toContain('lg_cs_');
  });

  it('goes on from an intent whose order reference has changed', async () => {
    const oldest = await world.intent({ order_reference: 'a' });
    const middle = await world.intent({ order_reference: 'a' });
    await world.update(middle.id, { order_reference: 'b' });
    const { data } = await page(world, `?order_reference=a&starting_after=${middle.id}`);
    expect(data.map(({ id }) => id)).toEqual([oldest.id]);
  });

  it('has_more is false when exactly the page is left', async () => {
    await world.intent();
    await world.intent();
    expect(await page(world, '?limit=2')).toMatchObject({ has_more: false });
    expect(await page(world, '?limit=1')).toMatchObject({ has_more: true });
  });

  it.each([
    ['?limit=1.5', 'limit'],
    ['?limit=', 'limit'],
    ['?starting_after=lg_pi_none', 'starting_after'],
    ['?order_reference=', 'order_reference'],
  ])('%s gives 400 validation_error', async (query, param) => {
    expect(await createWorld().list(query)).toMatchObject(refusedWith(400, 'validation_error', param));
  });
});
