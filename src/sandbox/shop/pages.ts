/** The shop's pages: templates from public/, filled with escaped values. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Cart, type CartLine, price, type ShopCurrency } from './goods.ts';
import { textsFor } from './texts.ts';

/** Locale, theme, cart and currency, which every URL has in its query. */
export type ShopView = { locale: string; theme: string; cart: Cart; currency: ShopCurrency };

/** A string that is already HTML. Every other string is escaped. */
export type Html = { html: string };

/** Reads a view from a query, with defaults for missing and unknown values. */
export const parseView = (query: URLSearchParams): ShopView => ({
  locale: knownLocale(query.get('locale') ?? ''),
  theme: query.get('theme') === 'dark' ? 'dark' : query.get('theme') === 'light' ? 'light' : 'auto',
  cart: query.get('cart') === 'digital' ? 'digital' : 'coffee',
  currency: query.get('currency') === 'eur' ? 'eur' : 'usd',
});

/** Returns the URL of a shop page in this view. */
export const pageUrl = (path: string, { locale, theme, cart, currency }: ShopView, order?: string): string =>
  `${path}?${new URLSearchParams({ locale, theme, cart, currency, ...(order && { order }) })}`;

const knownLocale = (locale: string): string => {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en';
  } catch {
    return 'en';
  }
};

/** Formats an amount in minor units. */
export const money = (amount: number, { locale, currency }: ShopView): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount / 100);

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** A template tag that escapes its values. */
export const html = (
  strings: TemplateStringsArray,
  ...values: readonly (string | number | Html)[]
): Html => ({
  html: strings.map((text, i) => text + (i in values ? renderValue(values[i]) : '')).join(''),
});

const renderValue = (value: string | number | Html | undefined): string =>
  typeof value === 'object' ? value.html : escapeHtml(`${value ?? ''}`);

/** Renders the lines of a cart and its sums as two lists. */
export const cartHtml = (view: ShopView): Html => {
  const texts = textsFor(view.locale);
  const { lines, goods, shipping, tax, total } = price(view.cart);
  const line = ({ name, quantity, unit_amount }: CartLine) => html`
      <li class="line">
        <span class="count">${quantity}</span>
        <span class="name">${name} <small>${money(unit_amount, view)} ${texts.each}</small></span>
        <span class="amount">${money(quantity * unit_amount, view)}</span>
      </li>`;
  const sum = (name: string, amount: number, kind = '') =>
    html`<div class="${kind}"><dt>${name}</dt><dd class="amount">${money(amount, view)}</dd></div>`;
  return html`
    <ul class="lines">${{ html: lines.map((each) => line(each).html).join('') }}</ul>
    <dl class="sums">
      ${sum(texts.goods, goods)}
      ${view.cart === 'digital' ? '' : sum(texts.shipping, shipping)}
      ${sum(texts.tax, tax)}
      ${sum(texts.sum, total, 'total')}
    </dl>
    <p class="note">${texts.exact}</p>`;
};

/** Fills a template of public/ with the shop's texts, the view and other values. */
export const page = (
  root: string,
  template: string,
  view: ShopView,
  values: Readonly<Record<string, string | Html>>,
): string => {
  const all: Readonly<Record<string, string | Html>> = { ...textsFor(view.locale), ...view, ...values };
  return readFileSync(join(root, `${template}.html`), 'utf8')
    .replace('lang="en" data-theme="auto"', html`lang="${view.locale}" data-theme="${view.theme}"`.html)
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => renderValue(all[name]));
};

/**
 * Returns the folder public/ of the nearest parent folder that has one. This works from src/sandbox/shop/ and from the
 * built file.
 */
export const publicFolder = (): string => {
  let parent = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(parent, 'public/checkout.html')) && dirname(parent) !== parent)
    parent = dirname(parent);
  return join(dirname(parent) === parent ? process.cwd() : parent, 'public');
};
