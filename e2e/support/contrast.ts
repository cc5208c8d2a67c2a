/** Measures the contrast of the form's texts with what is actually painted behind them. */
import { expect, type Frame, type Page } from 'playwright/test';
import { painted } from './painted.ts';
import { contrast, pixelsIn, readPicture } from './pixels.ts';

/** A text of the form, and its lowest contrast with a pixel behind it. */
export type MeasuredText = { text: string; contrast: number };

/** Hides only the texts of a document, or shows them again. */
const hideTexts = (hidden: boolean) => {
  const all = document.adoptedStyleSheets;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    '* { -webkit-text-fill-color: transparent !important; caret-color: transparent !important; animation: none !important; transition: none !important }',
  );
  const [{ cssText: rule } = { cssText: '' }] = sheet.cssRules;
  document.adoptedStyleSheets = hidden
    ? [...all, sheet]
    : all.filter(({ cssRules }) => cssRules[0]?.cssText !== rule); // the form may have adopted others since
};

/** Boxes of all visible texts outside fields, in CSS pixels of the frame, and their colours. */
const textsOf = () => {
  const found: { text: string; color: string; box: [number, number, number, number] }[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue?.trim();
    const parent = node.parentElement;
    if (!text || !parent?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (
      parent.closest(
        'option, .unseen, [data-kind=loading] > :last-child, [data-quiet]:not(:focus-within) .field-head, .ribbon',
      )
    )
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { x, y, width, height } = range.getBoundingClientRect();
    // Clipped texts are only for screen readers.
    if (width < 2 || height < 2 || getComputedStyle(parent).clipPath !== 'none') continue;
    found.push({ text, color: getComputedStyle(parent).color, box: [x, y, width, height] });
  }
  return found;
};

/** Every text of the form in `frame`, with its contrast. */
export const measureContrast = async (page: Page, frame: Frame): Promise<readonly MeasuredText[]> => {
  const element = await frame.frameElement();
  await frame.evaluate(hideTexts, true);
  const texts = await frame.evaluate(textsOf);
  await painted(frame.locator(':root'));
  const { x, y, width, height } = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const picture = readPicture(await page.screenshot({ clip: { x, y, width, height }, scale: 'css' }));
  await frame.evaluate(hideTexts, false);
  expect(texts.length).toBeGreaterThan(5);
  return texts.map(({ text, color, box: [left, top, across, down] }) => {
    const [red = 0, green = 0, blue = 0] = color.match(/[\d.]+/g)?.map(Number) ?? [];
    let lowest = 21;
    for (const [column, row] of pixelsIn({ x: left, y: top, width: across, height: down })) {
      if (column < 0 || row < 0 || column >= picture.width || row >= picture.height) continue;
      lowest = Math.min(lowest, contrast([red, green, blue], picture.at(column, row)));
    }
    return { text, contrast: Math.floor(lowest * 100) / 100 };
  });
};
