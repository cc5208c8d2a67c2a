/** The form with each variable of an appearance changed by itself, beside the form as it comes. */
import { mkdir } from 'node:fs/promises';
import { CARD } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { formOn, hideRibbon } from '../support/form-states.ts';
import { PAGE, PICTURES } from './plan.ts';

/** Values far enough from the defaults to be seen. */
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

const PICTURED = [['as it comes', undefined], ...Object.entries(VARIABLES)] as const;

for (const [index, [name, value]] of PICTURED.entries()) {
  test(`${name} is pictured`, async ({ page, service, open }) => {
    await mkdir(PICTURES, { recursive: true });
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
      path: `${PICTURES}/token-${number}-${caption}.png`,
      animations: 'disabled',
    });
  });
}
