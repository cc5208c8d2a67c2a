/** A5 and A7: pages that use the public interface against the buyer, served entirely from a foreign site. */
import type { Page } from 'playwright/test';
import { checkoutPage } from '../support/checkout-page.ts';
import { test as base, expect } from '../support/fixtures.ts';
import { startForeignSite } from '../support/foreign-site.ts';
import type { Intent } from '../support/service.ts';

/** Returns the address of a page that mounts a form for this intent, as `form`, and then runs `attack`. */
type Foreign = (intent: Intent, attack: string, options?: object) => string;

const test = base.extend<{ foreign: Foreign }>({
  foreign: async ({ service }, use) => {
    const site = await startForeignSite();
    await use(({ client_secret }, attack, options = {}) =>
      site.put(
        '/',
        `<!doctype html><title>Checkout</title><h1>Checkout</h1><div id="card-form"></div>
        <script src="${service.url}/partner/v1/card-form.js"></script>
        <script>
          const form = CardForm.mount('#card-form', ${JSON.stringify({
            publishableKey: service.keys.publishable,
            clientSecret: client_secret,
            locale: 'en',
            ...options,
          })});
          ${attack}
        </script>`,
      ),
    );
    await site.stop();
  },
});

test("threat-model 2.7 and C39: whatever the page's words, the amount is on the button unaltered and alone in a line of ours", async ({
  page,
  service,
  foreign,
}) => {
  await page.goto(foreign(await service.createIntent(), ''));
  const { frame } = checkoutPage(page);
  const own = frame.getByRole('button', { name: 'Pay $58.04', exact: true });
  await expect(own.locator('[data-amount]')).toHaveText('$58.04');
  const lines = await own.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element.querySelector('[data-amount]')?.parentElement ?? element);
    return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
  });
  expect(lines, "the form's own words have it in one line with them").toBe(1);

  for (const [what, pay, locale, name, amount] of [
    ['a trial', 'Start your free trial (then {amount} a year)', 'en', /^Start .* \$58\.04$/, '$58.04'],
    ['nothing else', '{amount}', 'en', '$58.04', '$58.04'],
    ['three hundred letters', `${'So good '.repeat(36)}{amount}`, 'en', /^So good .* \$58\.04$/, '$58.04'],
    ['words from right to left', 'تبرّع {amount} الآن', 'ar', /^تبرّع الآن /, /58[.,]04/],
  ] as const) {
    await test.step(what, async () => {
      await page.goto(foreign(await service.createIntent(), '', { translations: { pay }, locale }));
      const button = frame.getByRole('button', { name });
      await expect(button).toBeVisible();
      const shown = button.locator('[data-amount]');
      await expect(shown).toHaveText(amount);
      // On its own line: no letter of another element is at its height.
      const isAlone = await shown.evaluate((element) => {
        const own = element.getBoundingClientRect();
        const walker = document.createTreeWalker(element.closest('button') ?? element, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          if (element.contains(node) || !node.nodeValue?.trim()) continue;
          const range = document.createRange();
          range.selectNodeContents(node);
          for (const line of range.getClientRects())
            if (line.bottom > own.top + 1 && line.top < own.bottom - 1) return false;
        }
        return own.width > 0;
      });
      expect(isAlone).toBe(true);
      const total = frame.locator('.total [data-amount]');
      expect(await shown.textContent()).toBe(await total.textContent());
    });
  }
});

/** Records the events of these names that the page receives, in order. */
const LISTEN = `
  const heard = window.heard = [];
  for (const name of ['focus', 'blur', 'warning'])
    form.on(name, ({ field, about }) => heard.push(name + ' ' + (field ?? about)));
  const trap = document.body.appendChild(document.createElement('input'));
  trap.id = 'trap';
  trap.style.cssText = 'position: fixed; opacity: 0';
`;
const heard = (page: Page) => page.evaluate<string[]>('heard');

const NOTICE = /^The page took the keyboard away while you were typing/;

test.describe('threat-model 2.5: a page that took the keyboard from a card field cannot return it to one by focus()', () => {
  test('if on our focus event it focuses its own input, collects the digits and calls focus("number"), the buyer stays where the digits went, sees the form empty, and is warned', async ({
    page,
    service,
    foreign,
  }) => {
    const steal = `
      form.on('focus', () => { if (trap.value === '') trap.focus(); });
      trap.oninput = () => { if (trap.value.length === 16) form.focus('number'); };`;
    await page.goto(foreign(await service.createIntent(), LISTEN + steal));
    const { field, notice, ready } = checkoutPage(page);
    await ready();
    await field('number').hover();
    await page.mouse.down();
    await expect(page.locator('#trap')).toBeFocused(); // a frame cannot prevent this
    await page.mouse.up(); // releasing the button does not count as a later action of the buyer
    await page.keyboard.type('4242424242424242');
    await expect.poll(() => heard(page)).toContain('warning focus');
    await page.keyboard.type('12');
    await expect(page.locator('#trap')).toHaveValue('424242424242424212');
    await expect(field('number')).toHaveValue('');
    await expect(notice).not.toContainText(NOTICE);

    await field('number').click();
    await expect(notice).toHaveText(NOTICE);
    await expect(notice).toBeInViewport();
    await page.keyboard.type('4242 4242 4242 4242 12/34');
    await expect(field('expiry')).toHaveValue('12 / 34');
    await page.evaluate("form.focus('expiry')");
    await expect(field('expiry')).toBeFocused();
    // Moving from the number to the security code is one visit to the card.
    expect(await heard(page)).toEqual(['focus card', 'blur card', 'warning focus', 'focus card']);
  });

  test('it does not learn when the focus moves from one card field to the next: nothing is sent to it', {
    tag: '@thorough',
  }, async ({ page, service, foreign, time }) => {
    // In the page's own realm, where the loader runs: every answer to a question passes here.
    await page.addInitScript(() => {
      if (window !== window.top) return;
      const asked: string[] = [];
      Object.assign(window, { asked });
      const { postMessage } = MessagePort.prototype;
      MessagePort.prototype.postMessage = function (this: MessagePort, message: { type: string } | null) {
        if (message) asked.push(message.type);
        postMessage.call(this, message);
      };
    });
    const asked = () => page.evaluate<string[]>('asked.splice(0)');
    await page.goto(foreign(await service.createIntent(), LISTEN));
    const { field, ready } = checkoutPage(page);
    await ready();
    await field('number').click();
    await expect.poll(asked).toContain('covers');
    await page.keyboard.type('4242');
    await time.pass(1); // the guard asks at most once every half second
    await asked();
    await page.keyboard.press('Tab');
    await expect(field('expiry')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(field('code')).toBeFocused();
    await page.evaluate('form.validate()'); // everything sent before its answer has arrived
    expect(await asked()).toEqual(['validate']);
  });

  test('whichever other way it took the keyboard', { tag: '@thorough' }, async ({
    page,
    service,
    foreign,
  }) => {
    for (const [way, take] of [
      ['another input', 'trap.focus()'],
      ['blur()', 'form.blur(); trap.focus()'],
      [
        'a frame not displayed for a moment',
        "iframe.style.display = 'none'; trap.focus(); setTimeout(() => iframe.style.display = '')",
      ],
      ['an inert frame', 'iframe.inert = true; trap.focus(); iframe.inert = false'],
      ['a modal dialog', 'dialog.append(trap); dialog.showModal()'],
      ['its window', 'window.focus()'],
      ['a detour by a field that is not of the card', "trap.focus(); form.focus('email')"],
      ['way of a field that is not of the card', "form.focus('email'); setTimeout(() => trap.focus(), 100)"],
      ['a key that the frame gets and no field', 'trap.focus(); setTimeout(() => iframe.focus(), 100)'],
    ] as const) {
      await test.step(way, async () => {
        await page.goto(
          foreign(
            await service.createIntent(),
            `${LISTEN} const dialog = document.body.appendChild(document.createElement('dialog'));
          const take = () => { const iframe = document.querySelector('iframe'); ${take}; };`,
          ),
        );
        const { field, notice, ready } = checkoutPage(page);
        await ready();
        await field('number').click();
        await page.keyboard.type('4242');
        await page.evaluate('take()');
        await expect(field('number')).not.toBeFocused();
        if (way.startsWith('a key')) {
          await expect(page.locator('iframe')).toBeFocused();
          await page.keyboard.type('4');
        }
        await page.evaluate("form.focus('number'); form.focus('cvc'); form.focus()");
        await expect.poll(() => heard(page)).toContain('warning focus');
        await expect(field('number')).not.toBeFocused();
        await expect(field('code')).not.toBeFocused();
        await expect(field('number')).toHaveValue('4242');
        if (way === 'a modal dialog') await page.evaluate('dialog.close()');
        await field('expiry').click();
        await expect(notice).toHaveText(NOTICE);
      });
    }
  });

  test('in a form mounted instead of the one it took the keyboard from', {
    tag: '@thorough',
  }, async ({ page, service, foreign }) => {
    const { client_secret: clientSecret } = await service.createIntent();
    const options = { publishableKey: service.keys.publishable, clientSecret, locale: 'en' };
    await page.goto(
      foreign(
        await service.createIntent(),
        `${LISTEN} const again = () => {
          form.unmount();
          const next = CardForm.mount('#card-form', ${JSON.stringify(options)});
          next.on('warning', ({ about }) => heard.push('warning ' + about));
          next.on('ready', () => next.focus('number'));
        };`,
      ),
    );
    const first = checkoutPage(page);
    await first.ready();
    const isDenied = await first.field('number').evaluate(() => {
      try {
        return sessionStorage.length < 0;
      } catch {
        return true;
      }
    });
    test.skip(
      isDenied,
      'this browser denies storage to a frame of another site, so that only a frame itself remembers',
    );
    await first.field('number').click();
    await page.keyboard.type('4242');
    await page.evaluate('trap.focus()');
    await expect(page.locator('#trap')).toBeFocused();
    await page.evaluate('again()');
    const { field, notice, ready } = checkoutPage(page);
    await ready();
    await expect.poll(() => heard(page)).toContain('warning focus');
    await expect(page.locator('#trap')).toBeFocused();
    await field('number').click();
    await expect(notice).toHaveText(NOTICE);
    await page.evaluate("trap.value = ''; trap.blur()");
  });

  test("with the page's own button, which moves the focus to the first missing field", {
    tag: '@thorough',
  }, async ({ page, service, foreign }) => {
    await page.goto(foreign(await service.createIntent(), LISTEN, { payButton: 'host' }));
    const { field, total } = checkoutPage(page);
    await expect(total).toHaveText('$58.04');
    await field('number').click();
    await page.keyboard.type('4242');
    await page.evaluate('trap.focus(); form.submit()');
    await expect(checkoutPage(page).frame.locator('#problem-number')).not.toBeEmpty();
    await expect(field('number')).not.toBeFocused();
    await expect(page.locator('#trap')).toBeFocused();
  });

  test('a card number dragged out of the form is not dropped into the page around it', {
    tag: '@thorough',
  }, async ({ page, service, foreign }) => {
    await page.goto(foreign(await service.createIntent(), LISTEN));
    const { field, ready } = checkoutPage(page);
    await ready();
    await page.evaluate(`
      trap.style.cssText = 'position:fixed;right:0;bottom:0';
      trap.insertAdjacentHTML('beforebegin', '<p id="own">own words</p>');
      for (const type of ['dragover', 'drop'])
        addEventListener(type, (event) => heard.push(type + ' ' + event.dataTransfer.getData('text/plain')));`);
    const dragTo = async (from: { x: number; y: number }) => {
      const to = await page.locator('#trap').boundingBox();
      if (!to) throw new Error('The input has no place.');
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(from.x + 20, from.y + 10, { steps: 4 });
      await page.mouse.move(to.x + 10, to.y + 5, { steps: 8 });
      await page.mouse.up();
    };
    const middleOf = (box: { x: number; y: number; height: number } | null) => {
      if (!box) throw new Error('It has no place.');
      return { x: box.x + 20, y: box.y + box.height / 2 };
    };
    await page.locator('#own').click({ clickCount: 3 });
    await dragTo(middleOf(await page.locator('#own').boundingBox()));
    await expect(page.locator('#trap')).toHaveValue(/own words/); // dragging works here
    await page.locator('#trap').fill('');
    await field('number').fill('4242424242424242');
    await field('number').click({ clickCount: 3 });
    await dragTo(middleOf(await field('number').boundingBox()));
    await expect(page.locator('#trap')).toHaveValue('');
    expect((await heard(page)).filter((one) => one.includes('4242'))).toEqual([]);
  });

  test('an honest page can use focus(): before it took anything, after a Tab out of the form, and after a visit to another tab', async ({
    page,
    service,
    foreign,
  }) => {
    await page.goto(foreign(await service.createIntent(), LISTEN));
    const { field, notice, ready } = checkoutPage(page);
    await ready();
    await page.evaluate("form.focus('number')");
    await expect(field('number')).toBeFocused();
    await page.keyboard.type('42');
    await page.keyboard.press('Shift+Tab');
    while (await field('number').evaluate(() => document.hasFocus())) await page.keyboard.press('Shift+Tab');
    await page.evaluate("form.focus('expiry')");
    await expect(field('expiry')).toBeFocused();
    await page.keyboard.type('1');
    const other = await page.context().newPage();
    await other.bringToFront();
    await page.bringToFront();
    await page.evaluate("form.focus('cvc')");
    await expect(field('code')).toBeFocused();
    await page.keyboard.type('1');
    await expect(notice).toBeEmpty();
    expect(await heard(page)).not.toContain('warning focus');
  });
});
