import { describe, expect, it } from 'vitest';
import { confirmBody, createWorld, expectRefusal } from '../sandbox.fixture.ts';
import type { Fault } from './fault.ts';

/** Creates a service whose browser requests get these faults, in order. */
const worldWith = (...faults: readonly Fault[]) => {
  const left = [...faults];
  return createWorld({ faults: () => left.shift() });
};

const isPending = async (response: Promise<unknown>) => {
  const waiting = Symbol('waiting');
  const turn = new Promise((resolve) => setImmediate(() => resolve(waiting)));
  return (await Promise.race([response, turn])) === waiting;
};

it('a confirm delivered three times charges once, and the sender gets the last response: not pending', async () => {
  const world = worldWith({ deliveries: 3 });
  const intent = await world.intent();
  await expectRefusal(world.client('confirm', confirmBody(intent)), 'payment_intent_not_pending');
  expect(world.service.store.charges).toHaveLength(1);
});

it('a declined confirm delivered three times counts three attempts for one press (outcomes 1.1)', async () => {
  const world = worldWith({ deliveries: 3 });
  const intent = await world.intent();
  await world.client('confirm', confirmBody(intent, '4000000000000002'));
  expect((await world.retrieve(intent.id)).body).toMatchObject({ confirmation_attempts: 3 });
});

it('a delayed request takes effect only when it arrives', async () => {
  const world = worldWith({ arrives_after: 30 });
  const intent = await world.intent();
  const response = world.client('confirm', confirmBody(intent));
  expect(await isPending(response)).toBe(true);
  expect(world.service.store.charges).toHaveLength(0);
  await world.clock.advance(30_000);
  expect(await response).toMatchObject({ status: 200, body: { status: 'succeeded' } });
});

it('a delayed request still arrives if its sender has given up', async () => {
  const world = worldWith({ arrives_after: 30 });
  const intent = await world.intent();
  const sender = new AbortController();
  const response = world.client('confirm', confirmBody(intent), { signal: sender.signal });
  const gone = expect(response).rejects.toThrow();
  expect(await isPending(response.catch(() => undefined))).toBe(true);
  sender.abort();
  await gone;
  await world.clock.advance(30_000);
  expect(world.service.store.charges).toHaveLength(1);
});

it('a late second delivery finds the payment made and charges nothing', async () => {
  const world = worldWith({ again_after: 60 });
  const intent = await world.intent();
  expect(await world.client('confirm', confirmBody(intent))).toMatchObject({ status: 200 });
  await world.clock.advance(60_000);
  expect(world.service.store.charges).toHaveLength(1);
});

it.each<Fault>([{ arrives_after: 30 }, { again_after: 30, cut: 'before' }])(
  'a request under way when the sandbox closes never arrives: %j',
  async (fault) => {
    const world = worldWith(fault);
    const intent = await world.intent();
    const response = expect(world.client('confirm', confirmBody(intent))).rejects.toMatchObject({
      name: 'ConnectionCut',
    });
    await world.clock.advance(1);
    world.sandbox.close();
    await response;
    await world.clock.advance(60_000);
    expect(world.service.store.charges).toHaveLength(0);
  },
);

it('a plan of the wrong type is refused with the expected type', () => {
  // @ts-expect-error: the option wants a function
  expect(() => createWorld({ faults: {} })).toThrow(/faults must be a function from a route to a fault/);
});

describe('the request log notes every delivery', () => {
  const deliveriesOf = async (world: ReturnType<typeof worldWith>, id: string) => {
    const { body } = await world.control(`payment_intents/${id}`);
    const requests = world.service.requestLog.of(id).filter(({ route }) => route === 'client.confirm');
    return {
      body,
      told: requests.map(({ delivery, status, code, attempt }) => [delivery, status, code, attempt]),
    };
  };

  it('of a request that is repeated, each with what the service said to it', async () => {
    const world = worldWith({ deliveries: 3 });
    const intent = await world.intent();
    await world.client('confirm', confirmBody(intent));
    const { body, told } = await deliveriesOf(world, intent.id);
    expect(body).toMatchObject({ charges: 1, confirms: 1, deliveries: 3 });
    expect(told).toEqual([
      [1, 200, null, 1],
      [2, 400, 'payment_intent_not_pending', null],
      [3, 400, 'payment_intent_not_pending', null],
    ]);
  });

  it('of one whose last answer is lost: the received answer is noted at the last one', async () => {
    const world = worldWith({ deliveries: 2, cut: 'after' });
    const intent = await world.intent();
    await world.client('confirm', confirmBody(intent)).catch(() => undefined);
    expect((await deliveriesOf(world, intent.id)).told).toEqual([
      [1, 200, null, 1],
      [2, 'cut', 'payment_intent_not_pending', null],
    ]);
  });

  it('of one that was lost and comes late', async () => {
    const world = worldWith({ cut: 'before', again_after: 90 });
    const intent = await world.intent();
    await world.client('confirm', confirmBody(intent)).catch(() => undefined);
    expect((await deliveriesOf(world, intent.id)).told).toEqual([[1, 'cut', null, null]]);
    await world.clock.advance(90_000);
    const { body, told } = await deliveriesOf(world, intent.id);
    expect(body).toMatchObject({ charges: 1, confirms: 1, deliveries: 2 });
    expect(told).toEqual([
      [1, 'cut', null, null],
      [2, 200, null, 1],
    ]);
  });

  it('and of a refused one only the refusal', async () => {
    const world = worldWith({ refuse: true });
    const intent = await world.intent();
    await expect(world.client('confirm', confirmBody(intent))).rejects.toMatchObject({
      name: 'ConnectionCut',
      refused: true,
    });
    expect((await deliveriesOf(world, intent.id)).body).toMatchObject({
      charges: 0,
      confirms: 0,
      deliveries: 0,
    });
    expect(world.service.requestLog.recent(1)).toMatchObject([
      { route: 'client.confirm', intent: null, status: 'refused' },
    ]);
  });
});
