/** Addresses that the page suggests, on their way to the frame. The loader ships this to pages that have `addressLookup`. */

/** So many are shown. */
export const MOST_SUGGESTIONS = 8;

/** In characters: no text of a suggestion is longer, nor is the question. As the service takes a line of an address. */
export const LONGEST_TEXT = 200;

/** The parts of an address that a suggestion fills in. */
export const ADDRESS_PARTS = ['line1', 'line2', 'city', 'state', 'postal_code', 'country'] as const;

/** As the loader posts it: `null` in place of what is no text of this length. A part that the page did not give is missing. */
type PostedSuggestion = {
  label?: string | null | undefined;
  address: { [Part in (typeof ADDRESS_PARTS)[number]]?: string | null | undefined };
};

/**
 * The page's answer to `SearchRequest` with the same `search`. Without `suggestions` there is none, and `mistake` says why, if it is
 * one. Without `search`, a file of the script did not load.
 */
export type PostedSuggestions = {
  search?: number | undefined;
  suggestions?: PostedSuggestion[] | undefined;
  mistake?: string | undefined;
};
