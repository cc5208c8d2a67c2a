import * as z from 'zod/mini';
import { LIMITS } from '../../api/limits.ts';
import { ServiceError } from './errors.ts';
import { parseBody } from './validate.ts';

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

/**
 * A page of an account's objects (contract S10.1). `own` are all of them, newest first; of those only
 * what `keeps` is shown. `kind` names them in the refusal of a `starting_after` that is none of them.
 */
export const pageOf = <Item extends { id: string }>(
  own: readonly Item[],
  query: { limit?: number | undefined; starting_after?: string | undefined },
  kind: string,
  keeps: (item: Item) => boolean,
): { page: Item[]; has_more: boolean } => {
  // The place in the whole list counts, so that a page still follows when its last object is no longer kept.
  const place = own.findIndex(({ id }) => id === query.starting_after);
  if (query.starting_after !== undefined && place < 0) {
    throw new ServiceError(
      'validation_error',
      `"starting_after" must be the id of the last object of the previous page; got an id of no ${kind} of this account.`,
      { param: 'starting_after' },
    );
  }
  const rest = own.slice(place + 1).filter(keeps);
  const page = rest.slice(0, query.limit ?? LIMITS.defaultPageSize);
  return { page, has_more: rest.length > page.length };
};
