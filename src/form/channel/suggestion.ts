/** Addresses that the page suggests, on their way to the frame. Loaded only on pages that set `addressLookup`. */

/** Maximum number of suggestions shown. */
export const MOST_SUGGESTIONS = 8;

/** Maximum length of a suggestion's texts and of the query, in characters: the service's limit for an address line. */
export const LONGEST_TEXT = 200;

/** The parts of an address that a suggestion fills in. */
export const ADDRESS_PARTS = ['line1', 'line2', 'city', 'state', 'postal_code', 'country'] as const;

/**
 * As the loader posts it: `null` replaces any value that is not a text within the limit. Parts not given are missing.
 */
type PostedSuggestion = {
  label?: string | null | undefined;
  address: { [Part in (typeof ADDRESS_PARTS)[number]]?: string | null | undefined };
};

/**
 * The page's answer to `SearchRequest` with the same `search`. If `suggestions` is missing, there is no answer; if the
 * cause is a mistake, `mistake` says which. If `search` is missing, a file of the script didn't load.
 */
export type PostedSuggestions = {
  search?: number | undefined;
  suggestions?: PostedSuggestion[] | undefined;
  mistake?: string | undefined;
};
