/** The shop's pages: templates from public/, filled with escaped text. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Cart, type Currency, type Line, price } from './goods.ts';
import { wordsFor } from './words.ts';

/** How somebody wants to see the shop; it travels in the address. */
export type View = { locale: string; theme: string; cart: Cart; currency: Currency };

/** Text that is HTML already. Everything else is escaped. */
export type Html = { html: string };

/** Reads a view from an address or a form, with a default for whatever is missing or unknown. */
export const viewOf = (query: URLSearchParams): View => ({
  locale: knownLocale(query.get('locale') ?? ''),
  theme: query.get('theme') === 'dark' ? 'dark' : query.get('theme') === 'light' ? 'light' : 'auto',
  cart: query.get('cart') === 'digital' ? 'digital' : 'coffee',
  currency: query.get('currency') === 'eur' ? 'eur' : 'usd',
});

/** The address of a page of the shop, seen in this way. */
export const addressOf = (path: string, { locale, theme, cart, currency }: View, order?: string): string =>
  `${path}?${new URLSearchParams({ locale, theme, cart, currency, ...(order && { order }) })}`;

const knownLocale = (locale: string): string => {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en';
  } catch {
    return 'en';
  }
};

/** An amount in minor units, as the language writes it. */
export const money = (amount: number, { locale, currency }: View): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount / 100);

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Text with its values put in and escaped, as a tagged template. */
export const html = (texts: TemplateStringsArray, ...values: readonly (string | number | Html)[]): Html => ({
  html: texts.map((text, i) => text + (i in values ? filled(values[i]) : '')).join(''),
});

const filled = (value: string | number | Html | undefined): string =>
  typeof value === 'object' ? value.html : escaped(`${value ?? ''}`);

/** The lines of a cart and what they come to, as two lists. */
export const cartHtml = (view: View): Html => {
  const words = wordsFor(view.locale);
  const { lines, goods, shipping, tax, total } = price(view.cart);
  const line = ({ name, quantity, unit_amount }: Line) => html`
      <li class="line">
        <span class="count">${quantity}</span>
        <span class="name">${name} <small>${money(unit_amount, view)} ${words.each}</small></span>
        <span class="amount">${money(quantity * unit_amount, view)}</span>
      </li>`;
  const sum = (name: string, amount: number, kind = '') =>
    html`<div class="${kind}"><dt>${name}</dt><dd class="amount">${money(amount, view)}</dd></div>`;
  return html`
    <ul class="lines">${{ html: lines.map((each) => line(each).html).join('') }}</ul>
    <dl class="sums">
      ${sum(words.goods, goods)}
      ${view.cart === 'digital' ? '' : sum(words.shipping, shipping)}
      ${sum(words.tax, tax)}
      ${sum(words.sum, total, 'total')}
    </dl>
    <p class="note">${words.exact}</p>`;
};

/** Fills a template of public/ with the shop's words, the view and these values. */
export const page = (
  root: string,
  template: string,
  view: View,
  values: Readonly<Record<string, string | Html>>,
): string => {
  const known: Readonly<Record<string, string | Html>> = { ...wordsFor(view.locale), ...view, ...values };
  return readFileSync(join(root, `${template}.html`), 'utf8')
    .replace('lang="en" data-theme="auto"', html`lang="${view.locale}" data-theme="${view.theme}"`.html)
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => filled(known[name]));
};

/** Where public/ is: in the nearest folder above this file that has it, so both in src/demo/ and when built. */
export const publicFolder = (): string => {
  let above = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(above, 'public/checkout.html')) && dirname(above) !== above) above = dirname(above);
  return join(dirname(above) === above ? process.cwd() : above, 'public');
};
