/** Calls the page's `addressLookup` for the frame. */
import type { FrameMessage } from '../channel/messages.ts';
import {
  ADDRESS_PARTS,
  LONGEST_TEXT,
  MOST_SUGGESTIONS,
  type PostedSuggestions,
} from '../channel/suggestion.ts';
import type { CardFormOptions } from './types.ts';

type Question = Pick<Extract<FrameMessage, { type: 'search' }>, 'search' | 'query' | 'country'>;

/** Aborts the running search, by the form's iframe. */
const ends = new WeakMap<HTMLElement, () => void>();

/** Stops searching: the form of this iframe is gone. */
export const stopSearching = (iframe: HTMLElement): void => ends.get(iframe)?.();

/**
 * Returns the page's suggestions, ready to post. Another search of the same form, or the removal of its iframe, ends
 * the running one: `signal` is aborted, and the answer is empty. Whatever `addressLookup` throws before that is also
 * reported as an uncaught error, as for an event handler.
 */
export const searchAddresses = async (
  iframe: HTMLElement,
  { addressLookup }: Pick<CardFormOptions, 'addressLookup'>,
  { search, query, country = '' }: Question,
): Promise<PostedSuggestions> => {
  ends.get(iframe)?.();
  if (query === undefined || !addressLookup) return { search };
  const ending = new AbortController();
  const { signal } = ending;
  const observer = new MutationObserver(() => iframe.isConnected || ending.abort());
  ends.set(iframe, () => ending.abort());
  // Observers don't see into shadow roots. Neither the iframe nor a host is a form, so no names hide these properties.
  let root: Node | null = iframe;
  while (root) {
    root = root.getRootNode();
    observer.observe(root, { childList: true, subtree: true });
    root = root instanceof ShadowRoot ? root.host : null;
  }
  const ended = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null)));
  try {
    const found: unknown = await Promise.race([addressLookup({ query, country, signal }), ended]);
    if (signal.aborted) return { search };
    if (!Array.isArray(found))
      return { search, mistake: `It gave ${found === null ? 'null' : typeof found}.` };
    const entries: readonly unknown[] = Array.from(
      { length: Math.min(found.length, MOST_SUGGESTIONS) },
      (_, at) => found[at],
    );
    return { search, suggestions: entries.map(copyOf) };
  } catch (error) {
    if (signal.aborted) return { search };
    reportError(error);
    return { search, mistake: 'It threw an error, which the console shows.' };
  } finally {
    observer.disconnect();
    if (!signal.aborted) ends.delete(iframe);
  }
};

/** Reads each part once, since the page's object may return another value next time. */
const copyOf = (given: unknown) => {
  const { label, address } = Object(given);
  const parts = Object(address);
  return {
    label: textOf(label),
    address: Object.fromEntries(ADDRESS_PARTS.map((part) => [part, textOf(parts[part] ?? undefined)])),
  };
};

const textOf = (value: unknown): string | null | undefined =>
  value === undefined || (typeof value === 'string' && value.length <= LONGEST_TEXT) ? value : null;
