/** Measures the height of the form by the width of its container, for the table in docs/quick-start.md. */
import { KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, type Open } from '../support/fixtures.ts';
import { formOn, hideRibbon } from '../support/form-states.ts';
import type { Service } from '../support/service.ts';
import { setInBoxes } from './screenshot-font.ts';

/** The widths of the container, in CSS pixels. */
export const WIDTHS = [320, 340, 390, 480, 720, 1280] as const;

/** The table's columns, each with the options of its form. */
export const FORMS = {
  'Guest in the US': {},
  'Address known': { defaultValues: KNOWN_BUYER },
  'Address hidden': {
    defaultValues: KNOWN_BUYER,
    fields: { billingDetails: { email: 'never', name: 'never', address: 'never' } },
  },
  'Guest, with your own button': { payButton: 'host' },
} as const;

/** `ribbon`: the height of the sandbox's ribbon and the gap below it. The other heights do not include it. */
export type Heights = { rows: readonly (readonly number[])[]; ribbon: number };

/**
 * Opens each form once and measures it at every width: a row per width, a column per form. The text is set in the box
 * font, so that the heights are the same on every machine.
 */
export const measureHeights = async (open: Open, service: Service): Promise<Heights> => {
  const columns: number[][] = [];
  let ribbon = 0;
  for (const options of Object.values(FORMS)) {
    const { page } = await open(await service.createIntent(), {
      css: 'body { margin: 0 16px }', // the frame is wider than its container
      body: '<div id="card-form"></div>',
      options,
    });
    const form = formOn(page);
    await expect(form.frame.locator('.summary[data-state="known"]')).toBeVisible();
    await setInBoxes(form);
    const height = () => form.iframe.evaluate(({ clientHeight }) => clientHeight);
    await form.settled();
    const withRibbon = await height();
    await hideRibbon(form);
    await expect.poll(height).toBeLessThan(withRibbon);
    ribbon = withRibbon - (await height());
    const column: number[] = [];
    for (const width of WIDTHS) {
      await page.setViewportSize({ width: width + 32, height: 1400 });
      await form.settled();
      column.push(await height());
    }
    columns.push(column);
  }
  return { rows: WIDTHS.map((_, row) => columns.map((column) => column[row] ?? 0)), ribbon };
};

/** The table as Markdown. */
export const tableOf = ({ rows }: Heights): string =>
  [
    ['Width of the container', ...Object.keys(FORMS)],
    ['---', ...Object.keys(FORMS).map(() => '---')],
    ...WIDTHS.map((width, row) => [`${width} px`, ...(rows[row] ?? []).map((height) => `${height} px`)]),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
