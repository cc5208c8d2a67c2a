/**
 * The places in the form that show the amount: the total in the summary, the pay button, and the hint that asks for
 * another press. Tracks whether each is in view, and what covers it according to the page's script.
 *
 * IntersectionObserver version 1 decides what is in view; it accounts for clipping and scrolling. Version 2 also
 * detects overlays and filters, but is not used for two reasons, both measured in Chromium 156. It judges a cross-site
 * frame as a whole: a sticky header over the first field, or a `filter` around the form, looks the same as a false
 * total over the true one. And Chromium drops taps on a frame that uses it for half a second after the frame moved.
 */
import type { Cover, CoversAnswer } from '../../channel/commands.ts';
import type { AskCovers, Line } from '../../channel/messages.ts';

export type PlaceName = 'total' | 'button' | 'hint';

/** The state of a place. */
export type AmountPlace = {
  /** True if it is readable despite scrolling and clipping, in a tab in front. */
  readonly isInView: boolean;
  /** Since when at least half of it has been in view, in monotonic ms; null if less than half is. */
  readonly halfInViewSince: number | null;
  /** The cover in the page's last answer: `none` before the page is asked, `over` if it does not answer. */
  readonly cover: Cover;
};

export type Places = {
  /**
   * Watches the element instead of an earlier one of that name; keeps the state if it is the same element. Returns a
   * function that stops watching.
   */
  watch(name: PlaceName, target: Element): () => void;
  /** Null if the place is not watched. */
  get(name: PlaceName): AmountPlace | null;
  /** The watched element of the place. */
  element(name: PlaceName): Element | null;
  /**
   * Asks the page's script what covers the places now. Null if it does not answer in time: it may be blocked on
   * purpose, so silence counts as a cover. A page that cannot look says so, and its answer names no place. `front`:
   * first brings the form to the front, or puts it back.
   */
  look(front?: boolean): Promise<Pick<CoversAnswer, 'pointer' | 'front'> | null>;
};

/** The fraction of a place that must be in view to be readable. */
const READABLE = 0.9;
const HALF = 0.5;

/**
 * Time limits for the answer of the page's script, in ms. It shares a thread with the rest of the page, which may be
 * busy, and may have to load a file before its first answer.
 */
const PATIENCE = { first: 10_000, later: 2000 };

const NOT_SEEN: AmountPlace = { isInView: false, halfInViewSince: null, cover: 'none' };

type Watched = { readonly target: Element; readonly observer: IntersectionObserver; place: AmountPlace };

type Parts = {
  /** Monotonic ms. */
  now(): number;
  /** Resolves after this many ms. */
  wait(ms: number): Promise<void>;
  ask: AskCovers;
  /** Called after every change of a place. */
  onChange(): void;
};

export const createPlaces = ({ now, wait, ask, onChange }: Parts): Places => {
  const watched = new Map<PlaceName, Watched>();
  let hasAnswered = false;

  return {
    get(name) {
      const { place = null } = watched.get(name) ?? {};
      return place && { ...place, isInView: place.isInView && !document.hidden };
    },
    element: (name) => watched.get(name)?.target ?? null,

    watch(name, target) {
      const earlier = watched.get(name);
      earlier?.observer.disconnect();
      const observer = new IntersectionObserver(
        (entries) => {
          const ratio = entries.at(-1)?.intersectionRatio ?? 0;
          entry.place = {
            ...entry.place,
            isInView: ratio >= READABLE,
            halfInViewSince: ratio < HALF ? null : (entry.place.halfInViewSince ?? now()),
          };
          onChange();
        },
        { threshold: [0, HALF, READABLE, 1] },
      );
      const entry: Watched = {
        target,
        observer,
        place: earlier?.target === target ? earlier.place : NOT_SEEN,
      };
      watched.set(name, entry);
      observer.observe(target);
      return () => {
        observer.disconnect();
        if (watched.get(name) === entry) watched.delete(name);
        onChange();
      };
    },

    async look(front) {
      const named = [...watched];
      const entries = named.map(([, entry]) => entry);
      const lines = named.map(([name, { target }]) => ({
        ...lineOf(target),
        ...(name === 'button' && { button: true }),
      }));
      const patience = hasAnswered ? PATIENCE.later : PATIENCE.first;
      const answer = await Promise.race([ask(lines, front), wait(patience).then(() => null)]);
      const untold = answer ? 'none' : 'over';
      for (const [index, entry] of entries.entries()) {
        entry.place = { ...entry.place, cover: answer?.covers[index] ?? untold };
      }
      hasAnswered ||= !!answer;
      onChange();
      return answer;
    },
  };
};

/** The amount's line, in fractions of the frame. */
const lineOf = (target: Element): Line => {
  const amount = target.querySelector('[data-amount]') ?? target;
  const { left, top, width, height } = amount.getBoundingClientRect();
  return {
    left: left / window.innerWidth,
    top: (top + height / 2) / window.innerHeight,
    length: width / window.innerWidth,
    height: height / window.innerHeight,
  };
};
