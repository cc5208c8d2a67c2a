/** promises 2.7: a reference too long for one line of the receipt leaves no tail of a few characters. */
import { expect, test } from '../support/fixtures.ts';
import { STATES } from '../support/form-states.ts';

/** The number of characters in each line of the value. */
const linesOf = (value: Element): readonly number[] => {
  const lines = new Map<number, number>();
  const walker = document.createTreeWalker(value, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (let at = 0; at < (node.textContent ?? '').length; at += 1) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const top = Math.round(range.getBoundingClientRect().top);
      lines.set(top, (lines.get(top) ?? 0) + 1);
    }
  }
  return [...lines.values()];
};

test('promises 2.7: a reference breaks into lines of about the same length', async ({
  page,
  service,
  open,
}, info) => {
  const form = await STATES.succeeded({ page, service, open, locale: 'en' });
  const reference = form.frame.locator('.receipt dd').last();
  await expect(reference).toHaveText(/^lg_pi_\w+$/);
  await expect(reference).toHaveJSProperty('translate', false);
  let broken = false;
  for (const width of [240, 280, 320, 360, 390, 430, 480]) {
    await page.setViewportSize({ width, height: 900 });
    await form.settled();
    await page.screenshot({ path: info.outputPath(`${width}.png`) });
    const lines = await reference.evaluate(linesOf);
    broken ||= lines.length > 1;
    expect(Math.min(...lines), `${width} px: ${lines}`).toBeGreaterThanOrEqual(Math.max(...lines) / 2);
  }
  expect(broken).toBe(true);
  // Proves that the measure sees a tail.
  await reference.evaluate((value) => {
    value.textContent = 'x'.repeat(24);
    value.setAttribute('class', 'tail');
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.tail { width: 20ch; font-family: monospace; text-wrap: wrap !important }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });
  expect(await reference.evaluate(linesOf)).toEqual([20, 4]);
});
