/** A bug report: what the sandbox has recorded, and versions, without secrets and without what a buyer typed. */

/** What no report may have: client secrets, keys, tokens in fragments, and what may be a card number. */
const SECRET = /lg_cs_\w+|[ps]k_live_\w+|#token=[^\s"]+|\d(?:[ -]?\d){12,18}/g;

/** Fields about people, whatever their value, and what a merchant's server answered, which may be anything. */
const PERSONAL: readonly string[] = [
  'billing_details',
  'buyer',
  'shipping_details',
  'metadata',
  'description',
  'order_reference',
  'response',
];

/** The same data with secrets and personal data replaced. Ids and amounts stay. */
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

/** The text of a report. */
export const reportOf = (parts: Readonly<Record<string, unknown>>): string =>
  `${JSON.stringify(redacted(parts), null, 2)}\n`;

/** The release of the form that the sandbox serves, from the address of the frame's script. */
export const releaseIn = (frame: string): string | null =>
  /\/partner\/v1\/card-form\/([\w.+-]+)\//.exec(frame)?.[1] ?? null;
