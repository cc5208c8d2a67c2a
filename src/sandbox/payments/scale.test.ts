/**
 * Measures lists and balances with 1,000 payments and with 100,000: the time must depend on the size of the page. The
 * test compares the shortest of many runs, which a busy machine does not change, and allows each three times the time
 * with a hundredth of the payments.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountOf } from '../accounts/accounts.ts';
import { createWorld, type SandboxWorld } from '../sandbox.fixture.ts';
import type { IntentRecord, RefundRecord } from '../store/records.ts';
import { balanceOf } from './balance.ts';
import { listIntents } from './intents.ts';
import { listRefunds } from './refunds.ts';

const FEW = 1000;
const MANY = 100_000;
const RUNS = 40;

const idOf = (copy: number): string => `lg_pi_${String(copy).padStart(24, '0')}`;

/** Creates a world with `count` paid and refunded payments. Those of one order come first. */
const worldWith = async (count: number): Promise<SandboxWorld> => {
  const world = createWorld();
  const { id } = await world.paid();
  await world.refunded(id);
  await world.clock.advance(3000);
  const { store, ledger } = world.service;
  const [intent] = store.intents.values();
  const [refund] = store.refunds.values();
  if (intent === undefined || refund === undefined) throw new Error('there is no payment to copy');
  for (let copy = 1; copy < count; copy += 1) {
    const order_reference = copy < 20 ? 'first' : `B-${copy % 500}`;
    const own: IntentRecord = {
      ...structuredClone(intent),
      ...{ id: idOf(copy), client_secret: `lg_cs_${copy}`, order_reference },
    };
    const back: RefundRecord = { ...structuredClone(refund), id: `lg_re_${copy}`, payment_intent: own.id };
    store.intents.set(own.id, own);
    ledger.addIntent(own);
    store.refunds.set(back.id, back);
    ledger.addRefund(back);
  }
  return world;
};

let worlds: readonly SandboxWorld[] = [];
beforeAll(async () => {
  worlds = [await worldWith(FEW), await worldWith(MANY)];
}, 120_000);
afterAll(() => {
  worlds = [];
});

type Read = (world: SandboxWorld, account: ReturnType<typeof accountOf>) => { data: readonly unknown[] };

const listing =
  (query: string): Read =>
  ({ service }, account) =>
    listIntents(service, account, new URLSearchParams(query));
const middle: Read = (world, account) =>
  listing(`limit=1&starting_after=${idOf(world.service.store.intents.size / 2)}`)(world, account);
const refunds =
  (query: string): Read =>
  ({ service }, account) =>
    listRefunds(service, account, new URLSearchParams(query));

it.each<[string, Read, number]>([
  ['the newest payment', listing('limit=1'), 1],
  ['the payment after one in the middle', middle, 1],
  ['an order reference that none has', listing('order_reference=none'), 0],
  ['the first order', listing('order_reference=first&limit=1'), 1],
  ['the newest refund', refunds('limit=1'), 1],
  ['the refunds of the first payment', refunds(`payment_intent=${idOf(1)}`), 1],
  ['the balance', ({ service }, account) => ({ data: [balanceOf(service, account)] }), 1],
])('contract S10.1: %s takes as long with 100,000 payments as with 1,000', (_, read, length) => {
  const shortest = worlds.map((world) => {
    const account = accountOf(world.service.store, { account: 'sandbox' });
    const times: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const begun = performance.now();
      const { data } = read(world, account);
      times.push(performance.now() - begun);
      expect(data).toHaveLength(length);
    }
    return Math.min(...times);
  });
  const [few = 0, many = 0] = shortest;
  expect(many).toBeLessThan(few * 3 + 0.02);
});
