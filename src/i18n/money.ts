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
  return formatter.format(value / 10 ** maximumFractionDigits);
}
