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

/** An account's objects, oldest first. `find` returns an object of any account. `kind` names them in an error. */
type Own<Item> = { items: readonly Item[]; find: (id: string) => Item | undefined; kind: string };

/**
 * A page of an account's objects, newest first (contract S10.1). `matches` filters them. A `starting_after` that is not
 * among them is refused. Reads no further than the page needs, however many there are.
 */
export const pageOf = <Item>(
  { items, find, kind }: Own<Item>,
  query: { limit?: number | undefined; starting_after?: string | undefined },
  matches: (item: Item) => boolean,
): { page: Item[]; has_more: boolean } => {
  const { starting_after: after, limit = LIMITS.defaultPageSize } = query;
  // In the unfiltered list: the last object of the previous page may no longer match the filter.
  const last = after === undefined ? undefined : find(after);
  let index = after === undefined ? items.length : last === undefined ? -1 : items.lastIndexOf(last);
  if (index < 0) {
    throw new RefusedRequest(
      'validation_error',
      `"starting_after" must be the id of the last object of the previous page; got an id of no ${kind} of this account.`,
      { param: 'starting_after' },
    );
  }
  const found: Item[] = [];
  for (index -= 1; index >= 0 && found.length <= limit; index -= 1) {
    const item = items[index];
    if (item !== undefined && matches(item)) found.push(item);
  }
  return { page: found.slice(0, limit), has_more: found.length > limit };
};
