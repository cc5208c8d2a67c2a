/** Finds the fields in which two payments differ. Pure. */
import type { PaymentIntent } from '../../api/schemas.ts';

export type FieldDifference = { field: string; values: readonly [string, string] };

const textOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** Returns every leaf of a value with its path, such as `shipping_details.address.city`. A list is one leaf. */
const leavesOf = (value: unknown, path = ''): [string, string][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([name, inner]) =>
        leavesOf(inner, path === '' ? name : `${path}.${name}`),
      )
    : [[path, textOf(value)]];

/** Returns the differences in the order of the first payment's fields. Ids always differ, so they are left out. */
export const differencesOf = (a: PaymentIntent, b: PaymentIntent): FieldDifference[] => {
  const [first, second] = [new Map(leavesOf(a)), new Map(leavesOf(b))];
  return [...new Set([...first.keys(), ...second.keys()])]
    .map((field): FieldDifference => ({ field, values: [first.get(field) ?? '', second.get(field) ?? ''] }))
    .filter(({ field, values: [one, other] }) => field !== 'id' && one !== other);
};
