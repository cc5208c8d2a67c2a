/**
 * How long a press waits for the check of what covers the amount, on a page of 6,000 elements with the CPU slowed down
 * 4×. Compared with a pass of `getBoundingClientRect` over the same elements in the same run, so that a busy machine is
 * visible. `npm run bench:look` prints the medians. Acceptable values depend on the machine, so only the command is
 * tested.
 */

import { quickStartForm, quickStartPage } from '../press/quick-start-checkout.ts';
import { KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { median } from './statistics.ts';

const ELEMENTS = 6000;
const PRESSES = Number(process.env.LOOKS || 3);
const SLOWER = 4;

/** A product in a list, as six elements, as shops write them: a card with a shadow, a picture, a link, and text. */
const PRODUCT =
  '<article class="product"><div class="picture"></div><h3><a href="#">Mug</a></h3><p>From <b>Portland</b></p></article>';

const PRODUCT_CSS = `
  .products { display: grid; grid-template-columns: repeat(4, 1fr); gap: 8px }
  .product { position: relative; box-shadow: 0 1px 3px #0003; border-radius: 8px; transition: transform .2s }
  .product:hover { transform: translateY(-2px) }
  .product::before { content: "New"; position: absolute; right: 4px; top: 4px; font-size: 10px }
  .picture { height: 40px; background: #eee; overflow: hidden }`;

declare global {
  interface Window {
    /** The duration of each look, in ms. */
    looks: number[];
  }
}

/** Measures each task that a question about covers starts: the page's script answers in the same task. */
const measureLooks = () => {
  window.looks = [];
  const { set, ...rest } = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage') ?? {};
  Object.defineProperty(MessagePort.prototype, 'onmessage', {
    ...rest,
    set(this: MessagePort, handler: ((event: MessageEvent) => void) | null) {
      set?.call(this, (event: MessageEvent) => {
        if (event.data?.type === 'covers') {
          const start = performance.now();
          const { port1, port2 } = new MessageChannel();
          port1.addEventListener('message', () => {
            window.looks.push(performance.now() - start);
            port1.close();
          });
          port1.start();
          port2.postMessage(null);
        }
        handler?.call(this, event);
      });
    },
  });
};

test('measures the look at a press on a page of 6,000 elements', async ({ page, service, site }, {
  annotations,
}) => {
  await page.addInitScript(measureLooks);
  const products = `<div class="products">${PRODUCT.repeat(ELEMENTS / 6)}</div>`;
  await page.goto(site.put('/checkout', quickStartPage(service, '', { css: PRODUCT_CSS, after: products })));
  const form = quickStartForm(page);
  const session = await page.context().newCDPSession(page);
  const looks: number[] = [];
  const passes: number[] = [];
  const refused: string[] = [];
  for (let press = 0; press < PRESSES; press += 1) {
    const intent = await service.createIntent();
    await page.evaluate(
      ([secret, known]) => {
        window.form?.unmount();
        document.querySelector('#outcome')?.replaceChildren();
        window.pay(secret, known);
      },
      [intent.client_secret, KNOWN_BUYER] as const,
    );
    await form.frame.getByLabel('Card number').fill('4242424242424242');
    await form.frame.getByLabel('Expiry date').fill('12/34');
    await form.frame.getByLabel('Security code').fill('123');
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await page.evaluate(() => {
      window.looks = [];
      window.errors = [];
    });
    // By keyboard, because a focus set by the page has to rest first.
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    // A press that is refused immediately, for example before the total is there, needs no look.
    await expect(async () => {
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate(() => window.looks.length), { timeout: 3000 }).toBeGreaterThan(0);
    }).toPass({ timeout: 20_000 });
    looks.push(...(await page.evaluate(() => window.looks)));
    passes.push(
      await page.evaluate(() => {
        document.body.style.paddingTop = `${Math.random()}px`; // invalidates all layout, as at a look
        const start = performance.now();
        for (const element of document.querySelectorAll('*')) element.getBoundingClientRect();
        return performance.now() - start;
      }),
    );
    refused.push(...(await page.evaluate(() => window.errors)));
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  }
  const said = `a look ${median(looks).toFixed(0)} ms; all boxes ${median(passes).toFixed(0)} ms (medians of ${PRESSES}, ${ELEMENTS} elements, CPU ${SLOWER}× slower); refused: ${refused.join(', ') || 'none'}`;
  console.info(said);
  annotations.push({ type: 'figure', description: said });
  expect(looks.length).toBeGreaterThanOrEqual(PRESSES);
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeGreaterThan(ELEMENTS);
});
