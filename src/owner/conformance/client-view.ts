/** The client view of a payment (contract 3.5), field by field. */
import * as LIMITS from '../../api/limits.ts';

type FieldRule = { expected: string; accepts: (value: unknown) => boolean };

const isInteger = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value);
const orNull = ({ expected, accepts }: FieldRule): FieldRule => ({
  expected: `${expected} or null`,
  accepts: (value) => value === null || accepts(value),
});
const integer: FieldRule = { expected: 'an integer', accepts: isInteger };
const count: FieldRule = {
  expected: 'an integer from 0',
  accepts: (value) => isInteger(value) && value >= 0,
};
const money: FieldRule = {
  expected: `an integer from 0 to ${LIMITS.largestAmount}`,
  accepts: (value) => isInteger(value) && value >= 0 && value <= LIMITS.largestAmount,
};
const text: FieldRule = { expected: 'a string', accepts: (value) => typeof value === 'string' };
const oneOf = (...words: unknown[]): FieldRule => ({
  expected: words.map((word) => JSON.stringify(word)).join(' or '),
  accepts: (value) => words.includes(value),
});
const object: FieldRule = {
  expected: 'an object',
  accepts: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};
const list: FieldRule = { expected: 'a list', accepts: Array.isArray };

/** Fields the form can't work without. */
export const REQUIRED_FIELDS: Readonly<Record<string, FieldRule>> = {
  id: text,
  object: oneOf('payment_intent'),
  status: oneOf('pending', 'processing', 'succeeded', 'canceled'),
  currency: oneOf('usd', 'eur'),
  amount: money,
  fee_buyer: money,
  amount_total: money,
};

/** The remaining fields. The form works without them, but shows less. */
export const OTHER_FIELDS: Readonly<Record<string, FieldRule>> = {
  confirmation_attempts: count,
  description: orNull(text),
  items: list,
  shipping_amount: money,
  tax_amount: money,
  discount_amount: money,
  items_difference: integer,
  created: count,
  succeeded_at: orNull(count),
  last_payment_error: orNull(object),
};

const pathList: FieldRule = {
  expected: 'a list of names of fields',
  accepts: (value) =>
    Array.isArray(value) &&
    value.every((path) => typeof path === 'string' && /^[a-z][a-z0-9_.[\]]{0,199}$/.test(path)),
};

/** Fields from which the form knows, before a press, that no attempt is left or that one is running. */
export const ATTEMPT_FIELDS: Readonly<Record<string, FieldRule>> = {
  attempts_left: count,
  attempt_in_progress: { expected: 'true or false', accepts: (value) => typeof value === 'boolean' },
};

/** Fields a service may omit; if present, they must follow their rule. */
export const OPTIONAL_FIELDS: Readonly<Record<string, FieldRule>> = {
  missing_details: pathList,
};

/** Fields that the client view must not contain. */
export const PRIVATE_FIELDS: readonly string[] = [
  'metadata',
  'client_secret',
  'buyer',
  'shipping_details',
  'billing_details',
  'order_reference',
];

/** The first field that breaks its rule, as `[expected, actual]`, or `null`. */
export const findFieldProblem = (
  record: Readonly<Record<string, unknown>>,
  rules: Readonly<Record<string, FieldRule>>,
): [string, string] | null => {
  for (const [name, { expected, accepts }] of Object.entries(rules)) {
    if (!(name in record)) return [`"${name}", ${expected}`, 'no such field'];
    if (!accepts(record[name])) return [`"${name}" to be ${expected}`, JSON.stringify(record[name])];
  }
  return null;
};

/** Like `findFieldProblem`, for fields that may be missing. */
export const findOptionalProblem = (
  record: Readonly<Record<string, unknown>>,
  rules: Readonly<Record<string, FieldRule>>,
): [string, string] | null =>
  findFieldProblem(record, Object.fromEntries(Object.entries(rules).filter(([name]) => name in record)));

const ITEM: Readonly<Record<string, FieldRule>> = {
  name: text,
  quantity: { expected: 'a number above 0', accepts: (value) => typeof value === 'number' && value > 0 },
  unit_amount: money,
  amount: count,
};

/** The first wrong entry of `items`. Each amount is unit_amount x quantity, rounded half up once. */
export const findItemProblem = (items: unknown): [string, string] | null => {
  if (!Array.isArray(items)) return ['"items", a list', JSON.stringify(items)];
  for (const [index, item] of items.entries()) {
    const wrong = findFieldProblem({ ...item }, ITEM);
    if (wrong !== null) return [`items[${index}]: ${wrong[0]}`, wrong[1]];
    // Integer thousandths, because 1.005 is not exact in floating point.
    const thousandths = BigInt(Math.round(item.quantity * 1000)) * BigInt(item.unit_amount);
    const total = Number((thousandths + 500n) / 1000n);
    if (item.amount !== total) return [`items[${index}].amount ${total}`, String(item.amount)];
  }
  return null;
};

/** The `items_difference` that the view must report. */
export const expectedDifference = (view: Readonly<Record<string, unknown>>): number => {
  const number = (name: string) => Number(view[name]);
  const lines = Array.isArray(view.items) ? view.items : [];
  const sum = lines.reduce((total: number, { amount }) => total + Number(amount), 0);
  return (
    number('amount') - (sum + number('shipping_amount') + number('tax_amount') - number('discount_amount'))
  );
};
