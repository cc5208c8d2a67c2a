/** The parts of the form's look that a merchant can change. Whatever they choose, the form stays legible. */
import type { Frame, Page } from 'playwright/test';
import { violations } from '../support/axe.ts';
import type { CheckoutPage } from '../support/checkout-page.ts';
import { CARD, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { formOn } from '../support/form-states.ts';
import { holdRequests } from '../support/hold-requests.ts';
import { looksAlike, readPicture } from '../support/pixels.ts';
import { openStrangeShop } from '../support/strange-shop.ts';
import { THEMES } from './example-themes.ts';
import { sightOf } from './sight.ts';

declare global {
  interface Window {
    /** The page's ends of the channels that its loader opened. */
    ports: MessagePort[];
    /** The root's styles when the form was first shown. */
    firstWorn?: string;
  }
}

test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width: 440, height: 1300 } });

const frameOf = async ({ iframe }: CheckoutPage): Promise<Frame> => {
  const frame = await (await iframe.elementHandle())?.contentFrame();
  if (!frame) throw new Error('There is no form.');
  return frame;
};

/** Lets the test use the private port, as a hostile page without our script could. */
const keepPorts = (page: Page) =>
  page.addInitScript(() => {
    window.ports = [];
    window.MessageChannel = class extends MessageChannel {
      constructor() {
        super();
        window.ports.push(this.port1);
      }
    };
  });

const update = (page: Page, appearance: unknown) =>
  page.evaluate(
    (given) => window.ports.at(-1)?.postMessage({ type: 'update', appearance: given }),
    appearance,
  );

const painted = (scheme: 'light' | 'dark', ground: string) =>
  `:root { color-scheme: ${scheme} } body { background: ${ground}; color: ${scheme === 'dark' ? 'white' : 'black'} }`;

/** The value of a custom property of the form. */
const worn = (checkout: CheckoutPage, name: string) =>
  checkout.frame
    .locator(':root')
    .evaluate((root, property) => getComputedStyle(root).getPropertyValue(property), name);

test.describe('the example themes', () => {
  for (const [name, { appearance, pages }] of Object.entries(THEMES)) {
    test(`${name} has no axe violation in light and dark, empty, with problems, and paid`, async ({
      open,
      page,
      service,
    }) => {
      test.slow();
      const checkout = await open(await service.createIntent(), {
        css: `:root { color-scheme: light dark } body { background: light-dark(${pages.light}, ${pages.dark}); color: light-dark(black, white) }`,
        options: { appearance },
      });
      await checkout.ready();
      const clean = async (state: string) => {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await expect(checkout.frame.locator(':root')).toHaveAttribute('data-scheme', colorScheme);
          const path = `${test.info().project.outputDir}/looks/theme-${name}-${colorScheme}-${state}.png`;
          await page.screenshot({ path });
          const found = await violations(await frameOf(checkout), pages[colorScheme]);
          expect(found, `${state}, ${colorScheme}`).toEqual([]);
        }
      };
      await clean('1-empty');
      await checkout.details.click();
      await checkout.fill({ number: CARD.declined });
      await checkout.pay();
      await expect(checkout.notice).toContainText('declined');
      await checkout.pay();
      await expect(checkout.field('code')).toHaveAttribute('aria-invalid', 'true');
      await clean('2-declined');
      await checkout.fillCard(CARD.visa);
      await checkout.pay();
      await expect(checkout.outcome).toHaveText('Payment received');
      await clean('3-paid');
    });
  }

  test('have their own background: the page shows through as one colour', async ({ open, page, service }) => {
    const { appearance, pages } = THEMES.paper;
    const checkout = await open(await service.createIntent(), {
      css: painted('light', pages.light),
      options: { appearance },
    });
    await checkout.ready();
    expect(await worn(checkout, '--page')).toBe(pages.light);
    expect(await worn(checkout, '--radius')).toBe('4px');
    const body = checkout.frame.locator('body');
    await expect(checkout.frame.locator('#form')).toHaveCSS('background-color', 'rgb(250, 246, 239)');
    await expect(body).toHaveCSS('font-family', /^"Iowan Old Style", .*serif$/);
    await page.emulateMedia({ colorScheme: 'dark' }); // the page supports only light
    expect(await worn(checkout, '--page')).toBe(pages.light);
  });
});

for (const [theme, night] of [
  ['light', true],
  ['dark', false],
] as const) {
  test(`a ${theme} form on a ${night ? 'dark' : 'light'} page has rounded corners that show the page, at its end too`, async ({
    page,
    service,
    site,
  }) => {
    const options = { appearance: { theme }, defaultValues: KNOWN_BUYER };
    const intent = await service.createIntent();
    const checkout = await openStrangeShop(page, { service, site }, intent, { options, night });
    await checkout.ready();
    /** The colours in the corners of the frame, and just inside its edge. */
    const colours = async () => {
      const { width, height, at } = readPicture(await checkout.iframe.screenshot({ scale: 'css' }));
      const corners = [at(1, 1), at(width - 2, 1), at(1, height - 2), at(width - 2, height - 2)].map(String);
      return { corners: [...new Set(corners)], edge: String(at(Math.round(width / 2), 4)) };
    };
    const expected = {
      corners: [night ? '20,23,28' : '251,248,243'],
      edge: theme === 'dark' ? '22,24,28' : '255,255,255',
    };
    await expect.poll(colours).toEqual(expected);
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
    await expect.poll(colours).toEqual(expected);
  });
}

test('a form is not shown before its appearance is applied', async ({ open, page, service }) => {
  // The clock is stopped, since the form waits for its appearance for only half a second.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (document.querySelector('.form')?.checkVisibility({ visibilityProperty: true }))
        window.firstWorn ??= document.documentElement.getAttribute('style') ?? '';
    }).observe(document, { attributes: true, childList: true, subtree: true });
  });
  const { asked, release } = await holdRequests(page, /\/appearance\.js$/);
  const checkout = await open(await service.createIntent(), {
    options: { appearance: { theme: 'dark', variables: { colorPrimary: '#ffd84d' } } },
  });
  await asked;
  await expect(checkout.frame.locator('.form')).toBeHidden();
  release();
  await expect(checkout.frame.locator('.form')).toBeVisible();
  await page.clock.resume();
  await checkout.ready();
  const frame = await frameOf(checkout);
  expect(await frame.evaluate(() => window.firstWorn)).toContain('--button: #ffd84d');
  await expect(checkout.frame.locator('body')).toHaveCSS('color-scheme', 'dark');
});

test('a form is shown even if its appearance script cannot be fetched', async ({ open, page, service }) => {
  await page.route(/\/appearance\.js$/, (route) => route.abort());
  const checkout = await open(await service.createIntent(), { options: { appearance: { theme: 'dark' } } });
  await checkout.ready();
  await expect(checkout.frame.locator('body')).toHaveCSS('color-scheme', 'light');
});

test('a form without an appearance does not load the appearance script', async ({ open, page, service }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await (await open(await service.createIntent())).ready();
  expect(asked.filter((url) => /\/appearance\.js/.test(url))).toEqual([]);
});

test('update() changes the look of a mounted form and keeps typed text', async ({ open, page, service }) => {
  await keepPorts(page);
  const checkout = await open(await service.createIntent());
  await checkout.ready();
  await checkout.fill();
  const height = await checkout.iframe.evaluate((iframe) => iframe.clientHeight);
  await update(page, {
    theme: 'dark',
    labels: 'floating',
    variables: { spacingUnit: '6px', colorPrimary: 'orange' },
  });
  await expect(checkout.payButton).toHaveCSS('background-color', 'rgb(255, 165, 0)');
  await expect(checkout.payButton).toHaveCSS('color', 'rgb(0, 0, 0)');
  await expect(checkout.field('number')).toHaveValue('4242 4242 4242 4242');
  await expect(checkout.field('code')).toHaveValue('123');
  await expect
    .poll(() => checkout.iframe.evaluate((iframe) => iframe.clientHeight), 'the frame follows')
    .not.toBe(height);
  await update(page, {});
  await expect(checkout.payButton).toHaveCSS('background-color', 'rgb(37, 87, 214)');
  await expect(checkout.frame.locator('html')).toHaveAttribute('style', '');
  await expect.poll(() => checkout.iframe.evaluate((iframe) => iframe.clientHeight)).toBe(height);
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
});

test.describe('a hostile appearance', () => {
  /**
   * None of these is a valid value of any token: here each is tried in three places, and thousands in
   * src/form/appearance/hostile.test.ts.
   */
  const HOSTILE = [
    'url(https://evil.example/a)',
    'image-set("https://evil.example/a" 1x)',
    'var(--x,url(//evil.example))',
    'red;display:none',
    'red}*{display:none}x{',
    'red;}@import "https://evil.example/a.css";',
    '@font-face{font-family:x;src:url(//evil.example)}',
    'red!important',
    '\\75rl(//evil.example)',
    'red\n;opacity:0',
    '</style><script>alert(1)</script>',
    'revert-layer',
    'transparent',
    'light-dark(#fff,#fff)',
    '99999px',
    'translateX(-9999px)',
    '__proto__',
  ];
  const TOKENS = [
    'colorPrimary',
    'colorBackground',
    'colorText',
    'colorTextSecondary',
    'colorTextPlaceholder',
    'colorDanger',
    'colorSuccess',
    'colorBorder',
    'colorFieldBackground',
    'buttonColorBackground',
    'buttonColorText',
    'fontFamily',
    'fontSizeBase',
    'fontWeightNormal',
    'borderRadius',
    'spacingUnit',
    'formPadding',
  ];

  test('causes no request and no rule, and changes nothing in the look', async ({ open, page, service }) => {
    await keepPorts(page);
    const checkout = await open(await service.createIntent());
    await checkout.ready();
    await checkout.hasAll();
    /** Sends an appearance and waits until its only valid value takes effect. */
    const wearWith = async (radius: string, appearance: { variables: object; rules?: object }) => {
      const variables = { ...appearance.variables, buttonBorderRadius: radius };
      await update(page, { ...appearance, variables });
      await expect.poll(() => worn(checkout, '--button-radius')).toBe(radius);
    };
    const rules = () =>
      checkout.frame
        .locator(':root')
        .evaluate(() =>
          [...document.styleSheets, ...document.adoptedStyleSheets].map(({ cssRules }) => cssRules.length),
        );
    const look = async () =>
      readPicture(await checkout.frame.locator('.form').screenshot({ animations: 'disabled' }));
    await wearWith('11px', { variables: { colorPrimary: 'inherit' }, rules: {} }); // loads the file for rules
    await expect(checkout.frame.locator('.problems')).toBeAttached(); // loads its style sheet
    const before = { rules: await rules(), look: await look() };
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    for (const turn of [0, 5, 11]) {
      const of = (index: number) => HOSTILE[(index + turn) % HOSTILE.length];
      const hostile = Object.fromEntries(TOKENS.map((token, index) => [token, of(index)]));
      await wearWith('12px', { variables: {} });
      const names = Object.fromEntries(HOSTILE.map((text) => [`x${text}`, text]));
      const variables = { ...names, ...hostile };
      await wearWith('11px', {
        ...{ theme: of(0), labels: of(1), darkVariables: hostile, rules: names },
        variables,
      });
      expect(await rules(), JSON.stringify(hostile)).toEqual(before.rules);
      await expect
        .poll(async () => looksAlike(before.look, await look()), JSON.stringify(hostile))
        .toBe(true);
    }
    expect(requests).toEqual([]);
  });

  const TRICKS = [
    ['everything white', { ...Object.fromEntries(TOKENS.slice(0, 11).map((token) => [token, '#fff'])) }],
    ['everything black', { ...Object.fromEntries(TOKENS.slice(0, 11).map((token) => [token, '#000'])) }],
    [
      'everything the grey that contrasts least',
      { ...Object.fromEntries(TOKENS.slice(0, 11).map((token) => [token, '#767676'])) },
    ],
    [
      'everything nearly transparent',
      { ...Object.fromEntries(TOKENS.slice(0, 11).map((token) => [token, '#2557d601'])) },
    ],
    ['text of the colour of the page alone', { colorText: '#ffffff', colorTextSecondary: '#ffffff' }],
    ['a button of the colour of the page', { buttonColorBackground: '#ffffff', buttonColorText: '#ffffff' }],
    [
      'everything as small as it gets',
      {
        fontSizeBase: '14px',
        spacingUnit: '3px',
        formPadding: '4px',
        borderRadius: '24px',
        fontWeightBold: 500,
      },
    ],
  ] as const;

  test('leaves amount and button legible and clickable', async ({ open, page, service }) => {
    test.slow();
    await keepPorts(page);
    const checkout = await open(await service.createIntent());
    await checkout.ready();
    await checkout.fill();
    const form = formOn(page);
    for (const [index, [trick, variables]] of TRICKS.entries()) {
      const radius = `${index + 26}px`; // up to the largest
      await update(page, { variables: { ...variables, buttonBorderRadius: radius } });
      await expect.poll(() => worn(checkout, '--button-radius')).toBe(radius);
      await form.settled();
      const { items } = await sightOf(form);
      for (const [place, least] of [
        ['total', 20],
        ['pay', 14],
      ] as const) {
        const amount = items.find(({ id, text }) => id === place && text === '$58.04');
        expect(amount?.contrast, trick).toBeGreaterThanOrEqual(4.5);
        expect(amount?.box.height, trick).toBeGreaterThanOrEqual(least);
      }
      const heights = await form.frame
        .locator(':is(input, select, .pay):visible:not([data-quiet] *)')
        .evaluateAll((targets) => targets.map((target) => target.getBoundingClientRect().height));
      expect(Math.min(...heights), trick).toBeGreaterThanOrEqual(36);
    }
    await checkout.pay(); // with the last trick, at the smallest size
    await expect(checkout.outcome).toHaveText('Payment received');
  });
});

for (const appearance of [{ labels: 'floating' }, { fields: 'grouped' }] as const) {
  test(`floating labels, with ${JSON.stringify(appearance)}, shift nothing, stay inside their fields in both directions of writing, and move out of the way of the value`, async ({
    open,
    service,
  }) => {
    const checkout = await open(await service.createIntent(), { options: { appearance } });
    await checkout.ready();
    const sizeOf = (name = 'number') =>
      checkout.frame.locator(`label[for="field-${name}"]`).evaluate((element) => {
        const scale = element.getBoundingClientRect().height / (element.clientHeight || Number.NaN);
        return (Number.parseFloat(getComputedStyle(element).fontSize) * Math.round(scale * 10_000)) / 10_000;
      });
    // The country has a value, the state has none.
    await expect.poll(async () => [await sizeOf('country'), await sizeOf('state')]).toEqual([13, 16]);
    expect(await sizeOf()).toBe(16);
    await checkout.field('number').focus();
    await expect.poll(() => sizeOf()).toBe(13);
    await checkout.field('number').blur();
    await expect.poll(() => sizeOf()).toBe(16);
    await checkout.field('number').fill('4');
    await checkout.field('number').blur();
    await expect.poll(() => sizeOf()).toBe(13);
    await checkout.field('number').fill('');
    await checkout.field('line2').focus(); // opens the line
    await checkout.field('number').focus();
    const boxes = () =>
      checkout.frame.locator('.control').evaluateAll((controls) =>
        controls.map((control) => {
          const { x, y, width, height } = control.getBoundingClientRect();
          return [x, y, width, height];
        }),
      );
    /**
     * The distance of each label from the edge of its field where reading begins, and whether the label stays inside.
     */
    const places = () =>
      checkout.frame.locator('.field').evaluateAll((fields) =>
        fields.map((field) => {
          const [control, label] = [field.querySelector('.control'), field.querySelector('label')];
          if (!control || !label) throw new Error('A field without control or label.');
          const outer = control.getBoundingClientRect();
          const range = document.createRange();
          range.selectNodeContents(label);
          const inner = range.getBoundingClientRect();
          const within =
            inner.left >= outer.left &&
            inner.right <= outer.right &&
            inner.top >= outer.top &&
            inner.bottom <= outer.bottom;
          const isRtl = document.documentElement.dir === 'rtl';
          return { within, inset: Math.round(isRtl ? outer.right - inner.right : inner.left - outer.left) };
        }),
      );
    for (const direction of ['rtl', 'ltr']) {
      await checkout.frame.locator(':root').evaluate((root, dir) => root.setAttribute('dir', dir), direction);
      const before = await boxes();
      const good = (await places()).every(({ within, inset }) => within && inset === 15);
      expect(good, direction).toBe(true);
      for (const name of ['number', 'expiry', 'line2', 'state'] as const) {
        await checkout.field(name).focus();
        expect(await boxes(), name).toEqual(before);
        expect((await places()).every(({ within, inset }) => within && inset === 15)).toBe(true);
      }
      await checkout.field('line2').fill('Back yard');
      expect(await boxes()).toEqual(before);
      await checkout.field('line2').fill('');
      await checkout.field('line1').focus();
    }
    await checkout.fill();
    expect(await sizeOf('state')).toBe(13);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
  });
}

test.describe('layouts', () => {
  /** The visible text in a field: label, example and value, without transparent ones. */
  const seenIn = (checkout: CheckoutPage, id: string) =>
    checkout.frame.locator(`.field:has(#field-${id})`).evaluate((field, ours) => {
      const control = field.querySelector(`#field-${ours}`);
      const head = field.querySelector('.field-head');
      if (!(control instanceof HTMLInputElement) || !head) throw new Error(`There is no field ${ours}.`);
      const example = control.value === '' && getComputedStyle(control, '::placeholder').opacity !== '0';
      return [
        getComputedStyle(head).opacity === '0' ? '' : (head.querySelector('label')?.textContent ?? ''),
        example ? control.placeholder.trim() : control.value,
      ].join('');
    }, id);

  test('hidden labels: an empty field shows what to enter, a filled one only its value, and accessible names stay', async ({
    open,
    page,
    service,
  }) => {
    await keepPorts(page);
    const checkout = await open(await service.createIntent(), {
      options: { appearance: { labels: 'hidden' } },
    });
    await checkout.ready();
    expect(await seenIn(checkout, 'number')).toBe('1234 1234 1234 1234');
    expect(await seenIn(checkout, 'name')).toBe('Name on card');
    await checkout.field('name').focus();
    expect(await seenIn(checkout, 'name')).toBe('Name on card');
    expect(await violations(await frameOf(checkout), '#fff')).toEqual([]);
    await checkout.fill(); // finds the fields by their labels
    expect(await seenIn(checkout, 'number')).toBe('4242 4242 4242 4242');
    expect(await seenIn(checkout, 'name')).toBe('Ada Lovelace');
    await checkout.field('name').fill('');
    // WCAG 3.3.2: examples remain where there are no labels.
    await update(page, { labels: 'hidden', placeholders: 'hidden' });
    await checkout.field('code').fill('');
    expect(await seenIn(checkout, 'cvc')).toBe('CVV');
    await update(page, { placeholders: 'hidden' });
    await expect.poll(() => seenIn(checkout, 'cvc')).toBe('Security code');
    await update(page, {});
    await expect.poll(() => seenIn(checkout, 'cvc')).toBe('Security codeCVV');
    await checkout.fill();
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
  });

  test("the card's three fields share a line where their contents fit", async ({ open, page, service }) => {
    await page.setViewportSize({ width: 900, height: 1300 });
    const checkout = await open(await service.createIntent(), {
      css: 'body { max-width: 472px }',
      options: { appearance: { card: 'row', labels: 'hidden' } },
    });
    await checkout.ready();
    await checkout.fill({ number: CARD.visa });
    const found = () =>
      checkout.frame.locator('.fields:has(#field-number)').evaluate((fields) => {
        const controls = [...fields.querySelectorAll('input')];
        return {
          lines: new Set(controls.map((one) => Math.round(one.getBoundingClientRect().y))).size,
          cut: controls.filter((one) => one.scrollWidth > one.clientWidth).length,
          over: fields.scrollWidth - fields.clientWidth,
        };
      });
    for (const [width, lines] of [
      [472, 2],
      [600, 2],
      [860, 3], // the fields are beside the summary
      [470, 3],
      [320, 3],
    ]) {
      await page.addStyleTag({ content: `body { max-width: ${width}px }` });
      await expect.poll(found, `${width}`).toEqual({ lines, cut: 0, over: 0 });
    }
  });

  test('nameField: first: the name is above the number, and Tab and the first mistake focus it first', async ({
    open,
    page,
    service,
  }) => {
    await keepPorts(page);
    const checkout = await open(await service.createIntent(), {
      options: { appearance: { nameField: 'first' } },
    });
    const heights = () =>
      Promise.all(
        (['name', 'number', 'email'] as const).map(
          async (name) => (await checkout.field(name).boundingBox())?.y ?? 0,
        ),
      );
    const inOrder = (...ys: number[]) => ys.every((y, index) => y > (ys[index - 1] ?? 0));
    await checkout.field('number').waitFor();
    const [first = 0, second = 0] = await heights();
    expect(first, 'when the form is shown').toBeLessThan(second);
    await checkout.ready();
    expect(inOrder(...(await heights())), 'when it is whole').toBe(true);
    await checkout.payButton.click();
    await expect(checkout.field('name')).toBeFocused();
    await page.keyboard.type('Ada Lovelace');
    await page.keyboard.press('Tab');
    await expect(checkout.field('number')).toBeFocused();
    await page.keyboard.press('Shift+Tab');

    await update(page, {});
    await expect.poll(async () => ((await heights())[0] ?? 0) > ((await heights())[1] ?? 0)).toBe(true);
    await expect(checkout.field('name'), 'a field that moves keeps the focus').toBeFocused();
    await expect(checkout.field('name')).toHaveValue('Ada Lovelace');

    await update(page, { nameField: 'first', fields: 'grouped' });
    await expect.poll(async () => inOrder(...(await heights()))).toBe(true);
    await checkout.fill();
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
  });

  test('hidden marks: no brand mark is painted, in an empty or a recognised number', async ({
    open,
    service,
  }) => {
    const checkout = await open(await service.createIntent(), {
      options: { appearance: { brands: 'hidden' } },
    });
    await checkout.ready();
    const marks = checkout.frame.locator('.brand');
    await expect(marks.first()).toBeHidden();
    await checkout.fillCard(CARD.visa);
    await expect(marks).toHaveCount(1);
    await expect(marks).toBeHidden();
  });
});
