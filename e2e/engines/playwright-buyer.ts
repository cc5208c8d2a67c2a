/** A buyer in an engine that Playwright drives. */
import type { Page } from 'playwright/test';
import { contentOf } from '../press/attacks.ts';
import { checkoutPage, LABEL } from '../support/checkout-page.ts';
import type { Buyer } from './buyer.ts';

export const playwrightBuyer = (page: Page): Buyer => {
  const checkout = checkoutPage(page);
  const { frame, field } = checkout;
  let sent = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/confirm')) sent += 1;
  });
  /** The text of the only matching element, or null. */
  const words = async (of: typeof checkout.notice): Promise<string | null> =>
    // A frame that is being replaced has none for a moment.
    (await of.allInnerTexts().catch(() => []))[0] ?? null;

  return {
    async open(url) {
      await page.goto(url);
    },
    async visit(url) {
      await page.goto(url);
    },
    async reload() {
      await page.reload();
    },

    click: (name) => field(name).click(),
    async type(name, text) {
      await field(name).click();
      await field(name).press('ControlOrMeta+a');
      await field(name).pressSequentially(text);
    },
    async choose(name, value) {
      await field(name).selectOption(value);
    },
    value: async (name) => ((await field(name).count()) === 1 ? field(name).inputValue() : null),

    async begin() {
      await page.getByRole('heading', { name: 'Checkout' }).click();
    },
    press: (key) => page.keyboard.press(key),
    hold: (held, key) => page.keyboard.press(`${held === 'Control' ? 'ControlOrMeta' : held}+${key}`),
    write: (text) => page.keyboard.type(text),
    async focused() {
      for (const name of Object.values(LABEL)) {
        const here = frame.getByLabel(name, { exact: true }).and(frame.locator(':focus'));
        if ((await here.count()) === 1) return name;
      }
      return words(frame.locator(':focus'));
    },

    async mouse({ x, y }, times, to) {
      const { mouse } = page;
      await mouse.move(x, y);
      for (let clickCount = 1; clickCount <= times; clickCount += 1) {
        await mouse.down({ clickCount });
        if (to) await mouse.move(to.x, to.y, { steps: 4 });
        await mouse.up({ clickCount });
      }
    },
    canDoubleClick: page.context().browser()?.browserType().name() !== 'firefox',
    tap: ({ x, y }) => page.touchscreen.tap(x, y),

    pay: checkout.pay,

    button: () => words(checkout.button),
    total: () => words(checkout.total),
    notice: () => words(checkout.notice),
    outcome: () => words(checkout.outcome),
    sent: async () => sent,
    events: checkout.events,

    inPage: async (act, given) => page.evaluate(`(${act})(${JSON.stringify(given)})`),
    async inForm(act, given) {
      const root = await frame.locator(':root').elementHandle();
      const document = await root?.ownerFrame();
      return document?.evaluate(`(${act})(${JSON.stringify(given)})`);
    },
    canPay: async () => (await frame.locator('button.pay:not([aria-disabled], [data-early])').count()) === 1,
    async place(selector) {
      const place = await frame.locator(selector).evaluate((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return { x, y, width, height };
      });
      const { x, y } = await page.evaluate(contentOf, '#card-form iframe');
      return { ...place, x: x + place.x, y: y + place.y };
    },
  };
};
