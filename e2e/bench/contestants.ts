/**
 * The pages that are compared. Each contestant has the same merchant's page, one document with inline style and
 * script, so that all other requests are the contestant's.
 */
import { type Answer, type BenchServer, PAY, SHOP } from './server.ts';
import { randomOf } from './statistics.ts';

export type Contestant = {
  name: string;
  /** What exactly is measured, for the report. */
  what: string;
  /** The path of the merchant's page in the shop. */
  path: string;
  /** The number of documents with fields, and the least number of fields in each. */
  forms: number;
  fields: number;
  /** Whether there is a button that pays. */
  pays: boolean;
  /** The selector of the card number field; null if the field is the benchmark's own. */
  number: string | null;
  /** The language of the buyer's browser, if not American English. */
  language?: string;
};

/** Options of the form, more than a usual checkout has. */
export type FormOptions = { forms?: number; items?: number; locale?: string; language?: string };

/** One item, with shipping and tax. */
export const orderOf = (items: number) => {
  const list = Array.from({ length: items }, (_, at) => ({
    name: `Kenya Nyeri AA, 250 g, roast ${at + 1}`,
    quantity: 1,
    unit_amount: 1450,
  }));
  const [shipping_amount, tax_amount] = [490, 394];
  return {
    amount: items * 1450 + shipping_amount + tax_amount,
    currency: 'usd',
    items: list,
    shipping_amount,
    tax_amount,
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
};

export const html = (body: string): Answer => ({
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

/** The baseline: what a browser needs for an iframe of another site with five plain inputs. */
export const floor = (server: BenchServer, language: 'en' | 'ja' = 'en'): Contestant => {
  const suffix = language === 'en' ? '' : `-${language}`;
  server.put(FLOOR, (path) => FLOOR_FILES[path]);
  return {
    name: `floor${suffix}`,
    what: "an iframe in the merchant's HTML with five plain inputs and a button, no script at all",
    path: put(
      `/floor${suffix}`,
      checkout(`<iframe class="floor" title="Card" src="https://${FLOOR}/frame${suffix}"></iframe></main>`),
    ),
    forms: 1,
    fields: 5,
    pays: true,
    number: '[name=number]',
  };
};

/** The baseline of forms that a script makes: one of 2 kB that does nothing but insert that iframe. */
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

/** Each label by the name of its field. */
const floorFrame = (language: string, labels: Readonly<Record<string, string>>, pay: string): Answer =>
  html(
    `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>Card</title><form>${Object.entries(
      labels,
    )
      .map(([name, label]) => `<p><label>${label}<br><input name="${name}"></label></p>`)
      .join('')}<button>${pay}</button></form></html>`,
  );

/** Pseudo-random characters, which brotli makes only a quarter smaller, up to 2 kB on the wire. */
const random = randomOf(1);
const FILLER = Array.from({ length: 2400 }, () => Math.floor(random() * 36).toString(36)).join('');

const FLOOR_LOADER = script(`{ const frame = document.createElement('iframe');
frame.className = 'floor'; frame.title = 'Card'; frame.src = 'https://${FLOOR}/frame';
document.getElementById('form').append(frame); } // ${FILLER}`);

const FLOOR_FILES: Readonly<Record<string, Answer>> = {
  '/frame': floorFrame(
    'en',
    { number: 'number', expiry: 'expiry', code: 'code', name: 'name', zip: 'zip' },
    'Pay $58.04',
  ),
  '/frame-ja': floorFrame(
    'ja',
    { number: 'カード番号', expiry: '有効期限', code: 'セキュリティコード', name: '名義人', zip: '郵便番号' },
    '$58.04 を支払う',
  ),
  '/loader.js': FLOOR_LOADER,
};

/**
 * The card form as a merchant embeds it; with `early`, the iframe is in the merchant's HTML. `release`: that of the script, if
 * it is not the moving one.
 */
export const cardForm = async (
  server: BenchServer,
  name: string,
  {
    early = false,
    release,
    forms = 1,
    items = 1,
    locale = 'en',
    language,
  }: FormOptions & { early?: boolean; release?: string } = {},
): Promise<Contestant> => {
  const secrets: string[] = [];
  for (let form = 0; form < forms; form += 1) secrets.push(await server.createIntent(orderOf(items)));
  const containers = secrets.map((_, form) => `<div id="form-${form}">${early ? EARLY_FRAME : ''}</div>`);
  const calls = secrets.map((clientSecret, form) => {
    const options = { publishableKey: server.publishableKey, clientSecret, locale };
    return `CardForm.mount('#form-${form}', ${JSON.stringify(options)}).on('change', () => { window.told += 1; });`;
  });
  return {
    name,
    what: early
      ? "the card form, its iframe in the merchant's HTML, adopted by the loader"
      : 'the card form, made by its loader script alone',
    path: put(
      `/${name.replaceAll(' ', '-')}`,
      checkout(`${containers.join('\n')}</main>
<script src="https://${PAY}/partner/v1/card-form${release === undefined ? '' : `/${release}/card-form`}.js"></script>
<script>window.told = 0;
${calls.join('\n')}</script>`),
    ),
    forms,
    fields: 5,
    pays: true,
    number: '[autocomplete~=cc-number]',
    ...(language !== undefined && { language }),
  };
};

const EARLY_FRAME = `<iframe data-card-form-frame src="https://${PAY}/partner/v1/card-form/frame" title="Secure card form" sandbox="allow-scripts allow-same-origin allow-forms allow-modals allow-popups" referrerpolicy="origin" allow="autofill;payment;publickey-credentials-get"></iframe>`;

/** Serves all pages as the shop. */
export const openShop = (server: BenchServer): void => {
  server.put(SHOP, (path) => pages.get(path));
};
