/** An amount in minor units, as the service writes it. */
export type Money = { value: number; currency: string };

/** The first `Intl` formatter of a frame is expensive on a slow phone, so each is made once. */
const formatters = new Map<string, Intl.NumberFormat>();

/** The amount as it is written in that locale: "$12.34", "12,34 €". */
export function formatMoney({ value, currency }: Money, locale: string): string {
  const name = `${locale} ${currency}`;
  let formatter = formatters.get(name);
  if (!formatter) {
    formatter = new Intl.NumberFormat(locale, { style: 'currency', currency });
    formatters.set(name, formatter);
  }
  const { maximumFractionDigits = 2 } = formatter.resolvedOptions();
  const text = formatter.format(value / 10 ** maximumFractionDigits);
  return /^(ar|he)\b/.test(locale) ? fromTheRight(text) : text;
}

/**
 * Number first, then the currency to its left, each left to right in itself. With the marks of direction that
 * `Intl` sets alone, "US$" comes out as "$US" at the end of a line, and where a minus goes depends on what is near.
 */
function fromTheRight(text: string): string {
  const parts = text.replace(/[\u061c\u200e\u200f]/g, '').split('\u00a0');
  return `\u200f${parts.map((part) => `\u2066${part}\u2069`).join('\u00a0')}`;
}

/** A plain number as it is written in that locale, with up to three decimals: "1,5". */
export function formatNumber(value: number, locale: string): string {
  let formatter = formatters.get(locale);
  if (!formatter) {
    formatter = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 });
    formatters.set(locale, formatter);
  }
  return formatter.format(value);
}
