/** Lists of the service as async iterators (contract S10). */
import { isRecord } from './json.ts';
import { ServiceError } from './service-error.ts';

/** A page of a list, newest first. */
export type List<Item> = { object: 'list'; data: readonly Item[]; has_more: boolean };

/** Query parameters of every list. `limit` is the page size, not the total. */
export type PageQuery = { limit?: number | undefined; starting_after?: string | undefined };

/**
 * Iterates over a list's objects, or over its pages. Loads each page when the iteration reaches it; ending early loads
 * no more. Rejects with a `ServiceError`.
 */
export type Listing<Item> = AsyncIterable<Item> & { pages(): AsyncIterable<List<Item>> };

/** The items of a list answer, or `null` if it isn't a list. */
export const readList =
  <Item>(isItem: (value: unknown) => value is Item) =>
  (answer: unknown): List<Item> | null => {
    if (!isRecord(answer) || answer.object !== 'list' || typeof answer.has_more !== 'boolean') return null;
    const { data, has_more } = answer;
    return Array.isArray(data) && data.every(isItem) ? { object: 'list', data, has_more } : null;
  };

/** Iterates over all pages that `load` returns for this query. */
export const listing = <Item extends { id: string }, Query extends PageQuery>(
  load: (query: Query) => Promise<List<Item>>,
  query: Query,
): Listing<Item> => {
  async function* pages(): AsyncGenerator<List<Item>> {
    for (let starting_after = query.starting_after; ; ) {
      const page = await load({ ...query, starting_after });
      yield page;
      if (!page.has_more) return;
      const last = page.data.at(-1)?.id;
      // Stops an endless loop over the same page.
      if (last === undefined || last === starting_after)
        throw new ServiceError(
          'A page sets has_more but names no new object to continue after.',
          { kind: 'no_answer', reason: 'malformed' },
          1,
        );
      starting_after = last;
    }
  }
  async function* items(): AsyncGenerator<Item> {
    for await (const { data } of pages()) yield* data;
  }
  return { pages, [Symbol.asyncIterator]: items };
};

/** Appends the query parameters that have a value. */
export const withQuery = (
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, `${value}`])).toString();
  return text === '' ? path : `${path}?${text}`;
};
