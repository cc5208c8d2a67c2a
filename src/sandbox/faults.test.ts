import { expect, it } from 'vitest';
import type { Fault, Faults } from './faults.ts';
import { confirmBody, createWorld, refused } from './fixtures.ts';

/** A service whose requests of the browser meet these faults, in order. */
const worldWith = (...faults: readonly Fault[]) => {
  const left = [...faults];
  const schedule: Faults = { add: () => undefined, take: () => left.shift() };
  return createWorld({ faults: schedule });
};

const harmless = { acts: true, instead: null, distortion: {} } as const;
const isPending = async (answer: Promise<unknown>) => {
  const waiting = Symbol('waiting');
  const turn = new Promise((resolve) => setImmediate(() => resolve(waiting)));
  return (await Promise.race([answer, turn])) === waiting;
};

it('a confirm delivered three times charges once, and the last answer is heard: not pending any more', async () => {
  const world = worldWith({ ...harmless, deliveries: 3 });
  const intent = await world.intent();
  expect(await world.client('confirm', confirmBody(intent))).toMatchObject(
    refused(400, 'payment_intent_not_pending'),
  );
  expect(world.service.store.charges).toHaveLength(1);
});

it('a request under way acts only when it arrives', async () => {
  const world = worldWith({ ...harmless, arrivesAfter: 30 });
  const intent = await world.intent();
  const answer = world.client('confirm', confirmBody(intent));
  expect(await isPending(answer)).toBe(true);
  expect(world.service.store.charges).toHaveLength(0);
  await world.clock.advance(30_000);
  expect(await answer).toMatchObject({ status: 200, body: { status: 'succeeded' } });
});

it('a request whose sender gave up on it arrives all the same', async () => {
  const world = worldWith({ ...harmless, arrivesAfter: 30 });
  const intent = await world.intent();
  const sender = new AbortController();
  const answer = world.client('confirm', confirmBody(intent), { signal: sender.signal });
  const gone = expect(answer).rejects.toThrow();
  expect(await isPending(answer.catch(() => undefined))).toBe(true);
  sender.abort();
  await gone;
  await world.clock.advance(30_000);
  expect(world.service.store.charges).toHaveLength(1);
});

it('a late second delivery finds the payment made and charges nothing', async () => {
  const world = worldWith({ ...harmless, againAfter: 60 });
  const intent = await world.intent();
  expect(await world.client('confirm', confirmBody(intent))).toMatchObject({ status: 200 });
  await world.clock.advance(60_000);
  expect(world.service.store.charges).toHaveLength(1);
});

it('a schedule that is none is refused with what was expected', () => {
  // @ts-expect-error: the option wants add() and take()
  expect(() => createWorld({ faults: {} })).toThrow(/faults must be an object with add\(\) and take\(\)/);
});
