/**
 * Calls the page's `addressLookup` while the buyer types an address (promises 1.8). No UI here. This is the only place
 * that decides what the page may learn: the text of this one field, with no more digits than a house number and a
 * postal code have.
 */
import type { Clock } from '../../api/clock/clock.ts';
import { SearchAnswer, type Suggestion } from '../channel/search-answer.ts';
import { type ADDRESS_PARTS, LONGEST_TEXT } from '../channel/suggestion.ts';
import type { Guard } from './press/guard.ts';
import type { PageLink } from './session/page-link.ts';

/** A suggestion with a complete address. */
export type FullSuggestion = {
  label: string;
  address: Readonly<Record<(typeof ADDRESS_PARTS)[number], string>>;
};

export type AddressQuestions = {
  /** Call when the buyer has changed the field's text. */
  typed(text: string): Promise<void>;
  /** Stops asking until the buyer types again, and ignores pending answers. */
  end(): void;
};

export type QuestionDeps = {
  page: Pick<PageLink, 'reply' | 'hear' | 'warn'>;
  clock: Clock;
  guard: Pick<Guard, 'hasFocusByPage'>;
  /** The chosen country. */
  country(): string;
  /** Returns true if the buyer can choose this country. */
  isOffered(country: string): boolean;
  /** Replaces the current suggestions. */
  suggest(suggestions: readonly FullSuggestion[]): void;
};

/** In characters. Shorter texts match too many addresses. */
const SHORTEST_QUERY = 3;

/** A text with more digits may be a card number, or most of one. */
const MOST_DIGITS = 6;

/** The buyer must pause this long before the page is asked, in ms: at most five questions a second. */
const PAUSE = 200;

/** An answer that takes longer is useless. In ms. */
const LATE = 5000;

const OPTION = 'addressLookup';

const EXPECTED = `Expected a list of { label, address: { line1, line2, city, state, postal_code, country } }: texts of at most ${LONGEST_TEXT} characters, and the country as a code that the form offers, such as "US".`;

const NO_SCRIPT = 'Cannot be called: a file of the script failed to load. Allow its folder in script-src.';

/** The query sent to the page for this text, or null. Digits alone may be a card number, a code or a date. */
export const queryOf = (text: string): string | null => {
  const query = text.trim();
  const digits = query.normalize('NFKC').match(/\p{N}/gu) ?? [];
  const fits = query.length >= SHORTEST_QUERY && query.length <= LONGEST_TEXT && /\p{L}/u.test(query);
  return fits && digits.length <= MOST_DIGITS ? query : null;
};

/** Returns true if the text has visible characters. */
const isReadable = (text: string): boolean => /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/u.test(text);

export const createAddressQuestions = (deps: QuestionDeps): AddressQuestions => {
  const { page, clock, guard, suggest } = deps;
  /** Number of the latest question. */
  let latest = 0;
  let isOpen = false;
  let typing = new AbortController();
  let hasComplained = false;

  const drop = () => {
    typing.abort();
    if (isOpen) page.reply({ type: 'search', search: latest });
    isOpen = false;
  };
  const end = () => {
    drop();
    suggest([]);
  };
  const complain = (mistake: string) => {
    if (!hasComplained) page.warn(OPTION, `${mistake} ${EXPECTED}`);
    hasComplained = true;
  };

  /** Completes a suggestion; null if it cannot be used. */
  const complete = (given: Suggestion | null): FullSuggestion | null => {
    if (!given || !isReadable(given.label) || !isReadable(given.address.line1)) return null;
    const country = (given.address.country || deps.country()).toUpperCase();
    if (!deps.isOffered(country)) return null;
    const { line1, line2 = '', city = '', state = '', postal_code = '' } = given.address;
    return { label: given.label, address: { line1, line2, city, state, postal_code, country } };
  };

  page.hear('search', (answer) => {
    const { data } = SearchAnswer.safeParse(answer);
    if (!isOpen || !data || (data.search ?? latest) !== latest) return;
    isOpen = false;
    typing.abort();
    if (data.search === undefined) page.warn(OPTION, NO_SCRIPT);
    if (data.mistake !== undefined) complain(data.mistake);
    const usable = (data.suggestions ?? []).flatMap((given, at) => {
      const full = complete(given);
      if (!full) complain(`Entry ${at + 1} is not used.`);
      return full ?? [];
    });
    suggest(usable);
  });

  return {
    async typed(text) {
      drop();
      const query = queryOf(text);
      if (query === null || guard.hasFocusByPage()) return suggest([]);
      typing = new AbortController();
      const { signal } = typing;
      await clock.wait(PAUSE, signal);
      if (signal.aborted) return;
      if (guard.hasFocusByPage()) return end();
      latest += 1;
      isOpen = true;
      page.reply({ type: 'search', search: latest, query, country: deps.country() });
      await clock.wait(LATE, signal);
      if (signal.aborted) return;
      page.warn(OPTION, `Has not answered within ${LATE / 1000} seconds, so nothing is suggested.`);
      end();
    },
    end,
  };
};
