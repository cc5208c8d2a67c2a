/** Finds elements that don't fit their box. */
import type { Locator } from 'playwright/test';

/** The result of `overflowOf` when everything fits. */
export const NO_OVERFLOW = { sideways: 0, wide: [], broken: [], covered: [] };

/**
 * Elements wider than their box, labels that are cut off or wrap, and text hidden because its box is too low (up to 4
 * px of line spacing is allowed). `frame` is the root of the form's document.
 */
export const overflowOf = (frame: Locator) =>
  frame.evaluate((root) => {
    // The content of a closed `<details>` is not laid out.
    const isSeen = (element: Element) =>
      element.checkVisibility() && getComputedStyle(element).clipPath === 'none';
    const shown = [...root.querySelectorAll('*')].filter(
      (element) => isSeen(element) && !element.matches('summary, svg *'), // the arrow beside a summary is turned
    );
    const wide = shown.filter(
      (element) =>
        !element.matches('input') && // what is typed scrolls in its field
        getComputedStyle(element).display !== 'inline' &&
        element.scrollWidth > element.clientWidth + 1,
    );
    const { right: end } = root.getBoundingClientRect();
    const broken = [...root.querySelectorAll('.field-head label, legend')].filter(isSeen).filter((label) => {
      const range = document.createRange();
      range.selectNodeContents(label);
      const { left, right, top, bottom } = range.getBoundingClientRect();
      const box = (label.closest('.field-head') ?? label).getBoundingClientRect();
      const lines = new Set([...range.getClientRects()].map((line) => Math.round(line.top))).size;
      const isCut =
        top < box.top - 4 || bottom > box.bottom + 4 || right > box.right + 1 || left < box.left - 1;
      return (lines > 1 && label.matches('label')) || isCut || left < 0 || right > end + 1;
    });
    // Hints beside a label are omitted if they don't fit.
    const covered = shown.filter(
      (element) =>
        /hidden|clip/.test(getComputedStyle(element).overflowY) &&
        !element.matches('.field-head') &&
        element.textContent !== '' && // marks that have no room beside the number wrap out of sight
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
