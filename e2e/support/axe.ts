/** Checks a document with axe, against the WCAG rules that a machine can check. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame } from 'playwright/test';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * The rules of WCAG 2.0 to 2.2 (A and AA) and of best practice that a document breaks, each with the elements at fault.
 * `ground` is the page's colour: the form's document is transparent, and axe can't see the page behind it. Waits for
 * transitions to end, because intermediate colours don't count.
 */
export const violations = async (frame: Frame, ground: string): Promise<readonly string[]> => {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe);
  return frame.evaluate(async (colour) => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(ending.map(({ finished }) => finished));
    const { style } = document.documentElement;
    const before = style.backgroundColor;
    style.backgroundColor = colour;
    const run: unknown = Reflect.get(Reflect.get(window, 'axe'), 'run');
    if (typeof run !== 'function') throw new Error('axe is not there');
    const { violations: found } = await run(document, {
      iframes: false,
      resultTypes: ['violations'],
      preload: false, // of style sheets, for rules that are off
      rules: {
        // Off by default: AA of WCAG 2.2.
        'target-size': { enabled: true },
        // Rules about the page around the form.
        'page-has-heading-one': { enabled: false },
        'landmark-one-main': { enabled: false },
        region: { enabled: false },
      },
    });
    style.backgroundColor = before;
    return found.map(
      ({ id, nodes }: { id: string; nodes: { html: string; failureSummary?: string }[] }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' ')}`,
    );
  }, ground);
};
