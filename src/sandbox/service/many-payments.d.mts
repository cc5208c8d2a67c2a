/**
 * Generates the lines of a state file with `count` copies of one paid payment, each with unique ids and order
 * reference. `seed` is a state file that contains only this payment.
 */
export declare const manyPayments: (
  seed: string,
  payment: { id: string; client_secret: string; order_reference: string },
  count: number,
) => Iterable<string>;
