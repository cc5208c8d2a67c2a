/**
 * docs/apps.md: the page for WebViews, with a stand-in for each bridge, and the schemes of apps in the frame's policy.
 */
import { checkoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import type { ForeignSite } from '../support/foreign-site.ts';
import type { Service } from '../support/service.ts';
import { block } from './docs.ts';

const serveApp = (site: ForeignSite, service: Service, clientSecret: string) =>
  site.put(
    '/app',
    block('apps: Your page on your server: html')
      .replaceAll('https://pay.example', service.url)
      .replace('pk_live_…', service.keys.publishable)
      .replace('lg_cs_…', clientSecret),
  );

/** Each kind of app's bridge, as a name on the page. */
const BRIDGES = {
  'React Native': 'ReactNativeWebView',
  'Flutter and Android': 'CardFormApp',
  iOS: 'webkit.messageHandlers.CardFormApp',
};

test('apps: the documented page tells each kind of app that the form is ready and how the payment ended', {
  tag: '@thorough',
}, async ({ context, service, site }) => {
  const intent = await service.createIntent();
  const address = serveApp(site, service, intent.client_secret);
  const ended = { event: 'result', outcome: 'succeeded', id: intent.id };
  for (const [app, place] of Object.entries(BRIDGES)) {
    const page = await context.newPage();
    const told: unknown[] = [];
    await page.exposeFunction('tell', (text: string) => told.push(JSON.parse(text)));
    await page.addInitScript((path) => {
      const names = path.split('.');
      const last = names.pop() ?? '';
      let at: object = window;
      for (const name of names) {
        const next = {};
        Reflect.set(at, name, next);
        at = next;
      }
      Reflect.set(at, last, { postMessage: (text: string) => Reflect.get(window, 'tell')(text) });
    }, place);
    await page.goto(address);
    const checkout = checkoutPage(page);
    // The others learn of the payment when they open.
    if (app === 'React Native') {
      await checkout.fill();
      await checkout.pay();
    }
    await expect.poll(() => told, app).toEqual([{ event: 'ready' }, ended]);
    await page.close();
  }
});

test('apps: HTML without a base URL has no origin, and the app receives opaque_parent', {
  tag: '@thorough',
}, async ({ page, service, site }) => {
  const intent = await service.createIntent();
  const inner = serveApp(site, service, intent.client_secret);
  const told: string[] = [];
  await page.exposeFunction('tell', (text: string) => told.push(text));
  await page.addInitScript(() => {
    addEventListener('message', ({ data }) => Reflect.get(window, 'tell')?.(data));
    if (parent !== window)
      Reflect.set(window, 'ReactNativeWebView', {
        postMessage: (text: string) => parent.postMessage(text, '*'),
      });
  });
  await page.goto(
    site.put(
      '/',
      `<!doctype html><title>App</title><iframe sandbox="allow-scripts" src="${inner}"></iframe>`,
    ),
  );
  await expect.poll(() => told).toContain(JSON.stringify({ event: 'loaderror', reason: 'opaque_parent' }));
});

test.describe('with --app-schemes', { tag: '@thorough' }, () => {
  test.use({ sandboxOptions: { appSchemes: ['capacitor', 'tauri'] } });

  test('apps: documents of the sandbox allow the schemes that it was started with, and no others', async ({
    service,
  }) => {
    const { headers } = await fetch(`${service.url}/partner/v1/card-form/frame`);
    expect(headers.get('content-security-policy')).toMatch(
      /; frame-ancestors https: http:\/\/localhost:\* http:\/\/127\.0\.0\.1:\* capacitor: tauri:;/,
    );
  });
});
