/**
 * Lines of a state file with `count` copies of one paid payment, each with ids and an order reference of its own. `seed` is
 * a state file that has this payment alone.
 */
export declare const manyPayments: (
  seed: string,
  payment: { id: string; client_secret: string; order_reference: string },
  count: number,
) => Iterable<string>;
