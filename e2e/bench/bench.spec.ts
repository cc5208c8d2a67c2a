/** Tests that the benchmark works, and the promises 7 that do not depend on the machine. Figures: `npm run bench`. */
import { expect, test } from 'playwright/test';
import { type Contestant, cardForm, floor, loaderFloor, openShop } from './contestants.ts';
import { type BenchServer, startServer } from './server.ts';
import { CONDITIONS, openPage, visit } from './visit.ts';

test.describe.configure({ mode: 'serial' });

const [atOnce] = CONDITIONS;
let server: BenchServer;

test.beforeAll(async () => {
  server = await startServer();
  openShop(server);
});
test.afterAll(() => server.stop());

const measure = async (contestant: Contestant, typing: boolean) => {
  if (!atOnce) throw new Error('There is no condition.');
  return (await visit(server, contestant, atOnce, { typing })).measured;
};

test('with the loader alone: at most 5 requests before Pay can be pressed, no layout shift, no event per key', {
  tag: '@thorough',
}, async () => {
  const form = await measure(await cardForm(server, 'smoke loader'), true);
  expect(form.typeable).toBeGreaterThan(0);
  expect(form.amount).toBeGreaterThanOrEqual(form.typeable);
  expect(form.payable).toBeGreaterThanOrEqual(form.amount);
  expect(form.connections).toBeGreaterThanOrEqual(2);
  expect(form.bytes).toBeGreaterThan(10_000);
  // Includes three requests that follow once Pay can be pressed, because they may be sent before that is painted.
  expect(form.requestsToPayable).toBeLessThanOrEqual(8);
  expect(form.pageShift).toBe(0);
  expect(form.keyP50).toBeGreaterThan(0);
  // The brand is one event, and each complete field is another.
  expect(form.told).toBeLessThanOrEqual(4);
});

test('with the iframe in the HTML: at most 5 requests before Pay can be pressed', {
  tag: '@thorough',
}, async () => {
  const form = await measure(await cardForm(server, 'smoke early', { early: true }), false);
  expect(form.payable).toBeGreaterThanOrEqual(form.typeable);
  // Includes three requests that follow once Pay can be pressed, because they may be sent before that is painted.
  expect(form.requestsToPayable).toBeLessThanOrEqual(8);
});

test('a buyer can type after 2 requests, the script and the frame, while all others are held', {
  tag: '@thorough',
}, async () => {
  if (!atOnce) throw new Error('There is no condition.');
  const release = server.hold(
    (path) => !/^\/(held|partner\/v1\/card-form(\.js|\/[^/]+\/frame\.html))$/.test(path),
  );
  const page = await openPage(server, await cardForm(server, 'held'), atOnce);
  try {
    await page.go();
    await page.until('typeable', 1);
    expect(page.times('payable')).toEqual([]);
    release();
    await page.until('payable', 1);
  } finally {
    release();
    await page.close();
  }
});

test('the baseline takes one request; the baseline with a loader takes two, a 2 kB script and the frame that it inserts', {
  tag: '@thorough',
}, async () => {
  const bare = await measure(floor(server), false);
  expect(bare.requests).toBe(1);
  expect(bare.payable).toBeGreaterThanOrEqual(bare.typeable);
  const { requests, bytes, inserted, typeable, amount } = await measure(loaderFloor(server), false);
  expect(requests).toBe(2);
  expect(bytes).toBeGreaterThan(2000);
  expect(bytes).toBeLessThan(3500);
  expect(inserted).toBeLessThanOrEqual(typeable);
  expect(amount).toBeGreaterThanOrEqual(typeable);
});
