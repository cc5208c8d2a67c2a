/**
 * The places in the form that show the amount: the total in the summary, the pay button, and the hint that asks for
 * another press. Knows whether each is in view, and what the page's script says lies over it.
 *
 * In view is what IntersectionObserver says, in its first version: it knows clipping and scrolling. Its second version
 * also knows overlays and filters, and is not used for two reasons, both measured in Chromium 156. For a frame of
 * another site it judges the frame as a whole, so that a sticky header over the first field or a `filter` around the
 * form reads like a false total over the true one. And Chromium drops taps on a frame that uses it for half a second
 * after the frame moved.
 */
import type { Cover, CoversAnswer, Line } from '../../channel/messages.ts';

export type PlaceName = 'total' | 'button' | 'hint';

/** What is known of a place. */
export type Place = {
  /** Whether it can be read as far as scrolling and clipping go. */
  readonly isInView: boolean;
  /** Since when at least half of it is in view, in monotonic ms, or null. */
  readonly halfInViewSince: number | null;
  /** What lay over it when the page was asked last; nothing where the page has never said. */
  readonly cover: Cover;
};

export type Places = {
  /** Watches the element from now on; the latest of each name counts. Returns what ends it. */
  watch(name: PlaceName, target: Element): () => void;
  /** Null while there is no such place. */
  get(name: PlaceName): Place | null;
  /** The watched element of the place. */
  element(name: PlaceName): Element | null;
  /** Asks the page's script what lies over the places now. Null where it does not answer in time. */
  look(): Promise<Pick<CoversAnswer, 'pointer'> | null>;
};

/** As much of a place must be in view to be read. */
const READABLE = 0.9;
const HALF = 0.5;

/** How long the page's script may take to answer, in ms. It shares a thread with all that the page does. */
const ANSWER_WITHIN = 1000;

const UNSEEN: Place = { isInView: false, halfInViewSince: null, cover: 'none' };

type Watched = { readonly target: Element; place: Place };

type Parts = {
  /** Monotonic ms. */
  now(): number;
  /** Fulfils after so many ms. */
  wait(ms: number): Promise<void>;
  /** Asks the page's script what lies over these lines. */
  ask(lines: readonly Line[]): Promise<CoversAnswer>;
  /** Told of every change of a place. */
  onChange(): void;
};

export const createPlaces = ({ now, wait, ask, onChange }: Parts): Places => {
  const watched = new Map<PlaceName, Watched>();

  return {
    get: (name) => watched.get(name)?.place ?? null,
    element: (name) => watched.get(name)?.target ?? null,

    watch(name, target) {
      const entry: Watched = { target, place: UNSEEN };
      watched.set(name, entry);
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
      observer.observe(target);
      return () => {
        observer.disconnect();
        if (watched.get(name) === entry) watched.delete(name);
        onChange();
      };
    },

    async look() {
      const entries = [...watched.values()];
      const answer = await Promise.race([
        ask(entries.map(({ target }) => lineOf(target))),
        wait(ANSWER_WITHIN).then(() => null),
      ]);
      if (!answer) return null;
      for (const [index, entry] of entries.entries()) {
        entry.place = { ...entry.place, cover: answer.covers[index] ?? 'none' };
      }
      onChange();
      return answer;
    },
  };
};

/** The line on which the amount stands. */
const lineOf = (target: Element): Line => {
  const amount = target.querySelector('[data-amount]') ?? target;
  const { left, top, width, height } = amount.getBoundingClientRect();
  return {
    left: left / window.innerWidth,
    top: (top + height / 2) / window.innerHeight,
    length: width / window.innerWidth,
  };
};
