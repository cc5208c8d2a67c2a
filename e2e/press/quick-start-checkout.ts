/**
 * A checkout page as a merchant writes it from the quick start, and a merchant's own test that fills it in, without our
 * fixtures and waits. Anything the test puts around the form belongs to the page.
 */
import { expect, type Page } from 'playwright/test';

/** The specifics of the page. */
export type Surroundings = {
  /** Styles of the page. */
  css?: string;
  /** Markup before the form, and after it. */
  before?: string;
  after?: string;
  /** The style of the element around the form. */
  around?: string;
};

type Shop = { url: string; keys: { publishable: string } };

/** `clientSecret`: empty if the test mounts the form itself. */
export const quickStartPage = (
  { url, keys }: Shop,
  clientSecret: string,
  { css = '', before = '', after = '', around = '' }: Surroundings = {},
): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Checkout</title>
    <style>body { margin: 0 auto; max-width: 640px; padding: 24px; font-family: sans-serif } ${css}</style>
    <script src="${url}/partner/v1/card-form.js"></script>
  </head>
  <body>
    ${before}
    <h1>Checkout</h1>
    <p>Your order is shipped tomorrow.</p>
    <div style="${around}"><div id="payment"></div></div>
    ${after}
    <p id="outcome"></p>
    <script>
      window.errors = [];
      window.pay = (clientSecret, defaultValues) => {
        window.form = CardForm.mount('#payment', { publishableKey: '${keys.publishable}', clientSecret, defaultValues });
        form.on('error', (error) => errors.push(error.code));
        form.result.then(({ outcome }) => { document.querySelector('#outcome').textContent = outcome; });
      };
      ${clientSecret ? `pay('${clientSecret}');` : ''}
    </script>
  </body>
</html>`;

declare global {
  interface Window {
    /** Error codes that the page received. */
    errors: string[];
    form: {
      unmount(): void;
      submit(): void;
      refresh(): Promise<object>;
      diagnostics(): object;
      on(name: string, handler: () => void): void;
    };
    /** Mounts a form. */
    pay(clientSecret: string, defaultValues: object): void;
  }
}

/** The form as a merchant's test finds it: by labels and roles. */
export const quickStartForm = (page: Page) => {
  const frame = page.frameLocator('#payment iframe');
  const pay = frame.getByRole('button', { name: /^Pay/ });
  return {
    frame,
    pay,

    /** Fills in the card by `fill()`, in a form that has the buyer's details. */
    async fillCard() {
      await frame.getByLabel('Card number').fill('4242424242424242');
      await frame.getByLabel('Expiry date').fill('12/34');
      await frame.getByLabel('Security code').fill('123');
    },

    /** Moves the focus away and back by keys: after a script's focus, the first Enter only leads to the button. */
    async focusByKeys() {
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Tab');
    },

    /**
     * Presses until the answer is something other than "too soon", which a busy machine may cause. Resolves with
     * `succeeded` or the error that the page received. Each press waits for the answer to the previous one.
     */
    async pressed(press = () => page.keyboard.press('Enter')): Promise<string> {
      for (;;) {
        await page.evaluate(() => {
          window.errors = [];
        });
        await press();
        const answer = await page.waitForFunction(() => {
          // 'unknown' is the outcome of a form that was unmounted.
          const outcome = document.querySelector('#outcome')?.textContent?.replace('unknown', '');
          return outcome || window.errors.at(-1);
        });
        const became = String(await answer.jsonValue());
        if (became !== 'too_soon') return became;
      }
    },

    /** Fills in all fields by `fill()`, one right after the other. */
    async fill() {
      await this.fillCard();
      await frame.getByLabel('Name on card').fill('Ada Lovelace');
      await frame.getByLabel('Email').fill('ada@example.com');
      await frame.getByLabel('Address', { exact: true }).fill('12 Orchard Lane');
      await frame.getByLabel('City').fill('Portland');
      await frame.getByLabel('State').selectOption('OR');
      await frame.getByLabel('ZIP code').fill('97205');
    },

    /** Does the same with mouse and keyboard. */
    async type() {
      const typed = {
        'Card number': '4242424242424242',
        'Expiry date': '1234',
        'Security code': '123',
        'Name on card': 'Ada Lovelace',
        Email: 'ada@example.com',
        Address: '12 Orchard Lane',
        City: 'Portland',
        'ZIP code': '97205',
      };
      await frame.getByLabel('State').selectOption('OR');
      for (const [label, text] of Object.entries(typed)) {
        const field = frame.getByLabel(label, { exact: true });
        // Chromium sometimes sends a click to where the field was before the page scrolled or changed the frame's width
        // (17 of 400 on a busy machine). A buyer sees no caret and clicks again.
        await expect(async () => {
          await field.click();
          await expect(field).toBeFocused({ timeout: 1000 });
        }).toPass();
        await page.keyboard.type(text);
      }
    },

    /**
     * Expects the page to receive `succeeded`; otherwise the error contains the form's own record and the text that the
     * buyer reads.
     */
    async isPaid(what?: string) {
      try {
        await expect(page.locator('#outcome'), what).toHaveText('succeeded');
      } catch (cause) {
        const text = await frame.locator('body').innerText().catch(String);
        const record = await page.evaluate(() => window.form.diagnostics()).catch(String);
        throw new Error(`${what ?? ''} was not paid.\n${JSON.stringify(record)}\n${text}`, { cause });
      }
    },
  };
};
