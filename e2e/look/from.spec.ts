/**
 * `appearance.from`: the form takes the look of the page's fields and buttons, which are styled as no framework styles
 * them.
 */
import { checkoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { holdRequests } from '../support/hold-requests.ts';
import { contrast, readPicture } from '../support/pixels.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width: 600, height: 1300 } });

const FIELDS = `<main><form><div class="group"><label for="email">Email</label><div class="wrap"><input id="email" class="box"
  placeholder="you@example.com"></div></div><button type="button" class="buy">Buy</button></form><div id="card-form"></div></main>`;

const OWN = { field: '#email', button: '.buy' };

/** Fields that no framework draws, with the resulting look of the form's field. */
const STYLES = {
  'a line below alone': {
    css: '.box { height: 40px; padding: 0 4px; border: 0; border-bottom: 2px solid rebeccapurple; background: none; border-radius: 0 }',
    looks: {
      'border-width': '0px 0px 2px',
      'border-bottom-color': 'rgb(102, 51, 153)',
      'padding-left': '4px',
      height: '40px',
    },
  },
  'a pill of rem, oklch and custom properties': {
    css: ':root { --tone: 0.9 } .box { height: 3rem; padding: 0 1.25rem; border: 1px solid oklch(0.6 0.1 150); border-radius: 99rem; background: color-mix(in oklab, white 90%, oklch(var(--tone) 0.1 150)) }',
    looks: {
      'border-top-color': /^rgb\(\d+, 1\d\d, \d+\)$/,
      'border-radius': '24px',
      'padding-left': '20px',
      height: '48px',
    },
  },
  'a shadow instead of a border': {
    css: '.box { height: 44px; padding: 0 12px; border: 0; border-radius: 6px; box-shadow: inset 0 0 0 1px #2563eb, 0 1px 2px #0003; background: white }',
    looks: { 'box-shadow': /inset/, 'border-width': '0px', height: '44px' },
  },
  'a filled field with round corners above': {
    css: '.box { height: 56px; padding: 8px 16px; border: 0; border-bottom: 1px solid #555; border-radius: 4px 4px 0 0; background: rgb(0 0 0 / 6%) }',
    looks: { 'border-radius': '4px 4px 0px 0px', 'background-color': 'rgb(240, 240, 240)', height: '56px' },
  },
  'a layer, a media query and nested rules': {
    css: '@layer base { .box { border: 1px solid #123456; height: 42px; background: #fafafa } } @media (min-width: 100px) { .group { & .box { padding: 0 10px; border-radius: 3px } } }',
    looks: {
      'border-top-color': 'rgb(18, 52, 86)',
      'padding-left': '10px',
      'border-radius': '3px',
      height: '42px',
    },
  },
} as const;

test('the form takes over the look of fields outside any framework', async ({ open, page, service }) => {
  const checkout = await open(await service.createIntent(), {
    css: '.box { box-sizing: border-box; font-size: 16px; width: 300px }',
    body: `<style id="own"></style>${FIELDS}`,
    options: { appearance: { from: OWN } },
  });
  await checkout.ready();
  for (const [what, { css, looks }] of Object.entries(STYLES)) {
    await page.locator('#own').evaluate((style, text) => {
      style.textContent = text;
    }, css);
    for (const [name, wanted] of Object.entries(looks))
      await expect(checkout.field('name'), what).toHaveCSS(name, wanted);
  }
});

const PLAIN = `.box { box-sizing: border-box; height: 44px; border: 1px solid #334155; border-radius: 5px; background: #fff; padding: 0 12px }
  .box:hover { border-color: #0f766e } .box:focus { border-color: #7c3aed; outline: 2px solid #7c3aed } .box.is-invalid { border-color: #be123c }
  .buy { height: 46px; background: #0f766e; color: #fff; border: 0 } .buy:hover { background: #115e59 }
  .dark .box { border-color: #a3e635 }`;

test("hover, focus and errors look as the page's rules say, even while the page's own field has the focus", async ({
  open,
  page,
  service,
}) => {
  const checkout = await open(await service.createIntent(), {
    css: PLAIN,
    body: FIELDS.replace('id="email"', 'id="email" autofocus'),
    options: { appearance: { from: OWN } },
  });
  await checkout.ready();
  const name = checkout.field('name');
  await page.mouse.move(1, 1);
  await expect(name).toHaveCSS('border-top-color', 'rgb(51, 65, 85)');
  await name.hover();
  await expect(name).toHaveCSS('border-top-color', 'rgb(15, 118, 110)');
  await name.focus();
  await expect(name).toHaveCSS('outline-color', 'rgb(124, 58, 237)');
  await name.evaluate((field) => field.closest('.field')?.setAttribute('data-state', 'problem'));
  await expect(name).toHaveCSS('border-top-color', 'rgb(190, 18, 60)');
  await checkout.payButton.hover();
  await expect(checkout.payButton).toHaveCSS('background-color', 'rgb(17, 94, 89)');
});

test('the form follows the page when its theme changes and when a style sheet arrives late', async ({
  open,
  page,
  service,
}) => {
  const checkout = await open(await service.createIntent(), {
    css: PLAIN,
    body: FIELDS,
    options: { appearance: { from: OWN } },
  });
  await checkout.ready();
  const name = checkout.field('name');
  await expect(name).toHaveCSS('border-top-color', 'rgb(51, 65, 85)');
  await page.evaluate(() => document.documentElement.classList.add('dark'));
  await expect(name).toHaveCSS('border-top-color', 'rgb(163, 230, 53)');
  await page.addStyleTag({ content: '.box.box.box { border-color: #1d4ed8 }' });
  await expect(name).toHaveCSS('border-top-color', 'rgb(29, 78, 216)');
  const theme = await holdRequests(page, '**/theme.css', {
    contentType: 'text/css',
    body: '.box.box.box:hover { border-color: #be185d }',
  });
  await page.evaluate(() => {
    const style = document.createElement('style');
    style.textContent = '@import url("/theme.css") supports(display: grid) screen;';
    document.head.append(style);
  });
  await theme.asked;
  await name.hover(); // a scroll has the page look again
  await page.addStyleTag({ content: '.box.box.box { border-color: #0f766e }' });
  await expect(name).toHaveCSS('border-top-color', 'rgb(15, 118, 110)'); // read without the import
  theme.release();
  await expect(name).toHaveCSS('border-top-color', 'rgb(190, 24, 93)');
});

test('in forced colours, where backgrounds and shadows are not painted, fields and button without a border have an edge', async ({
  open,
  page,
  service,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  const checkout = await open(await service.createIntent(), {
    css: '.box, .buy { box-sizing: border-box; height: 46px; border: 0; background: #dde; box-shadow: 0 1px 2px #0008 }',
    body: FIELDS,
    options: { appearance: { from: OWN } },
  });
  await checkout.ready();
  for (const place of [checkout.field('name'), checkout.payButton]) {
    await expect.poll(async () => (await place.boundingBox())?.height).toBe(46); // has the look
    const box = await place.boundingBox();
    if (!box) throw new Error('It is not seen.');
    const clip = { x: box.x - 10, y: box.y + box.height / 2, width: 20, height: 1 };
    const picture = readPicture(await page.screenshot({ clip }));
    const across = Array.from({ length: 20 }, (_, x) => contrast(picture.at(x, 0), picture.at(0, 0)));
    expect(Math.max(...across)).toBeGreaterThan(3);
  }
});

test('threat-model C86: given variables win, and update() takes selectors and elements', async ({
  open,
  page,
  service,
}) => {
  const checkout = await open(await service.createIntent(), {
    css: PLAIN,
    body: FIELDS,
    options: { appearance: { from: OWN, variables: { colorBorder: '#7c2d12' } } },
  });
  await checkout.ready();
  await expect(checkout.field('name')).toHaveCSS('border-top-color', 'rgb(124, 45, 18)');
  await expect(checkout.field('name')).toHaveCSS('height', '44px');
  await page.evaluate(() => window.forms[0]?.update({ appearance: { from: { field: '.box' } } }));
  await expect(checkout.field('name')).toHaveCSS('border-top-color', 'rgb(51, 65, 85)');
  await page.evaluate(() => {
    const field = Object.assign(document.createElement('input'), {
      style: 'border: 2px solid rgb(22, 101, 52)',
    });
    document.body.append(field);
    return window.forms[0]?.update({ appearance: { from: { field } } });
  });
  await expect(checkout.field('name')).toHaveCSS('border-top-color', 'rgb(22, 101, 52)');
});

test('a selector that matches nothing causes a warning, and the rest of the look is taken over', async ({
  open,
  service,
}) => {
  const checkout = await open(await service.createIntent(), {
    css: PLAIN,
    body: FIELDS,
    options: { appearance: { from: { field: '#emial', button: '.buy' } } },
  });
  await checkout.ready();
  await expect(checkout.payButton).toHaveCSS('background-color', 'rgb(15, 118, 110)');
  expect(JSON.stringify(await checkout.events('warning'))).toContain('appearance.from.field');
});

test('a field of a shadow root is taken over in each state, given as an element', async ({
  merchant,
  page,
  service,
}) => {
  const { client_secret } = await service.createIntent();
  await page.goto(merchant.serve({ body: '<main><div id="shop"></div><div id="card-form"></div></main>' }));
  await page.waitForFunction(() => 'mountCardForm' in window);
  await page.evaluate(
    ([publishableKey, clientSecret]) => {
      const root = document.querySelector('#shop')?.attachShadow({ mode: 'open' });
      if (!root) return;
      root.innerHTML = `<style>input { box-sizing: border-box; height: 50px; border: 2px solid #166534; border-radius: 0; background: #fff }
          :host { border-color: red; color: red } :host(:hover) input { border-color: #0f766e }
          :host(.is-invalid) input { border-color: #be123c }
          :host(:is(.other, :focus-within)) input { border-color: #7c3aed }</style><input>`;
      const field = root.querySelector('input');
      window.mountCardForm('#card-form', {
        publishableKey,
        clientSecret,
        locale: 'en',
        appearance: { from: { field } },
      });
    },
    [service.keys.publishable, client_secret] as const,
  );
  const checkout = checkoutPage(page);
  await checkout.ready();
  await expect(checkout.field('name')).toHaveCSS('height', '50px');
  const name = checkout.field('name');
  await expect(name).toHaveCSS('border-top-color', 'rgb(22, 101, 52)');
  await name.hover();
  await expect(name).toHaveCSS('border-top-color', 'rgb(15, 118, 110)');
  await page.mouse.move(1, 1);
  await name.focus();
  await expect(name).toHaveCSS('border-top-color', 'rgb(124, 58, 237)');
  await name.evaluate((field) => field.closest('.field')?.setAttribute('data-state', 'problem'));
  await expect(name).toHaveCSS('border-top-color', 'rgb(190, 18, 60)');
});

test('a browser without relative colours reads every notation of a colour', async ({
  open,
  page,
  service,
}) => {
  await page.addInitScript(() => {
    const { setProperty } = CSSStyleDeclaration.prototype;
    CSSStyleDeclaration.prototype.setProperty = function (name, value, priority) {
      if (!value?.includes('(from ')) setProperty.call(this, name, value, priority);
    };
  });
  const checkout = await open(await service.createIntent(), {
    css: '.box { box-sizing: border-box; height: 44px; border: 1px solid oklch(0 0 0); background: lab(100 0 0) } .buy { background: color(srgb 0.2 0.4 0.6 / 50%) }',
    body: FIELDS,
    options: { appearance: { from: OWN } },
  });
  await checkout.ready();
  await expect(checkout.field('name')).toHaveCSS('border-top-color', 'rgb(0, 0, 0)');
  await expect(checkout.field('name')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(checkout.payButton).toHaveCSS('background-color', 'rgb(153, 178, 204)');
});

test('fields of the page may have the names of properties that the reading needs', async ({
  open,
  service,
}) => {
  const names = ['createElement', 'querySelector', 'styleSheets', 'parentElement', 'children'];
  names.push('classList', 'attributes', 'matches', 'contains', 'getBoundingClientRect', 'querySelectorAll');
  const checkout = await open(await service.createIntent(), {
    css: PLAIN,
    body: FIELDS.replace(
      '<form>',
      `${names.map((name) => `<img name="${name}" alt="">`).join('')}<form>${names.map((name) => `<input type="hidden" name="${name}">`).join('')}`,
    ),
    options: { appearance: { from: OWN } },
  });
  await checkout.ready();
  await expect(checkout.field('name')).toHaveCSS('border-top-color', 'rgb(51, 65, 85)');
  await expect(checkout.field('name')).toHaveCSS('height', '44px');
  await checkout.field('name').hover();
  await expect(checkout.field('name')).toHaveCSS('border-top-color', 'rgb(15, 118, 110)');
});

test('lengths between two tenths of a pixel stay within the ranges of the form', async ({
  open,
  service,
}) => {
  const checkout = await open(await service.createIntent(), {
    css: '.box { box-sizing: border-box; height: 44px; border: 1px solid #334155; background: #fff; box-shadow: 0 2.25px 7px #0f172a }',
    body: FIELDS,
    options: { appearance: { from: { field: '#email' } } },
  });
  await checkout.ready();
  await expect(checkout.field('name')).toHaveCSS('box-shadow', 'rgb(15, 23, 42) 0px 2.3px 5.7px 0px');
  expect(await checkout.events('warning')).toEqual([]);
});

test("promises 2.14: a form without `from` loads nothing for it, and a form with it leaves the page's elements unchanged", async ({
  open,
  page,
  service,
}) => {
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  const without = await open(await service.createIntent(), { css: PLAIN, body: FIELDS });
  await without.ready();
  await without.hasAll();
  expect(requested.filter((url) => /page-look/.test(url))).toEqual([]);
  const checkout = await open(await service.createIntent(), {
    css: PLAIN,
    body: FIELDS.replace(
      '<form>',
      '<form><script>window.changed = []; new MutationObserver((records) => window.changed.push(...records.map(({ target }) => target.nodeName))).observe(document.documentElement, { attributes: true, subtree: true })</script>',
    ),
    options: { appearance: { from: OWN } },
  });
  await checkout.ready();
  await expect(checkout.field('name')).toHaveCSS('height', '44px');
  expect(requested.filter((url) => /page-look/.test(url)).length).toBeGreaterThan(0);
  const changed: unknown = await page.evaluate(() => Reflect.get(window, 'changed'));
  expect(changed).not.toContain('INPUT');
  expect(changed).not.toContain('BUTTON');
});
