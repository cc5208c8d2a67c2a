/** That the bench measures, and what the form promises whatever the machine (product 7). The figures are `npm run bench`'s. */
import { expect, test } from 'playwright/test';
import { type Contestant, cardForm, floor, openShop } from './contestants.ts';
import { countCycles, cyclists } from './cycles.ts';
import { type BenchServer, startServer } from './server.ts';
import { CONDITIONS, openPage, visit } from './visit.ts';

test.describe.configure({ mode: 'serial', timeout: 120_000 });

const [atOnce] = CONDITIONS;
let server: BenchServer;

test.beforeAll(async () => {
  server = await startServer();
  openShop(server);
});
test.afterAll(() => server.stop());

const measure = async (contestant: Contestant) => {
  if (!atOnce) throw new Error('There is no condition.');
  return (await visit(server, contestant, atOnce)).measured;
};

for (const [name, early] of [
  ['its loader alone', false],
  ['the iframe in the HTML', true],
] as const) {
  test(`with ${name}: at most 4 requests before paying, nothing moves on the page, keys are told to nobody`, async () => {
    const form = await measure(await cardForm(server, `smoke ${name}`, { early }));
    const { typeable, payable, requestsToPayable, connections, bytes, pageShift, keyP50 } = form;
    expect(typeable).toBeGreaterThan(0);
    expect(payable).toBeGreaterThanOrEqual(typeable);
    expect(keyP50).toBeGreaterThan(0);
    expect(connections).toBeGreaterThanOrEqual(2);
    expect(bytes).toBeGreaterThan(10_000);
    expect(requestsToPayable).toBeLessThanOrEqual(4);
    expect(pageShift).toBe(0);
    // A change of the whole form is told once, when the number is complete; 16 keys would be more.
    expect(form.pageScriptPerKey).toBeLessThan(0.5);
  });
}

test('2 requests are enough to type: the script and the frame, while nothing else is answered', async () => {
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

test('the floor has no script of its own, and one request', async () => {
  const { requests, pageScriptPerKey, typeable, payable } = await measure(floor(server));
  expect(requests).toBe(1);
  expect(pageScriptPerKey).toBe(0);
  expect(payable).toBeGreaterThanOrEqual(typeable);
});

test('10 cycles of mount and unmount leave no document, frame or listener', async () => {
  const { loader } = await cyclists(server);
  const { listeners, documents, frames, each } = await countCycles(server, loader, 10);
  expect({ listeners, documents, frames }).toEqual({ listeners: 0, documents: 0, frames: 0 });
  expect(each).toBeGreaterThan(0);
});
