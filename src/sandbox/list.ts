import * as z from 'zod/mini';
import { LIMITS } from '../api/limits.ts';
import type { PaymentIntent } from '../api/schemas.ts';
import { ServiceError } from './errors.ts';
import { allIntents, type Service } from './service.ts';
import type { Account } from './store.ts';
import { parseBody } from './validate.ts';
import { serverView } from './views.ts';

const limit = z.pipe(
  z.string().check(z.regex(/^\d{1,9}$/)),
  z.pipe(z.transform(Number), z.int().check(z.minimum(1), z.maximum(LIMITS.pageSize))),
);

const ListQuery = z.strictObject({
  limit: z.optional(limit),
  starting_after: z.optional(z.string().check(z.minLength(1))),
  order_reference: z.optional(z.string().check(z.minLength(1), z.maxLength(LIMITS.orderReference))),
});

/** A query as an object; a parameter that is given twice says two things and is refused. */
export const readQuery = (params: URLSearchParams): Record<string, string> => {
  for (const name of params.keys()) {
    if (params.getAll(name).length > 1) {
      throw new ServiceError(
        'validation_error',
        `"${name.slice(0, 100)}" must be given once; got it more often.`,
        {
          param: name.slice(0, 100),
        },
      );
    }
  }
  return Object.fromEntries(params);
};

/** Refuses a query on a route that has none. */
export const refuseQuery = (params: URLSearchParams): void => {
  parseBody(z.strictObject({}), readQuery(params));
};

/** A page of the account's intents, newest first (service-api.md, "List payment intents" and "Pagination"). */
export const listIntents = (
  service: Service,
  account: Account,
  params: URLSearchParams,
): { object: 'list'; data: PaymentIntent[]; has_more: boolean } => {
  const query = parseBody(ListQuery, readQuery(params));
  const own = allIntents(service).filter((intent) => intent.account === account.id);
  // The place in the whole list counts, so that a page still follows when an intent changed its order reference.
  const place = own.findIndex((intent) => intent.id === query.starting_after);
  if (query.starting_after !== undefined && place < 0) {
    throw new ServiceError(
      'validation_error',
      '"starting_after" must be the id of the last object of the previous page; got an id of no payment intent of this account.',
      { param: 'starting_after' },
    );
  }
  const rest = own
    .slice(place + 1)
    .filter(
      (intent) => query.order_reference === undefined || intent.order_reference === query.order_reference,
    );
  const page = rest.slice(0, query.limit ?? LIMITS.defaultPageSize);
  return { object: 'list', data: page.map(serverView), has_more: rest.length > page.length };
};
