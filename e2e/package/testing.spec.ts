/**
 * A shop's own end-to-end tests, as its developer writes them: with and without the package's helpers, on pages outside
 * this project's fixtures. `PRESS_RUNS` sets the number of tries.
 */
import { readdir, readFile } from 'node:fs/promises';
import { block } from '../developer/docs.ts';
import { quickStartForm, quickStartPage, type Surroundings } from '../press/quick-start-checkout.ts';
import { fillCardForm, payCardForm } from '../support/built-modules.mjs';
import { expect, test } from '../support/fixtures.ts';
import { type ForeignSite, startForeignSite } from '../support/foreign-site.ts';
import type { Service } from '../support/service.ts';

const RUNS = Number(process.env.PRESS_RUNS || 1);
const root = new URL('../../', import.meta.url);

/** Common surroundings of a form in shops. */
const STICKY_HEADER: Surroundings = {
  before:
    '<header style="position:sticky;top:0;height:96px;background:#fff;z-index:5">Shop</header><div style="height:500px"></div>',
};
const BUBBLE_AND_BAR: Surroundings = {
  after:
    '<button style="position:fixed;right:24px;bottom:90px;width:64px;height:64px;z-index:9">Chat</button><div style="position:fixed;left:0;right:0;bottom:0;height:72px;background:#222;z-index:9">Cookies</div>',
};

test('promises 7.6: payCardForm, and fillCardForm with a plain click, pay at the first attempt', async ({
  page,
  service,
  site,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  for (let run = 0; run < RUNS; run += 1) {
    for (const [what, surroundings, how] of [
      ['nothing', {}, payCardForm],
      ['a sticky header', STICKY_HEADER, fillCardForm],
      ['a chat bubble and a cookie bar', BUBBLE_AND_BAR, payCardForm],
      ['a chat bubble and a cookie bar', BUBBLE_AND_BAR, fillCardForm],
    ] as const) {
      await test.step(`run ${run}, ${how.name}, with ${what} around the form`, async () => {
        const intent = await service.createIntent();
        await page.goto(site.put('/checkout', quickStartPage(service, intent.client_secret, surroundings)));
        const form = quickStartForm(page);
        await how(page, {});
        if (how === fillCardForm) await form.pay.click();
        await form.isPaid();
        expect(await page.evaluate(() => window.errors)).toEqual([]);
        expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
      });
    }
  }
});

test.describe("'./testing/cypress'", { tag: '@thorough' }, () => {
  /**
   * A page like Cypress's runner: the shop in a scaled frame, `Cypress` and `cy` as far as the commands use them, and
   * the same DevTools protocol. `shop` is the markup, `page` the expression for the shop's document.
   */
  const runnerPage = (shop: string, page: string) => `<!doctype html><title>Runner</title>
    <style>body > iframe { width: 1000px; height: 660px; margin: 40px 70px; border: 3px solid; transform: scale(.6); transform-origin: 0 0 }</style>
    ${shop}
    <script>
      window.commands = {};
      window.Cypress = {
        Commands: { add: (name, command) => { commands[name] = command } },
        automation: (_, message) => sendCommand(message),
      };
      window.cy = { document: () => ({ then: (_, run) => run(${page}) }) };
    </script>
    <script type="module" src="/cypress.js"></script>`;

  const putCommands = async (site: ForeignSite) => {
    const folder = new URL('dist/package/', root);
    for (const file of await readdir(folder)) {
      if (!file.endsWith('.js')) continue; // the build decides what cypress.js imports
      site.put(`/${file}`, { body: await readFile(new URL(file, folder), 'utf8'), type: 'text/javascript' });
    }
  };

  test('cy.payCardForm: declined, then paid, with a chat bubble and a cookie bar around the form', async ({
    playwright,
    service,
    site,
  }, testInfo) => {
    const { launchOptions = {} } = testInfo.project.use;
    const browser = await playwright.chromium.launch({
      ...launchOptions,
      args: [
        ...(launchOptions.args ?? []),
        '--disable-web-security',
        '--disable-site-isolation-trials',
        '--disable-features=IsolateOrigins,site-per-process',
      ],
    });
    const shop = await startForeignSite('127.0.0.1');
    try {
      await putCommands(site);
      const page = await browser.newPage({ viewport: { width: 1100, height: 700 } });
      const protocol = await page.context().newCDPSession(page);
      await page.exposeFunction('sendCommand', (message: { command: string; params: object }) =>
        Reflect.apply(protocol.send, protocol, [message.command, message.params]),
      );
      const runner = site.put(
        '/runner',
        runnerPage('<iframe></iframe>', "document.querySelector('iframe').contentDocument"),
      );
      for (let run = 0; run < RUNS; run += 1) {
        const intent = await service.createIntent();
        const url = shop.put('/checkout', quickStartPage(service, intent.client_secret, BUBBLE_AND_BAR));
        await page.goto(runner);
        await page.evaluate((src) => {
          const frame = document.querySelector('iframe');
          if (frame) frame.src = src;
          return new Promise((resolve) => frame?.addEventListener('load', resolve, { once: true }));
        }, url);
        const pay = (entries: object) =>
          page.evaluate((given) => window.commands.payCardForm?.(given), entries);
        const frame = page.frameLocator('iframe');
        await pay({ number: '4000000000000002', name: 'Grace Hopper' });
        await expect(frame.frameLocator('iframe').getByRole('status')).toContainText('declined');
        await pay({ number: '4242424242424242' });
        await expect(frame.locator('#outcome')).toHaveText('succeeded');
        expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 2 });
      }
    } finally {
      await shop.stop();
      await browser.close();
    }
  });

  test('testing, With Cypress: the documented commands exist, and say what to set if the form cannot be reached', async ({
    page,
    service,
    site,
  }) => {
    await putCommands(site);
    const { client_secret } = await service.createIntent();
    await page.goto(site.put('/runner', runnerPage(quickStartPage(service, client_secret), 'document')));
    await page.frameLocator('iframe').getByLabel('Card number').waitFor();
    const told = await page.evaluate(() =>
      Promise.resolve(window.commands.payCardForm?.({})).then(String, String),
    );
    expect(told).toContain('chromeWebSecurity: false');
    const commands = await page.evaluate(() => Object.keys(window.commands));
    const used = [...block('testing: With Cypress: js').matchAll(/cy\.(\w+CardForm)/g)].map(
      ([, name]) => name,
    );
    expect(used).toEqual(['payCardForm', 'payCardForm']);
    expect(commands).toEqual(['fillCardForm', 'payCardForm']);
  });
});

/** A shop as the documented tests expect it. */
const shopPage = (service: Service, clientSecret: string) => `<!doctype html>
  <html lang="en"><title>Checkout</title><meta name="viewport" content="width=device-width">
  <header style="position:sticky;top:0;height:80px;background:#fff">Shop</header>
  <h1>Checkout</h1><div id="card-form"></div>
  <script src="${service.url}/partner/v1/card-form.js"></script>
  <script>
    const form = CardForm.mount('#card-form', {
      publishableKey: '${service.keys.publishable}',
      clientSecret: '${clientSecret}',
      appearance: { variables: { fontFamily: 'Inter' } },
    });
    form.result.then(({ outcome }) => {
      if (outcome === 'succeeded') document.querySelector('h1').textContent = 'Thank you';
    });
  </script></html>`;

/** The body of the documented test, with the address of the shop. */
const bodyOf = (name: string, url: string): string => {
  const [, body = ''] = /async \(\{ page \}\) => \{\n([\s\S]*)\n\}\);/.exec(block(name)) ?? [];
  return body.replace('http://localhost:5173/checkout', url);
};

const AsyncFunction: FunctionConstructor = Object.getPrototypeOf(async () => undefined).constructor;

test('promises 7.6: the documented test without a helper pays at the first attempt', async ({
  page,
  service,
  site,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  for (let run = 0; run < RUNS; run += 1) {
    const intent = await service.createIntent();
    const url = site.put('/checkout', shopPage(service, intent.client_secret));
    await new AsyncFunction('page', 'expect', bodyOf('testing: With Playwright: ts', url))(page, expect);
    expect(await service.record(intent.id), `run ${run}`).toMatchObject({ charges: 1, confirms: 1 });
  }
});

test(
  'testing, Screenshots: the documented picture is the same every time',
  { tag: '@thorough' },
  async ({ page, service, site }, testInfo) => {
    const { client_secret } = await service.createIntent();
    const url = site.put('/checkout', shopPage(service, client_secret));
    const [wait = '', given = ''] = bodyOf('testing: Screenshots: ts', url).split(
      /await expect\(page\.locator\('#card-form'\)\)\.toHaveScreenshot\((.*)\);/,
    );
    const options: object = new Function(`return ${given}`)();
    expect(options).toEqual({ animations: 'disabled', caret: 'hide' });
    const pictures: string[] = [];
    for (let run = 0; run < 2; run += 1) {
      await new AsyncFunction('page', 'expect', wait)(page, expect);
      const form = page.frameLocator('#card-form iframe');
      await form.getByLabel('Card number').click(); // the caret blinks
      await form.locator('body').evaluate(() => document.fonts.ready.then(() => undefined));
      const path = testInfo.outputPath(`${run}.png`); // for inspection if they differ
      const picture = await page.locator('#card-form').screenshot({ ...options, path });
      pictures.push(`data:image/png;base64,${picture.toString('base64')}`);
    }
    const difference = await page.evaluate(async (pictures) => {
      const [one, other] = await Promise.all(
        pictures.map(async (url) => {
          const image = await createImageBitmap(await (await fetch(url)).blob());
          const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
          context?.drawImage(image, 0, 0);
          return context?.getImageData(0, 0, image.width, image.height).data;
        }),
      );
      if (one?.length !== other?.length) return Number.POSITIVE_INFINITY;
      return one?.reduce((most, value, at) => Math.max(most, Math.abs(value - (other?.[at] ?? 0))), 0);
    }, pictures);
    // The browser sometimes rounds the colour at a corner's edge differently; a comparison of pictures allows for more.
    expect(difference).toBeLessThanOrEqual(2);
  },
);

declare global {
  interface Window {
    commands: Readonly<Record<string, (entries: object) => unknown>>;
  }
}
