/**
 * A shop's checkout that is independent of our fixtures: its own markup, a long page, a sticky bar at the top, and a
 * form somewhere in the middle. For tests of what a buyer sees on a page that wasn't made for the form.
 */
import type { Page } from 'playwright/test';
import { checkoutPage, KNOWN_BUYER } from './checkout-page.ts';
import type { ForeignSite } from './foreign-site.ts';
import type { Intent, Service } from './service.ts';

const CSS = `
  * { box-sizing: border-box }
  body { margin: 0; font: 15px/1.6 Georgia, serif; color: #222; background: #fbf8f3 }
  header { position: sticky; top: 0; padding: 14px 20px; background: #fff; border-bottom: 1px solid #ddd; z-index: 2 }
  .page { display: flex; flex-wrap: wrap; gap: 32px; max-width: 1080px; margin: 0 auto; padding: 24px 16px }
  .cart, .till { flex: 1 1 300px; min-width: 0 }
  .cart li { padding: 14px 0; border-bottom: 1px dotted #bbb }
  .terms { max-width: 1080px; margin: 0 auto; padding: 16px; min-height: 500px; color: #555 }
  .night, .night header { background: #14171c; color: #e9e9ea; color-scheme: dark }`;

export type StrangeShop = {
  /** Options of `mount()`. */
  options?: object;
  /** Uses a dark page. */
  night?: boolean;
  lang?: string;
  /** Additional rules, after the shop's own. */
  css?: string;
  /** Additional elements of the head. */
  head?: string;
  /** The element with the form, in the shop's `main`. It must have the id `payment`. */
  place?: string;
  /** Runs before `mount()`. */
  script?: string;
};

type Sites = { site: ForeignSite; service: Service };

/** The shop's address with a form for this intent. */
export const serveStrangeShop = (
  { site, service }: Sites,
  { client_secret }: Intent,
  {
    options = {},
    night = false,
    lang = 'en',
    css = '',
    head = '',
    place = '<div id="payment"></div>',
    script = '',
  }: StrangeShop = {},
): string => {
  const all = {
    publishableKey: service.keys.publishable,
    clientSecret: client_secret,
    locale: lang,
    ...options,
  };
  return site.put(
    '/till',
    `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>Till</title>
    <meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
    ${head}<style>${CSS}${css}</style>
    <body class="${night ? 'night' : ''}"><header><b>Harbour Books</b> · Till</header>
    <div class="page"><aside class="cart"><h2>Your basket</h2><ul>
    ${['A Field Guide to Clouds', 'The Ferryman', 'Salt Marsh Walks'].map((name) => `<li>${name}</li>`).join('')}
    </ul></aside><main class="till"><h2>Pay</h2>${place}</main></div>
    <p class="terms">Returns within thirty days.</p>
    <script src="${service.url}/partner/v1/card-form.js"></script>
    <script>${script};window.forms = [CardForm.mount('#payment', ${JSON.stringify(all)})]</script></body></html>`,
  );
};

/** Opens the shop with a form for this intent. */
export const openStrangeShop = async (page: Page, sites: Sites, intent: Intent, shop: StrangeShop = {}) => {
  await page.goto(serveStrangeShop(sites, intent, shop));
  return checkoutPage(page, '#payment');
};

/** The same for a buyer known to the shop: the form is ready, and only the card is left to type. */
export const openForKnownBuyer = async (
  page: Page,
  servers: { site: ForeignSite; service: Service },
  intent?: Intent,
  shop: Omit<StrangeShop, 'options'> = {},
) => {
  const options = { defaultValues: KNOWN_BUYER };
  const open = intent ?? (await servers.service.createIntent());
  const checkout = await openStrangeShop(page, servers, open, { ...shop, options });
  await checkout.ready();
  return checkout;
};
