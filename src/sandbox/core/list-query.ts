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
 * A page of an account's objects (contract S10.1). `own` has all of them, newest first. `matches`
 * filters them. `kind` names the objects in the error for a `starting_after` that is not among them.
 */
export const pageOf = <Item extends { id: string }>(
  own: readonly Item[],
  query: { limit?: number | undefined; starting_after?: string | undefined },
  kind: string,
  matches: (item: Item) => boolean,
): { page: Item[]; has_more: boolean } => {
  // Search the unfiltered list: the last object of the previous page may no longer match the filter.
  const index = own.findIndex(({ id }) => id === query.starting_after);
  if (query.starting_after !== undefined && index < 0) {
    throw new RefusedRequest(
      'validation_error',
      `"starting_after" must be the id of the last object of the previous page; got an id of no ${kind} of this account.`,
      { param: 'starting_after' },
    );
  }
  const rest = own.slice(index + 1).filter(matches);
  const page = rest.slice(0, query.limit ?? LIMITS.defaultPageSize);
  return { page, has_more: rest.length > page.length };
};
