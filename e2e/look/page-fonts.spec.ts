/**
 * The page's own fonts: they draw labels, headings, hints, typed names and addresses, but no part of the amount,
 * whatever their glyphs are (threat-model 1.6). Judged by pixels.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright/test';
import type { CheckoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { holdRequests } from '../support/hold-requests.ts';
import { painted } from '../support/painted.ts';
import { looksAlike, type Picture, readPicture } from '../support/pixels.ts';
import { advanceBy, type FontSource, type Glyph, substitute, trueType } from '../support/truetype.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width: 440, height: 2600 } });

const REAL = readFileSync(
  fileURLToPath(
    import.meta.resolve('@fontsource-variable/montserrat/files/montserrat-latin-wght-normal.woff2'),
  ),
);

/** Serves files at the page's own origin. */
const serveFonts = async (page: Page, files: Readonly<Record<string, Buffer>>) => {
  for (const [name, body] of Object.entries(files))
    await page.route(`**/${name}`, (route) => route.fulfill({ body, contentType: 'font/ttf' }));
};

/** Without rounded corners, because a browser antialiases their edges differently if the form is higher. */
const appearanceOf = (fontFamily: string, look: object = {}) => ({
  ...look,
  variables: { fontFamily, borderRadius: '0' },
});

const withFonts = (...fonts: readonly object[]) => ({
  css: 'body { margin: 0 } h1 { display: none }',
  options: { appearance: appearanceOf('Brand, Arial'), fonts },
});

/** The font faces that the form has made of the page's fonts. */
const faces = ({ frame }: CheckoutPage) =>
  frame
    .locator(':root')
    .evaluate(() => [...document.fonts].map(({ status, weight, style }) => ({ status, weight, style })));

const arrived = (form: CheckoutPage, count = 1) =>
  expect.poll(() => faces(form), 'fonts of the page').toHaveLength(count);

const pictureOf = async (locator: Locator): Promise<Picture> => readPicture(await locator.screenshot());

test('threat-model 1.6: a font of the page draws labels, headings, and typed names and addresses', async ({
  open,
  page,
  service,
}) => {
  await serveFonts(page, { 'brand.woff2': REAL });
  const form = await open(
    await service.createIntent(),
    withFonts({ family: 'Brand', src: '/brand.woff2', weight: '100 900' }),
  );
  await form.ready();
  await arrived(form);
  expect(await faces(form)).toEqual([{ status: 'loaded', weight: '100 900', style: 'normal' }]);
  await form.fill();
  const { frame, field } = form;
  const drawn: Readonly<Record<string, Locator>> = {
    label: frame.locator('label').first(),
    heading: frame.locator('legend').first(),
    name: field('name'),
    address: field('line1'),
    country: field('country'),
  };
  const kept: Readonly<Record<string, Locator>> = {
    total: frame.locator('.summary'),
    button: form.payButton,
    number: field('number'),
    code: field('code'),
  };
  const pictures = async () => {
    await painted(frame.locator(':root'));
    const taken: Record<string, Picture> = {};
    for (const [name, locator] of Object.entries({ ...drawn, ...kept }))
      taken[name] = await pictureOf(locator);
    return taken;
  };
  await form.field('name').blur();
  const own = await pictures();
  await page.evaluate((appearance) => window.forms[0]?.update({ appearance }), appearanceOf('Arial'));
  const arial = await pictures();
  const same = Object.keys({ ...drawn, ...kept }).filter((name) => {
    const [one, other] = [own[name], arial[name]];
    return one && other && looksAlike(one, other);
  });
  expect(same).toEqual(Object.keys(kept));
  expect(await form.events('warning')).toEqual([]);
});

/**
 * The digits in a field, without a floating label above them, keyed by their horizontal position: a wide label may put
 * its field on a separate line, and a browser antialiases the same digits differently at another fraction of a pixel.
 */
const digitsIn = async (page: Page, field: Locator): Promise<Readonly<Record<string, Picture>>> => {
  const { x = 0, y = 0, height = 0 } = (await field.boundingBox()) ?? {};
  const clip = { x: x + 14, y: y + height - 28, width: 60, height: 20 };
  return { [`${await field.getAttribute('id')} at ${x}`]: readPicture(await page.screenshot({ clip })) };
};

/** The first glyph is empty and stands for characters missing from the font. */
const EMPTY: Glyph = { advance: 500 };
const BOX: Glyph = { advance: 600, box: [0, 0, 560, 700] };
/** Paints black for 15 times the font's size around its letter. */
const BLOT: Glyph = { advance: 600, box: [-15_000, -15_000, 15_000, 15_000] };

/** Every character of the Basic Multilingual Plane, digits and signs included. */
const EVERYTHING = [[0x20, 0xd7ff, 1]] as const;

const BLOTS: FontSource = { glyphs: [EMPTY, BLOT], characters: EVERYTHING };
const WIDE: FontSource = { glyphs: [EMPTY, { ...BLOT, advance: 32_000 }], characters: EVERYTHING };

const LIARS: Readonly<Record<string, FontSource>> = {
  'digits, points and signs': { glyphs: [EMPTY, BOX], characters: EVERYTHING },
  'glyphs far outside their box': BLOTS,
  'empty glyphs': { glyphs: [EMPTY, EMPTY, BOX], characters: EVERYTHING },
  'glyphs without a width': { glyphs: [EMPTY, { ...BLOT, advance: 0 }], characters: EVERYTHING },
  'glyphs of enormous width': WIDE,
  'negative advances': {
    glyphs: [EMPTY, BLOT],
    characters: EVERYTHING,
    layout: { GPOS: advanceBy(1, -1_400) },
  },
  'a ligature of any two letters': {
    glyphs: [EMPTY, BOX, BLOT],
    characters: EVERYTHING,
    layout: { GSUB: substitute('liga', 1, 2) },
  },
  'other glyphs in context': {
    glyphs: [EMPTY, BOX, BLOT],
    characters: EVERYTHING,
    layout: { GSUB: substitute('calt', 1, 2) },
  },
  'other glyphs in a language': {
    glyphs: [EMPTY, BOX, BLOT],
    characters: EVERYTHING,
    layout: { GSUB: substitute('locl', 1, 2) },
  },
};

const LAYOUTS: readonly object[] = [
  { labels: 'above' },
  { labels: 'floating' },
  { labels: 'hidden', card: 'row' },
  { fields: 'grouped' },
];

test('threat-model C81: a form with an enormously wide font can still be paid', async ({
  open,
  page,
  service,
}) => {
  await page.setViewportSize({ width: 440, height: 900 });
  await serveFonts(page, { 'liar.ttf': trueType(WIDE) });
  const form = await open(await service.createIntent(), withFonts({ family: 'Brand', src: '/liar.ttf' }));
  await form.ready();
  await arrived(form);
  await form.pay();
  await expect(form.field('number')).toBeFocused(); // every field shows its problem
  await painted(form.frame.locator(':root'));
  // The script limits the height of a form to 4096 px.
  expect(await form.iframe.evaluate((iframe) => iframe.clientHeight)).toBeLessThan(3000);
  await form.fill();
  await form.pay();
  await expect(form.outcome).toHaveText('Payment received');
});

test('promises 1.5: no font is fetched before the total is shown', async ({ open, page, service }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await serveFonts(page, { 'brand.woff2': REAL });
  const reading = await holdRequests(page, '**/partner/v1/client/**');
  const form = await open(await service.createIntent(), withFonts({ family: 'Brand', src: '/brand.woff2' }));
  await reading.asked;
  await form.hasAll();
  expect(asked).not.toContain('/brand.woff2');
  reading.release();
  await arrived(form);
  expect(asked).toContain('/brand.woff2');
});

test('promises 1.5: unusable fonts cause warnings, and the form is paid without them', async ({
  open,
  page,
  service,
  site,
  watch,
}) => {
  watch.expect(/blocked by CORS policy/);
  await serveFonts(page, { 'none.woff2': Buffer.from('no font'), 'large.woff2': Buffer.alloc(300_001) });
  const sources = ['/missing.woff2', '/none.woff2', '/large.woff2', site.put('/brand.woff2', 'no CORS')];
  const form = await open(
    await service.createIntent(),
    withFonts(...sources.map((src) => ({ family: 'Brand', src }))),
  );
  await form.ready();
  const hints = async () => {
    const warnings: unknown = await form.events('warning');
    return (
      JSON.stringify(warnings)
        .match(/fonts\[\d\] is not used: [^"]*/g)
        ?.sort() ?? []
    );
  };
  await expect
    .poll(hints)
    .toEqual([
      expect.stringContaining('status 404'),
      expect.stringContaining('no font that this browser can read'),
      expect.stringContaining('300001 bytes'),
      expect.stringContaining('CORS'),
    ]);
  expect(await faces(form)).toEqual([]);
  await form.fill();
  await form.pay();
  await expect(form.outcome).toHaveText('Payment received');
});

const LIES = Object.entries(LIARS);

/** One less than a page may give. */
const EACH = 3;

/** The entry at `at` and the one after it; wraps around at the end of the list. */
const twoOf = <Entry>(list: readonly Entry[], at: number): readonly Entry[] =>
  [at, at + 1].flatMap((index) => list[index % list.length] ?? []);

for (let start = 0; start < LIES.length; start += EACH) {
  const some = LIES.slice(start, start + EACH);
  test(`threat-model C81: amount, button and card are identical to the pixel with fonts of ${some.map(([lie]) => lie).join(', ')}`, async ({
    open,
    page,
    service,
  }) => {
    test.slow();
    const files = some.map(([, source], index) => [`liar-${index}.ttf`, trueType(source)] as const);
    await serveFonts(page, Object.fromEntries(files));
    const form = await open(
      await service.createIntent(),
      withFonts(
        ...files.map(([file], index) => ({ family: `Liar ${index}`, src: `/${file}`, weight: '100 900' })),
      ),
    );
    await form.ready();
    await arrived(form, some.length);
    const { frame, field } = form;
    await form.fill({ email: 'ada@' });
    await form.pay();
    await expect(field('email')).toBeFocused();
    await form.details.click();
    await page.mouse.move(0, 0); // a button under the pointer has another colour
    const places: Readonly<Record<string, Locator>> = {
      total: frame.locator('.summary'),
      button: form.payButton,
    };
    const label = frame.locator('.field-head').first();
    const card = [field('number'), field('expiry'), field('code')];
    const pictures = async (look: object, fontFamily: string, drawnIn: string) => {
      await page.evaluate(
        (appearance) => window.forms[0]?.update({ appearance }),
        appearanceOf(fontFamily, look),
      );
      await expect(frame.locator(':root')).toHaveAttribute('style', new RegExp(`--page-font: "${drawnIn}"`));
      await painted(frame.locator(':root'));
      const taken: Record<string, Picture> = {};
      for (const [name, locator] of Object.entries(places)) taken[name] = await pictureOf(locator);
      if (!('card' in look)) taken.label = await pictureOf(label);
      for (const locator of card) Object.assign(taken, await digitsIn(page, locator));
      return taken;
    };
    // Each font in two of the layouts, and each layout with several fonts.
    for (const look of LAYOUTS) {
      const honest = await pictures(look, 'Arial', 'Arial');
      for (const [index, [lie]] of some.entries()) {
        if (!twoOf(LAYOUTS, start + index).includes(look)) continue;
        const lying = await pictures(look, `Liar ${index}, Arial`, `page-${index}`);
        const changed = Object.keys(honest).filter((name) => {
          const [one, other] = [honest[name], lying[name]];
          return one && other && !looksAlike(one, other);
        });
        // The label proves that the font was used. A hidden label can't be seen.
        expect(changed, `${lie}, ${JSON.stringify(look)}`).toEqual('card' in look ? [] : ['label']);
      }
    }
  });
}
