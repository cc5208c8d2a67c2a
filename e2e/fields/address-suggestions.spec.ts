/** `addressLookup`: addresses that the page suggests (promises 1.8). From a foreign page. */
import { devices, type Locator, type Page } from 'playwright/test';
import { violations } from '../support/axe.ts';
import { CARD, checkoutPage, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import type { ForeignSite } from '../support/foreign-site.ts';
import { formFrame } from '../support/form-frame.ts';
import type { Service } from '../support/service.ts';

declare global {
  interface Window {
    lookup: { asked: string[]; aborted: string[]; form: { focus(field: string): void; unmount(): void } };
  }
}

type World = { page: Page; site: ForeignSite; service: Service };

const HERE = {
  label: '12 Orchard Lane, Portland, OR 97205',
  address: { line1: '12 Orchard Lane', city: 'Portland', state: 'OR', postal_code: '97205', country: 'US' },
};
const ELSEWHERE = {
  label: 'Obstgartenweg 12, 10115 Berlin',
  address: { line1: 'Obstgartenweg 12', city: 'Berlin', postal_code: '10115', country: 'DE' },
};
const FOUND = `async () => ${JSON.stringify([HERE, ELSEWHERE])}`;

/** Opens a shop whose `addressLookup` is this source; null: without one. */
const openShop = async (
  { page, site, service }: World,
  { find = FOUND, options = {} }: { find?: string | null; options?: object } = {},
) => {
  const intent = await service.createIntent();
  const url = site.put(
    '/checkout',
    `<!doctype html><html lang="en"><title>Shop</title><meta name="viewport" content="width=device-width">
    <input id="own" aria-label="The page's own">
    <main style="max-width: 480px"><div id="card-form"></div></main>
    <script src="${service.url}/partner/v1/card-form.js"></script>
    <script>
      window.events = [];
      window.lookup = { asked: [], aborted: [] };
      lookup.form = CardForm.mount('#card-form', {
        publishableKey: '${service.keys.publishable}',
        clientSecret: '${intent.client_secret}',
        locale: 'en',
        ...${JSON.stringify(options)},
        ${
          find === null
            ? ''
            : `addressLookup(question) {
          const { query, country, signal } = question;
          lookup.asked.push(country + ' ' + query);
          signal.addEventListener('abort', () => lookup.aborted.push(query));
          return (${find})(question);
        },`
        }
      });
      lookup.form.on('*', (name, detail) => events.push({ form: 0, name, detail }));
    </script>`,
  );
  await page.goto(url);
  const checkout = checkoutPage(page);
  const { frame } = checkout;
  const line1 = frame.locator('#field-line1');
  return {
    intent,
    checkout,
    line1,
    list: frame.getByRole('listbox', { name: /^Suggestions: / }),
    options: frame.getByRole('listbox', { name: /^Suggestions: / }).getByRole('option'),
    /** The buyer clicks into the field and types. */
    async type(text: string) {
      await expect(line1).toHaveRole('combobox'); // once the script has loaded
      await line1.click();
      await page.keyboard.type(text);
    },
    asked: () => page.evaluate(() => window.lookup.asked),
    aborted: () => page.evaluate(() => window.lookup.aborted),
    warnings: async () =>
      (await checkout.events('warning')).filter((one) => JSON.stringify(one).includes('addressLookup')),
  };
};

/** A screen reader's view of the field: whether the list is open, and the option that Enter would choose. */
const activeOption = async (line1: Locator) => {
  const id = await line1.getAttribute('aria-activedescendant');
  return id && (await line1.page().frameLocator('#card-form iframe').locator(`#${id}`).textContent());
};

test.describe('promises 1.8: an ARIA combobox', () => {
  test('by keyboard: typed text stays until a suggestion is chosen, one key fills all fields, and Enter then pays', async ({
    page,
    site,
    service,
  }) => {
    const { intent, checkout, line1, list, options, type, asked } = await openShop({ page, site, service });
    const { frame } = checkout;
    await checkout.fillCard(CARD.visa);
    await checkout.field('name').fill('Ada Lovelace');
    await checkout.field('email').fill('ada@example.com');
    await expect(line1).toHaveAttribute('aria-autocomplete', 'list');
    await expect(line1).toHaveAttribute('aria-expanded', 'false');
    await type('12 orc');
    await expect(options).toHaveText([HERE.label, ELSEWHERE.label]);
    expect((await asked()).at(-1)).toBe('US 12 orc');
    await expect(line1).toHaveAttribute('aria-expanded', 'true');
    await expect(line1).toHaveAccessibleName('Address');
    await expect(frame.locator(`#${await line1.getAttribute('aria-controls')}`)).toHaveRole('listbox');
    await expect(list).toHaveAccessibleName('Suggestions: 2');
    await expect(checkout.notice).toHaveText('Suggestions: 2');
    expect(await activeOption(line1)).toBeNull();

    const walk = [];
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp', 'ArrowLeft', 'ArrowUp']) {
      await page.keyboard.press(key);
      walk.push(await activeOption(line1));
    }
    const [first, last] = [HERE.label, ELSEWHERE.label];
    expect(walk).toEqual([first, last, first, last, first, null, last]);
    await expect(frame.getByRole('option', { selected: true }).and(options)).toHaveText(last);
    await expect(line1).toHaveValue('12 orc');
    await expect(line1).toBeFocused();

    await test.step('Escape closes only the list; the next Escape reaches the page', async () => {
      await page.keyboard.press('Escape');
      await expect(list).toHaveCount(0);
      expect(await checkout.events('escape')).toEqual([]);
      await expect(line1).toHaveValue('12 orc');
      await page.keyboard.press('ArrowDown');
      expect(await activeOption(line1)).toBe(first);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await expect.poll(() => checkout.events('escape')).toHaveLength(1);
    });

    await test.step('Tab leaves the field as typed', async () => {
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Tab');
      await expect(list).toHaveCount(0);
      await expect(line1).toHaveValue('12 orc');
      await expect(checkout.field('city')).toHaveValue('');
    });

    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('End');
    await page.keyboard.type('h');
    await expect(options).toHaveCount(2);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(list).toHaveCount(0);
    await expect(line1).toHaveValue('12 Orchard Lane');
    await expect(line1).toBeFocused();
    await expect(checkout.field('city')).toHaveValue('Portland');
    await expect(checkout.field('state')).toHaveValue('OR');
    await expect(checkout.field('zip')).toHaveValue('97205');
    expect(await service.record(intent.id)).toMatchObject({ confirms: 0 });
    await checkout.payButton.click({ trial: true });
    await page.keyboard.press('Enter');
    await expect(checkout.outcome).toHaveText('Payment received');
  });

  test('by pointer, in another country: its fields are shown and filled in, and the focus stays', async ({
    page,
    site,
    service,
  }) => {
    const { checkout, line1, list, options, type } = await openShop({ page, site, service });
    await type('Obst');
    await options.last().click();
    await expect(list).toHaveCount(0);
    await expect(checkout.field('country')).toHaveValue('DE');
    await expect(checkout.frame.getByLabel('Postal code')).toHaveValue('10115');
    await expect(checkout.field('city')).toHaveValue('Berlin');
    await expect(checkout.field('state')).toHaveCount(0);
    await expect(line1).toHaveValue('Obstgartenweg 12');
    await expect(line1).toBeFocused();
    await expect(line1).toHaveRole('combobox');
  });

  test('axe finds nothing while the list is open and an option is chosen, and a click on a field below reaches that field', async ({
    page,
    site,
    service,
  }) => {
    const { checkout, list, options, type } = await openShop({ page, site, service });
    await type('12 orc');
    await expect(options).toHaveCount(2);
    await page.keyboard.press('ArrowDown');
    await expect(options.first()).toHaveAttribute('aria-selected', 'true');
    expect(await violations(formFrame(page), '#ffffff')).toEqual([]);
    await checkout.field('city').click();
    await expect(checkout.field('city')).toBeFocused();
    await expect(list).toHaveCount(0);
  });

  test('a known address gets suggestions once the buyer changes it', async ({ page, site, service }) => {
    const shop = { page, site, service };
    const { checkout, line1, options, type } = await openShop(shop, {
      options: { defaultValues: KNOWN_BUYER },
    });
    await expect(line1).toHaveCount(0);
    await checkout.frame.getByRole('button', { name: 'Change' }).last().click();
    await expect(line1).toHaveRole('combobox');
    await type('x');
    await expect(options).toHaveCount(2);
  });

  test('autofill by a browser or password manager opens no list, and typing over it does', async ({
    page,
    site,
    service,
  }) => {
    const { checkout, line1, options, type, asked } = await openShop({ page, site, service });
    await type('1');
    await line1.evaluate((input: HTMLInputElement) => {
      for (const event of [
        new Event('input', { bubbles: true }), // like Chromium
        new InputEvent('input', { bubbles: true, inputType: 'insertReplacementText' }), // like Firefox
        new InputEvent('input', { bubbles: true, inputType: 'insertText' }), // like a script
      ]) {
        input.value += ' Orchard Lane';
        input.dispatchEvent(event);
      }
    });
    await checkout.field('city').click();
    await type('!');
    await expect(options).toHaveCount(2);
    expect(await asked()).toHaveLength(1);
  });

  test('without the option the field is a text field, and no file is loaded for it', async ({
    page,
    site,
    service,
  }) => {
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    const { checkout, line1 } = await openShop({ page, site, service }, { find: null });
    await checkout.hasAll();
    await expect(line1).toHaveRole('textbox');
    expect(requested.filter((url) => /address-suggestions|page-gives/.test(url))).toEqual([]);
  });
});

test.describe('promises 1.8: the form grows for the list, which covers neither total nor button', () => {
  const MANY = Array.from({ length: 8 }, (_, at) => ({
    ...HERE,
    label: `${at} ${'Orchard Lane '.repeat(12)}`,
  }));
  const { viewport, hasTouch, isMobile } = devices['iPhone SE'] ?? {};
  const PLACES = {
    'on a desk': { viewport: { width: 1200, height: 800 } },
    'on a phone': { viewport: viewport ?? null, hasTouch: hasTouch ?? true, isMobile: isMobile ?? true },
    'in the narrowest form': { viewport: { width: 216, height: 600 } },
  };

  const LOOKS = {
    'as it is': {},
    'from right to left': { locale: 'ar' },
    'with grouped fields and floating labels': { appearance: { fields: 'grouped', labels: 'floating' } },
  };

  // Each place and each look once.
  for (const [where, look] of [
    ['on a desk', 'from right to left'],
    ['on a phone', 'as it is'],
    ['in the narrowest form', 'with grouped fields and floating labels'],
  ] as const)
    test.describe(() => {
      const place = PLACES[where];
      test.use(place);
      test(`${where}, ${look}`, async ({ page, site, service }) => {
        const options = LOOKS[look];
        const shop = await openShop(
          { page, site, service },
          { find: `async () => ${JSON.stringify(MANY)}`, options },
        );
        const { checkout, line1 } = shop;
        await checkout.hasAll();
        const before = await checkout.iframe.boundingBox();
        if ('hasTouch' in place) {
          await line1.tap();
          await page.keyboard.type('12 orc');
        } else await shop.type('12 orc');
        const list = checkout.frame.locator('.suggestions');
        await expect(list.getByRole('option')).toHaveCount(8);
        await expect
          .poll(async () => ((await checkout.iframe.boundingBox())?.height ?? 0) - (before?.height ?? 0))
          .toBeGreaterThan(100);
        const boxes = await checkout.frame.locator(':root').evaluate((root) => {
          const boxOf = (selector: string) => {
            const { left, top, right, bottom } =
              root.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
            return { left, top, right, bottom };
          };
          return {
            list: boxOf('.suggestions'),
            field: boxOf('#field-line1'),
            option: boxOf('.suggestions li'),
            others: ['.summary', '.total', '.pay', '#field-line1', '#field-line2', '#field-city'].map(boxOf),
            overflow: root.scrollWidth - root.clientWidth,
          };
        });
        for (const { top, bottom } of boxes.others)
          expect(top >= boxes.list.bottom || bottom <= boxes.list.top).toBe(true);
        expect([boxes.list.left, boxes.list.right]).toEqual([boxes.field.left, boxes.field.right]);
        expect(boxes.overflow).toBe(0);
        expect(boxes.option.bottom - boxes.option.top).toBeGreaterThanOrEqual('hasTouch' in place ? 44 : 36);
        if ('hasTouch' in place) await list.getByRole('option').nth(1).tap();
        else await list.getByRole('option').nth(1).click();
        await expect(line1).toHaveValue('12 Orchard Lane');
        await expect.poll(async () => (await checkout.iframe.boundingBox())?.height).toBe(before?.height);
      });
    });

  test('from right to left, texts are right-aligned, and a Latin address reads from left to right', async ({
    page,
    site,
    service,
  }) => {
    const { checkout, type } = await openShop({ page, site, service }, { options: { locale: 'he' } });
    await type('12 orc');
    const option = checkout.frame.locator('.suggestions li').first();
    await expect(option).toHaveText(HERE.label);
    const at = await option.evaluate((element) => {
      const text = element.firstChild;
      if (!text) return null;
      const rectOf = (from: number, to: number) => {
        const range = document.createRange();
        range.setStart(text, from);
        range.setEnd(text, to);
        return range.getBoundingClientRect();
      };
      const { right } = element.getBoundingClientRect();
      return { first: rectOf(0, 1).left, second: rectOf(1, 2).left, gap: right - rectOf(0, 20).right };
    });
    expect(at?.second).toBeGreaterThan(at?.first ?? 0);
    expect(at?.gap).toBeLessThan(150);
  });
});

test.describe('promises 1.8: the page', () => {
  test('receives nothing of a card number: no text with seven or more digits', async ({
    page,
    site,
    service,
  }) => {
    const { checkout, line1, asked, type } = await openShop({ page, site, service });
    await type('No ');
    for (const digits of ['4242 42', '4', '2', '-42424242']) {
      await page.keyboard.type(digits);
      await page.waitForFunction(
        (before) => performance.now() > before + 250,
        await page.evaluate(() => performance.now()),
      );
    }
    const learnt = await asked();
    expect(learnt.length).toBeGreaterThan(0);
    for (const text of learnt) expect(text.replace(/\D/g, '').length, text).toBeLessThan(7);
    await expect(line1).toHaveValue('No 4242 4242-42424242');
    await expect(checkout.frame.locator('.suggestions li')).toHaveCount(0);
  });

  test('receives nothing after its form.focus() or iframe.focus() until the buyer has used pointer or Tab', async ({
    page,
    site,
    service,
  }) => {
    const { line1, asked } = await openShop({ page, site, service });
    await expect(line1).toHaveRole('combobox');
    await line1.click();
    const byTab = async () => {
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('End');
    };
    let known = 0;
    for (const [name, move, byBuyer] of [
      ['form.focus()', () => window.lookup.form.focus('line1'), byTab],
      [
        'iframe.focus()',
        () => {
          document.querySelector<HTMLElement>('#own')?.focus();
          document.querySelector('iframe')?.focus();
        },
        () => line1.click(),
      ],
    ] as const) {
      await page.evaluate(move);
      await expect.poll(() => line1.evaluate(() => document.hasFocus()), name).toBe(true);
      await line1.evaluate((field) => field.focus()); // like browsers that remember the frame's field
      await expect(line1).toBeFocused();
      for (const text of ['12 orc', 'h']) {
        await page.keyboard.type(text);
        await page.waitForFunction(
          (before) => performance.now() > before + 750,
          await page.evaluate(() => performance.now()),
        );
      }
      expect((await line1.inputValue()).length, name).toBe(7 + 8 * known);
      expect(await asked(), name).toHaveLength(known);
      await byBuyer();
      await page.keyboard.type('a');
      known += 1;
      await expect.poll(asked, name).toHaveLength(known);
    }
  });

  test('learns that an answer is no longer wanted: the buyer types on, leaves the field, or the form is removed', async ({
    page,
    site,
    service,
  }) => {
    const { checkout, line1, type, asked, aborted } = await openShop(
      { page, site, service },
      { find: '() => new Promise(() => {})' },
    );
    await type('12 o');
    await expect.poll(asked).toHaveLength(1);
    await page.keyboard.type('r');
    await expect.poll(aborted).toEqual(['12 o']);
    await expect.poll(asked).toHaveLength(2);
    await checkout.field('city').click();
    await expect.poll(aborted, { timeout: 4000 }).toEqual(['12 o', '12 or']); // before the answer would be late
    await line1.click();
    await page.keyboard.type('c');
    await expect.poll(asked).toHaveLength(3);
    await page.evaluate(() => window.lookup.form.unmount());
    await expect.poll(aborted).toHaveLength(3);
  });
});

test.describe('promises 1.8: an answer that is slow, fails or has another shape leaves the field as it is', () => {
  const HOSTILE = [
    ['no list', `() => ({ features: [] })`],
    ['an exception', `() => { throw new Error('no addresses') }`],
    ['a rejection', `async () => { throw new Error('no addresses') }`],
    ['a getter that throws', `async () => [{ get label() { throw new Error('no addresses') } }]`],
    [
      'texts of ten million characters',
      `async () => [{ label: 'x'.repeat(1e7), address: { line1: 'x'.repeat(1e7) } }]`,
    ],
    ['10,000 entries without an address', `async () => Array(10_000).fill({ label: 'Here' })`],
    ['what cannot be posted', `async () => [{ label: () => 1, address: { line1: document } }]`],
  ];

  test('answers that are no list, throw, are too big or cannot be posted; the developer reads once what was expected', async ({
    page,
    site,
    service,
    watch,
  }) => {
    watch.expect(/no addresses/);
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    const answers = HOSTILE.map(([, find]) => find).join(', ');
    const { intent, checkout, line1, warnings, asked, type } = await openShop(
      { page, site, service },
      { find: `() => [${answers}][lookup.asked.length - 1]()` },
    );
    await type('12 '); // no letter, so no question
    for (const [at, [what]] of HOSTILE.entries()) {
      await page.keyboard.type('n');
      await expect.poll(asked, what).toHaveLength(at + 1);
      await expect.poll(warnings, what).toHaveLength(1);
      await expect(line1, what).toHaveValue(`12 ${'n'.repeat(at + 1)}`);
      await expect(line1, what).toHaveAttribute('aria-expanded', 'false');
    }
    await checkout.fill();
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await service.record(intent.id)).toMatchObject({ charges: 1 });
    expect(await warnings()).toHaveLength(1);
    expect(said.filter((text) => text.includes('Expected a list of { label, address:'))).toHaveLength(1);
  });

  test('HTML is shown as text', async ({ page, site, service }) => {
    const label = '<img src=x onerror="parent.postMessage(1)"> <b>Here</b>';
    const { checkout, options, type } = await openShop(
      { page, site, service },
      { find: `async () => [${JSON.stringify({ ...HERE, label })}]` },
    );
    await type('12 orc');
    await expect(options).toHaveText([label]);
    await expect(checkout.frame.locator('.suggestions :is(img, b)')).toHaveCount(0);
  });

  test('a suggestion is validated as if the buyer had typed it', async ({ page, site, service }) => {
    const address = {
      ...HERE.address,
      line1: 'Orchard  \u0000Lane\u200b ',
      postal_code: '９７２０５',
      state: 'oregon',
      line2: '4242424242424242',
    };
    const { checkout, line1, options, type } = await openShop(
      { page, site, service },
      { find: `async () => [${JSON.stringify({ label: 'Here', address })}]` },
    );
    await type('12 orc');
    await options.first().click();
    await expect(line1).toHaveValue('Orchard   Lane');
    await expect(checkout.field('zip')).toHaveValue('97205');
    await expect(checkout.field('state')).toHaveValue('OR');
    await expect(checkout.frame.locator('#problem-line2')).not.toBeEmpty();
  });
});
