/** The form with one variable of its appearance changed at a time, beside the form without an appearance. */
import { mkdir } from 'node:fs/promises';
import { CARD } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { formOn, hideRibbon } from '../support/form-states.ts';
import { PAGE, SCREENSHOTS } from './plan.ts';

/** Values that differ visibly from the defaults. */
const VARIABLES = {
  colorPrimary: '#c2410c',
  colorBackground: '#fdf3d7',
  colorText: '#3b0764',
  colorTextSecondary: '#be185d',
  colorTextPlaceholder: '#0e7490',
  colorDanger: '#a21caf',
  colorSuccess: '#0e7490',
  colorBorder: '#16a34a',
  colorFieldBackground: '#e0f2fe',
  buttonColorBackground: '#111827',
  buttonColorText: '#fde047',
  fontFamily: 'Georgia, serif',
  fontSizeBase: '20px',
  fontWeightNormal: 300,
  fontWeightMedium: 700,
  fontWeightBold: 800,
  borderRadius: '0',
  buttonBorderRadius: '28px',
  spacingUnit: '6px',
  formPadding: '24px',
} as const;

test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width: 420, height: 1500 } });

const CASES = [['default', undefined], ...Object.entries(VARIABLES)] as const;

for (const [index, [name, value]] of CASES.entries()) {
  test(`${name} takes its screenshot`, async ({ page, service, open }) => {
    await mkdir(SCREENSHOTS, { recursive: true });
    const intent = await service.createIntent({ description: 'Three coffees and their filters' });
    const variables = value === undefined ? {} : { [name]: value };
    await open(intent, {
      css: `${PAGE} :root { color-scheme: light }`,
      options: { appearance: { variables } },
    });
    const form = formOn(page);
    await hideRibbon(form);
    if (name === 'colorSuccess') {
      await form.fillIn();
      await form.press();
      await expect(form.outcome).toBeVisible();
    } else {
      await form.typeCard(name === 'colorDanger' ? '4242424242424241' : CARD.mastercard);
      await form.field('cc-csc').fill('');
      await form.field('cc-name').focus();
    }
    const number = String(index).padStart(2, '0');
    const caption = value === undefined ? name : `${name} ${value}`.replace(/[^\w#. -]/g, '');
    await form.iframe.screenshot({
      path: `${SCREENSHOTS}/token-${number}-${caption}.png`,
      animations: 'disabled',
    });
  });
}
