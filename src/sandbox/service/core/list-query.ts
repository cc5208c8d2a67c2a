import * as z from 'zod/mini';
import * as LIMITS from '../../../api/limits.ts';
import { RefusedRequest } from './errors.ts';
import { parseBody } from './validate.ts';

/** Returns the query as an object. A repeated parameter is ambiguous, so it is refused. */
export const readQuery = (params: URLSearchParams): Record<string, string> => {
  for (const name of params.keys()) {
    if (params.getAll(name).length > 1) {
      throw new RefusedRequest(
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

/** Refuses all query parameters, on a route that takes none. */
export const refuseQuery = (params: URLSearchParams): void => {
  parseBody(z.strictObject({}), readQuery(params));
};

/**
 * The objects of an account that a page may contain, oldest first. `find` returns any object of the account, including
 * those that `items` no longer contains. `placeOf` returns an object's place in the order of creation. `kind` names the
 * objects in errors.
 */
type Own<Item> = {
  items: readonly Item[];
  find: (id: string) => Item | undefined;
  placeOf: (item: Item) => number;
  kind: string;
};

/** Counts the items before a place. The items must be sorted by place. */
export const countBefore = <Item>(
  items: readonly Item[],
  place: number,
  placeOf: (item: Item) => number,
): number => {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && placeOf(item) < place) low = middle + 1;
    else high = middle;
  }
  return low;
};

/**
 * Returns a page of an account's objects, newest first (contract S10.1). Refuses a `starting_after` that is not the
 * account's. Reads only the page, however many objects there are.
 */
export const pageOf = <Item>(
  { items, find, placeOf, kind }: Own<Item>,
  {
    starting_after: after,
    limit = LIMITS.defaultPageSize,
  }: { limit?: number | undefined; starting_after?: string | undefined },
): { page: Item[]; has_more: boolean } => {
  const last = after === undefined ? undefined : find(after);
  if (after !== undefined && last === undefined)
    throw new RefusedRequest(
      'validation_error',
      `"starting_after" must be the id of the last object of the previous page; got an id of no ${kind} of this account.`,
      { param: 'starting_after' },
    );
  const end = last === undefined ? items.length : countBefore(items, placeOf(last), placeOf);
  return { page: items.slice(Math.max(0, end - limit), end).reverse(), has_more: end > limit };
};
