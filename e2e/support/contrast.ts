/** Measures the contrast of the form's texts with what is really painted behind them. */
import { expect, type Frame, type Page } from 'playwright/test';

/** One text of the form: its words, and its lowest contrast with a pixel behind it. */
export type MeasuredText = { text: string; contrast: number };

/** Lets the texts of a document vanish, and only them, or show again. */
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

/** The boxes of all visible texts outside of fields, in CSS pixels of the frame, and their colours. */
const textsOf = () => {
  const found: { text: string; color: string; box: [number, number, number, number] }[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue?.trim();
    const parent = node.parentElement;
    if (!text || !parent?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (parent.closest('option, .unseen, .ribbon')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { x, y, width, height } = range.getBoundingClientRect();
    // Clipped texts are for screen readers alone.
    if (width < 2 || height < 2 || getComputedStyle(parent).clipPath !== 'none') continue;
    found.push({ text, color: getComputedStyle(parent).color, box: [x, y, width, height] });
  }
  return found;
};

/** In the page: the lowest contrast of each text with the pixels in its box. */
const lowest = async ({
  picture,
  texts,
}: {
  picture: string;
  texts: { text: string; color: string; box: [number, number, number, number] }[];
}) => {
  const bytes = Uint8Array.from(atob(picture), (character) => character.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('no canvas');
  context.drawImage(bitmap, 0, 0);
  const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const luminance = (red = 0, green = 0, blue = 0) =>
    0.2126 * linear(red / 255) + 0.7152 * linear(green / 255) + 0.0722 * linear(blue / 255);
  return texts.map(({ text, color, box: [x, y, width, height] }) => {
    const [red, green, blue] = color.match(/[\d.]+/g)?.map(Number) ?? [];
    const ink = luminance(red, green, blue);
    const { data } = context.getImageData(Math.round(x), Math.round(y), Math.ceil(width), Math.ceil(height));
    let contrast = 21;
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3] !== 255) continue; // outside of the picture
      const ground = luminance(data[at], data[at + 1], data[at + 2]);
      const pair = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
      contrast = Math.min(contrast, pair);
    }
    return { text, contrast: Math.floor(contrast * 100) / 100 };
  });
};

/**
 * Every text of the form in `frame` with its contrast. `blank` is a page of the same browser in which the picture is
 * read: the policy of neither page nor form has to allow it.
 */
export const measureContrast = async (
  page: Page,
  frame: Frame,
  blank: Page,
): Promise<readonly MeasuredText[]> => {
  const element = await frame.frameElement();
  await frame.evaluate(hideTexts, true);
  const texts = await frame.evaluate(textsOf);
  const { x, y, width, height } = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const picture = await page.screenshot({ clip: { x, y, width, height }, scale: 'css' });
  await frame.evaluate(hideTexts, false);
  expect(texts.length).toBeGreaterThan(5);
  return blank.evaluate(lowest, { picture: picture.toString('base64'), texts });
};
