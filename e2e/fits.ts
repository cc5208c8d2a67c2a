/** What does not fit where it stands. */
import type { Locator } from 'playwright/test';

/** Nothing of it. */
export const FITS = { sideways: 0, wide: [], broken: [], covered: [] };

/**
 * What is wider than its place, labels that are cut off or take more than one line, and text that is hidden
 * because its place is not as high as it. `frame` is the root of the form's document.
 */
export const tooWide = (frame: Locator) =>
  frame.evaluate((root) => {
    const shown = [...root.querySelectorAll('*')].filter(
      (element) => !element.matches('.unseen, summary, svg *'), // the arrow beside a summary is turned
    );
    const wide = shown.filter(
      (element) =>
        getComputedStyle(element).display !== 'inline' && element.scrollWidth > element.clientWidth + 1,
    );
    const { right: end } = root.getBoundingClientRect();
    const broken = [...root.querySelectorAll('.field-head label, legend')].filter((label) => {
      const { height, left, right } = label.getBoundingClientRect();
      const lines = height / Number.parseFloat(getComputedStyle(label).lineHeight);
      return lines > 1.6 || left < 0 || right > end + 1;
    });
    // Hints beside a label are left out where they do not fit.
    const covered = shown.filter(
      (element) =>
        /hidden|clip/.test(getComputedStyle(element).overflowY) &&
        !element.matches('.field-head') &&
        element.scrollHeight > element.clientHeight + 1,
    );
    const nameOf = (element: Element) =>
      `${element.tagName}.${element.className}: ${element.textContent?.slice(0, 40)}`;
    return {
      sideways: root.scrollWidth - root.clientWidth,
      wide: wide.map(nameOf),
      broken: broken.map((label) => label.textContent),
      covered: covered.map(nameOf),
    };
  });
