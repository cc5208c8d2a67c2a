import * as z from 'zod/mini';
import * as LIMITS from '../../api/limits.ts';
import { RefusedRequest } from './errors.ts';
import { parseBody } from './validate.ts';

/** The query as an object. A repeated parameter is ambiguous, so it is refused. */
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

/** Refuses any query parameter, on a route that takes none. */
export const refuseQuery = (params: URLSearchParams): void => {
  parseBody(z.strictObject({}), readQuery(params));
};

/**
 * An account's objects that a page may have, oldest first. `find` returns any object of the account, also one that these no
 * longer contain. `placeOf` tells the order of creation. `kind` names them in an error.
 */
type Own<Item> = {
  items: readonly Item[];
  find: (id: string) => Item | undefined;
  placeOf: (item: Item) => number;
  kind: string;
};

/** How many of these items, which are in the order of their places, come before a place. */
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
 * A page of an account's objects, newest first (contract S10.1). A `starting_after` that is none of the account's is
 * refused. Reads no more than the page, however many there are.
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
