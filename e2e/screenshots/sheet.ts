/**
 * The contact sheets, each as HTML (a click opens a screenshot in full) and as one PNG: every state in a row of
 * screenshots, every variable of an appearance, the style sheets compared with `appearance.from`, and the themes of the
 * package.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { expect, type Page, test } from 'playwright/test';
import { THEMES } from '../look/example-themes.ts';
import { STATE_NAMES } from '../support/form-states.ts';
import { LANGUAGES, SCHEMES, SCREENSHOTS, screenshotName, WIDTHS } from './plan.ts';

/** The longest side of a screenshot that Chromium can take, in pixels. */
const LONGEST = 16_000;
/** The scale of the screenshots on the sheet. */
const SCALE = 0.34;

const STYLE = `
body { width: max-content; margin: 24px; background: #d9dce1; font: 13px/1.4 sans-serif; color: #222 }
h1 { font-size: 20px } h2 { font-size: 16px; margin: 28px 0 8px }
.row { display: flex; gap: 10px; align-items: start }
.grid { display: grid; grid-template-columns: repeat(5, max-content); gap: 24px; align-items: start }
figure { margin: 0 } figcaption { font-size: 12px; white-space: nowrap }
img { display: block; box-shadow: 0 0 0 1px #0002 }
`;

/** A scaled screenshot with its caption; empty if there is no such file. */
const figure = async (name: string, caption: string, scale: number): Promise<string> => {
  const head = await readFile(`${SCREENSHOTS}/${name}`).catch(() => null);
  if (!head) return '';
  const [wide, high] = [16, 20].map((at) => Math.round(head.readUInt32BE(at) * scale)); // from the PNG header
  const address = encodeURIComponent(name);
  return `<figure><a href="${address}"><img src="${address}" width="${wide}" height="${high}" alt=""></a><figcaption>${caption}</figcaption></figure>`;
};

const rowOf = async (state: string): Promise<string> => {
  const figures: string[] = [];
  for (const locale of Object.keys(LANGUAGES))
    for (const scheme of SCHEMES)
      for (const width of WIDTHS) {
        figures.push(
          await figure(screenshotName(state, locale, scheme, width), `${locale} ${scheme} ${width}`, SCALE),
        );
      }
  return `<h2>${state}</h2><div class="row">${figures.join('')}</div>`;
};

/** Writes a sheet as HTML and as PNG. */
const paint = async (page: Page, name: string, title: string, body: string): Promise<void> => {
  const path = `${SCREENSHOTS}/${name}`;
  const html = `<!doctype html><meta charset="utf-8"><title>${title}</title><style>${STYLE}</style><h1>${title}</h1>${body}`;
  await writeFile(`${path}.html`, html);
  await page.setViewportSize({ width: 900, height: 100 }); // the sheet's own height, however low
  await page.goto(pathToFileURL(`${path}.html`).href);
  const { width, height } = await page.evaluate(() => ({
    width: document.documentElement.scrollWidth + 24,
    height: document.documentElement.scrollHeight,
  }));
  expect(height).toBeLessThan(LONGEST);
  await page.setViewportSize({ width, height: 800 });
  await page.screenshot({ path: `${path}.png`, fullPage: true, clip: { x: 0, y: 0, width, height } });
  console.log(`${path}.html and .png`);
};

test('every state on one sheet', async ({ page }) => {
  const rows: string[] = [];
  for (const state of STATE_NAMES) rows.push(await rowOf(state));
  await paint(page, 'sheet', 'Every state', rows.join(''));
});

/** Sheets of all screenshots whose name begins with this prefix, by title. */
const BY_NAME = {
  tokens: { title: 'Every variable of an appearance', named: /^token-\d+-(.*)\.png$/ },
  from: { title: 'The fields of the page, and of the form', named: /^from-(.*)\.png$/ },
};

for (const [sheet, { title, named }] of Object.entries(BY_NAME))
  test(`${title} on one sheet`, async ({ page }) => {
    const names = (await readdir(SCREENSHOTS)).filter((name) => named.test(name)).sort();
    const figures: string[] = [];
    for (const name of names) figures.push(await figure(name, name.replace(named, '$1'), 0.6));
    await paint(page, sheet, title, `<div class="grid">${figures.join('')}</div>`);
  });

test('every theme on one sheet', async ({ page }) => {
  const figures: string[] = [];
  for (const theme of Object.keys(THEMES)) {
    for (const scheme of SCHEMES) {
      figures.push(await figure(`theme-${theme}-${scheme}.png`, `${theme}, ${scheme}`, 0.6));
    }
  }
  await paint(page, 'themes', 'Every theme', `<div class="row">${figures.join('')}</div>`);
});
