/**
 * What the routes of the merchant's server take in their query. Apart from `requests.ts`, so that nothing of it
 * comes into the form.
 */
import * as z from 'zod/mini';
import { LIMITS } from './limits.ts';

/** A query is text: digits that make an integer (service-api.md, "Limits", page size). */
const limit = z.pipe(
  z.string().check(z.regex(/^\d{1,9}$/)),
  z.pipe(z.transform(Number), z.int().check(z.minimum(1), z.maximum(LIMITS.pageSize))),
);
const id = z.string().check(z.minLength(1));

/** service-api.md, "List payment intents". */
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
