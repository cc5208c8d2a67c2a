/** A bug report: the sandbox's records and versions, without secrets and without the buyer's input. */

/** Text that no report may contain: client secrets, keys, tokens in fragments, and possible card numbers. */
const SECRET = /lg_cs_\w+|[ps]k_live_\w+|#token=[^\s"]+|\d(?:[ -]?\d){12,18}/g;

/** Fields about people, whatever their value, and answers of a merchant's server, which may contain anything. */
const PERSONAL: readonly string[] = [
  'billing_details',
  'buyer',
  'shipping_details',
  'metadata',
  'description',
  'order_reference',
  'response',
];

/** Replaces secrets and personal data. Keeps ids and amounts. */
export const redacted = (value: unknown): unknown => {
  if (typeof value === 'string')
    return value.replace(SECRET, '[redacted]').replace(/^(https?:[^?#]+)[?#].*/, '$1');
  if (Array.isArray(value)) return value.map(redacted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      PERSONAL.includes(name) && inner !== null ? '[redacted]' : redacted(inner),
    ]),
  );
};

/** Formats a report as text. */
export const reportOf = (parts: Readonly<Record<string, unknown>>): string =>
  `${JSON.stringify(redacted(parts), null, 2)}\n`;

/** Returns the release of the form that the sandbox serves, from the URL of the frame's script. */
export const releaseIn = (frame: string): string | null =>
  /\/partner\/v1\/card-form\/([\w.+-]+)\//.exec(frame)?.[1] ?? null;
