/**
 * The compared pages. Each contestant has the same merchant's page, one document with inline style and script, so that
 * all other requests are the contestant's.
 */
import { type Answer, type BenchServer, PAY, SHOP } from './server.ts';
import { randomOf } from './statistics.ts';

export type Contestant = {
  name: string;
  /** An exact description of the measured page, for the report. */
  what: string;
  /** The path of the merchant's page in the shop. */
  path: string;
  /** The number of documents with fields, and the minimum number of fields in each. */
  forms: number;
  fields: number;
  /** True if there is a button that pays. */
  pays: boolean;
  /** The selector of the card number field; null if the field belongs to the benchmark. */
  number: string | null;
};

/** One item, with shipping and tax. */
const ORDER = {
  amount: 2334,
  currency: 'usd',
  items: [{ name: 'Kenya Nyeri AA, 250 g', quantity: 1, unit_amount: 1450 }],
  shipping_amount: 490,
  tax_amount: 394,
  order_reference: 'MC-1843',
  buyer: { name: 'Ada Lovelace' },
  shipping_details: {
    name: 'Ada Lovelace',
    address: {
      line1: '12 Orchard Lane',
      city: 'Portland',
      state: 'OR',
      postal_code: '97205',
      country: 'US',
    },
  },
};

const html = (body: string): Answer => ({
  headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
  body,
});
export const script = (body: string): Answer => ({
  headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=31536000' },
  body,
});

export const checkout = (body: string): Answer =>
  html(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Checkout</title><link rel="icon" href="data:,">
<style>body{margin:16px;font:16px/1.4 sans-serif}main{max-width:480px}iframe{width:100%;border:0;display:block}.field{height:44px}.floor{height:400px}</style>
</head>
<body><main><h1>Checkout</h1>
${body}
</body></html>`);

const pages = new Map<string, Answer>();
/** Adds a page to the shop and returns its path. */
export const put = (path: string, page: Answer): string => {
  pages.set(path, page);
  return path;
};

/** The baseline: a browser's cost of an iframe of another site with five plain inputs. */
export const floor = (server: BenchServer): Contestant => {
  server.put(FLOOR, (path) => FLOOR_FILES[path]);
  return {
    name: 'floor',
    what: "an iframe in the merchant's HTML with five plain inputs and a button, no script at all",
    path: put(
      '/floor',
      checkout(`<iframe class="floor" title="Card" src="https://${FLOOR}/frame"></iframe></main>`),
    ),
    forms: 1,
    fields: 5,
    pays: true,
    number: '[name=number]',
  };
};

/** The baseline of forms that a script creates: a script of 2 kB that only inserts that iframe. */
export const loaderFloor = (server: BenchServer): Contestant => {
  server.put(FLOOR, (path) => FLOOR_FILES[path]);
  return {
    name: 'loader floor',
    what: 'the same iframe, inserted by a script of 2 kB',
    path: put(
      '/loader-floor',
      checkout(`<div id="form"></div></main>\n<script src="https://${FLOOR}/loader.js"></script>`),
    ),
    forms: 1,
    fields: 5,
    pays: true,
    number: '[name=number]',
  };
};

const FLOOR = 'floor.test';

const FLOOR_FRAME = html(
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Card</title><form>${[
    'number',
    'expiry',
    'code',
    'name',
    'zip',
  ]
    .map((name) => `<p><label>${name}<br><input name="${name}"></label></p>`)
    .join('')}<button>Pay $58.04</button></form></html>`,
);

/** Pseudo-random characters, which brotli shrinks by only a quarter, for 2 kB on the wire. */
const random = randomOf(1);
const FILLER = Array.from({ length: 2400 }, () => Math.floor(random() * 36).toString(36)).join('');

const FLOOR_LOADER = script(`{ const frame = document.createElement('iframe');
frame.className = 'floor'; frame.title = 'Card'; frame.src = 'https://${FLOOR}/frame';
document.getElementById('form').append(frame); } // ${FILLER}`);

const FLOOR_FILES: Readonly<Record<string, Answer>> = { '/frame': FLOOR_FRAME, '/loader.js': FLOOR_LOADER };

/** The card form as a merchant embeds it; with `early`, the iframe is in the merchant's HTML. */
export const cardForm = async (
  server: BenchServer,
  name: string,
  { early = false }: { early?: boolean } = {},
): Promise<Contestant> => {
  const clientSecret = await server.createIntent(ORDER);
  const options = { publishableKey: server.publishableKey, clientSecret, locale: 'en' };
  return {
    name,
    what: early
      ? "the card form, its iframe in the merchant's HTML, adopted by the loader"
      : 'the card form, made by its loader script alone',
    path: put(
      `/${name.replaceAll(' ', '-')}`,
      checkout(`<div id="form">${early ? EARLY_FRAME : ''}</div></main>
<script src="https://${PAY}/partner/v1/card-form.js"></script>
<script>window.told = 0;
CardForm.mount('#form', ${JSON.stringify(options)}).on('change', () => { window.told += 1; });</script>`),
    ),
    forms: 1,
    fields: 5,
    pays: true,
    number: '[autocomplete~=cc-number]',
  };
};

const EARLY_FRAME = `<iframe data-card-form-frame src="https://${PAY}/partner/v1/card-form/frame" title="Secure card form" sandbox="allow-scripts allow-same-origin allow-forms allow-modals allow-popups" referrerpolicy="origin" allow="autofill;payment;publickey-credentials-get"></iframe>`;

/** Serves all pages as the shop. */
export const openShop = (server: BenchServer): void => {
  server.put(SHOP, (path) => pages.get(path));
};
