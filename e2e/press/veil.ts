/** An opaque box that shows another amount and lets the pointer through. */
import type { Locator } from 'playwright/test';
import type { CheckoutPage } from '../support/checkout-page.ts';

/** Lays a veil over each of these elements. */
export const cover = async (checkout: CheckoutPage, ...covered: readonly Locator[]) => {
  for (const one of covered) {
    const box = await one.boundingBox();
    if (!box) throw new Error('The element to cover must be visible.');
    await checkout.page.evaluate(({ x, y, width, height }) => {
      const veil = document.createElement('div');
      veil.className = 'veil';
      veil.textContent = 'Total: $1.00';
      veil.style.cssText = `position:absolute;left:${x + scrollX}px;top:${y + scrollY}px;width:${width}px;height:${height}px;background:#fff;pointer-events:none;z-index:9`;
      document.body.append(veil);
    }, box);
  }
};

export const uncover = (checkout: CheckoutPage) =>
  checkout.page.evaluate(() => {
    for (const veil of document.querySelectorAll('.veil')) veil.remove();
  });
