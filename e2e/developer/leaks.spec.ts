import type { Page } from 'playwright/test';
import { expect, test } from '../support/fixtures.ts';
import type { Intent, Service } from '../support/service.ts';
import { type HeldResources, heldResources, trackResources } from './held-resources.ts';

test.use({ knownBuyer: true, sandboxOptions: { clientRateLimit: 1_000_000 } });

/** `npm run test:leaks` runs a thousand of each. */
const AT_ONCE = Number(process.env.LEAK_CYCLES ?? 200);
const READY = Number(process.env.LEAK_CYCLES ?? 25);
const MEGABYTE = 1_000_000;

/** Mounts and unmounts a form `times` times, at once or when the buyer can type. */
const cycle = (page: Page, service: Service, intent: Intent, times: number, until: 'at once' | 'ready') =>
  page.evaluate(
    async ({ options, times, until }) => {
      for (let i = 0; i < times; i += 1) {
        const form = window.CardForm?.mount('#card-form', { ...options, addressLookup: async () => [] });
        if (!form) throw new Error('there is no CardForm');
        window.counted.made.push(new WeakRef(form));
        form.on('result', () => {});
        const stop = form.on('change', () => {});
        if (until === 'ready') await form.ready;
        else if (i % 20 === 19) await new Promise((resolve) => setTimeout(resolve));
        stop();
        form.unmount();
      }
    },
    {
      options: { publishableKey: service.keys.publishable, clientSecret: intent.client_secret, locale: 'en' },
      times,
      until,
    },
  );

const expectNothingLeft = (before: HeldResources, after: HeldResources, most: number) => {
  const { heap, ...counted } = after;
  expect(counted).toEqual({
    nodes: expect.any(Number),
    documents: before.documents,
    frames: before.frames,
    listeners: before.listeners,
    timers: 0,
    alive: 0,
  });
  expect(after.nodes - before.nodes).toBeLessThanOrEqual(0);
  expect(heap - before.heap).toBeLessThan(most);
};

for (const [until, times, warmUp, most] of [
  ['at once', AT_ONCE, 50, (AT_ONCE / 1000) * MEGABYTE],
  ['ready', READY, 5, MEGABYTE],
] as const) {
  test(`threat-model C62: ${times} cycles of mount and unmount (${until}) leave nothing behind but less than ${most / 1000} kB`, {
    tag: '@thorough',
  }, async ({ merchant, page, service }) => {
    const intent = await service.createIntent();
    await trackResources(page);
    await page.goto(merchant.serve({}));
    await cycle(page, service, intent, warmUp, until);
    const before = await heldResources(page);
    await cycle(page, service, intent, times, until);
    const after = await heldResources(page);
    console.log(
      `\n${times} cycles, ${until}: ${after.heap - before.heap} bytes; left: ${JSON.stringify(after)}`,
    );
    expectNothingLeft(before, after, most);
  });
}
