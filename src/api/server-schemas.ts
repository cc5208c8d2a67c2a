/** The query strings of the merchant server's routes. Not in `requests.ts`, which is bundled with the form. */
import * as z from 'zod/mini';
import * as LIMITS from './limits.ts';

/** An integer in digits, because a query is text (contract S17.13). */
const limit = z.pipe(
  z.string().check(z.regex(/^\d{1,9}$/)),
  z.pipe(z.transform(Number), z.int().check(z.minimum(1), z.maximum(LIMITS.pageSize))),
);
const id = z.string().check(z.minLength(1));

/** contract S8.2. */
export const ListPaymentIntentsQuery = z.strictObject({
  limit: z.optional(limit),
  starting_after: z.optional(id),
  order_reference: z.optional(z.string().check(z.minLength(1), z.maxLength(LIMITS.orderReference))),
});

/** Ours: not shown in the API description (contract 5.2). */
export const ListRefundsQuery = z.strictObject({
  limit: z.optional(limit),
  starting_after: z.optional(id),
  payment_intent: z.optional(id),
});
