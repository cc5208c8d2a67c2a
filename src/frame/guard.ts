/**
 * Whether a press may count: the buyer must have been able to see what is pressed for half a second (research
 * 1.4: overlays, double clicks, things that move under the pointer). The amount on it and the state of the
 * payment are the machine's business, not this file's.
 */

/** Who pressed: the buyer a button of ours, or a page that has the button itself, by message. */
export type Presser = 'buyer' | 'host';

/** Why a press does not count. */
export type Refused =
  /** What is pressed appeared, moved or came into sight just now. */
  | 'too_soon'
  /** The page gives the form less room than anybody can read it in. */
  | 'too_small'
  /** Something lies over it, or it is scrolled out of sight. Said once: browsers err on the safe side. */
  | 'obscured';

export type Guard = {
  /**
   * Whether a submit comes from a person who presses now: trusted itself, as is the click that caused it, and no
   * repetition of a key that is still held from an earlier press.
   */
  isLive(submit: Event): boolean;
  /** What keeps a press from counting now, or null. */
  judge(presser: Presser): Refused | null;
  /** Watches what shows the amount that is paid; the latest one counts. Returns what ends it. */
  watch(target: Element): () => void;
  /** Something the buyer looks at may have moved. */
  changed(): void;
  /**
   * The page brought the focus here. Who presses a key next may have meant it for something else: until the buyer
   * types, points or moves on, a press by key needs sight like one by pointer, and as long a look.
   */
  steered(): void;
};

/** In ms. */
const LOOK = 500;

/** In CSS pixels. */
const SMALLEST = { width: 200, height: 120 };

declare global {
  /** Chromium only: whether nothing lies over the target, and no effect hides it. */
  interface IntersectionObserverEntry {
    readonly isVisible?: boolean;
  }
}

/** `now` in monotonic ms. Listens until the signal. */
export const createGuard = (now: () => number, signal: AbortSignal): Guard => {
  /** When something changed last that a buyer has to take in. */
  let changedAt = now();
  /** Since when the target is in sight; null while it is not, undefined while nobody knows. */
  let seenSince: number | null | undefined;
  /** A buyer who was asked to press again is believed: the browser may be wrong. */
  let excused = false;

  /** Keys need no sight: who types has the focus here. Enter in a field clicks the button without a pointer. */
  let byKey = false;
  /** A click that a script made up submits a form like a true one. */
  let isMadeUp = false;
  /** A key that is held goes on pressing, also after the total has changed (research 2.7). */
  let isHeld = false;
  let isRepeated = false;
  /** The focus is here because the page wanted it so. */
  let isSteered = false;
  const clicked = ({ detail, isTrusted }: MouseEvent) => {
    byKey = detail === 0;
    isMadeUp = !isTrusted;
    isRepeated = byKey && isHeld;
    isHeld = false; // each repetition begins with a keydown of its own
  };
  const acted = ({ isTrusted }: Event) => {
    if (isTrusted) isSteered = false;
  };
  const keyed = (event: KeyboardEvent) => {
    isHeld = event.repeat;
    if (event.key !== 'Enter' && event.key !== ' ') acted(event);
  };
  const released = () => {
    isHeld = false;
  };
  window.addEventListener('keydown', keyed, { capture: true, signal });
  window.addEventListener('keyup', released, { capture: true, signal });
  window.addEventListener('pointerdown', acted, { capture: true, signal });
  window.addEventListener('click', clicked, { capture: true, signal });

  const changed = () => {
    changedAt = now();
  };
  const shown = () => {
    if (!document.hidden) changed();
  };
  document.addEventListener('visibilitychange', shown, { signal });
  window.addEventListener('pageshow', shown, { signal });

  return {
    changed,
    steered() {
      isSteered = true;
      changed();
    },
    isLive: ({ isTrusted }) =>
      isTrusted && !isMadeUp && !isRepeated && (navigator.userActivation?.isActive ?? true),

    judge(presser) {
      const { innerWidth, innerHeight } = window;
      if (innerWidth < SMALLEST.width || innerHeight < SMALLEST.height) return 'too_small';
      if (now() - changedAt < LOOK) return 'too_soon';
      const needsNoSight = presser === 'buyer' && byKey && !isSteered;
      if (needsNoSight || excused || seenSince === undefined) return null;
      if (seenSince !== null) return now() - seenSince < LOOK ? 'too_soon' : null;
      excused = true;
      changed(); // the second half of a double click is no second thought
      return 'obscured';
    },

    watch(target) {
      seenSince = undefined;
      changed();
      const size = new ResizeObserver(changed);
      size.observe(target);
      const sight = new IntersectionObserver(
        (entries) => {
          const entry = entries.at(-1);
          if (!entry) return;
          const inSight = entry.isVisible ?? entry.intersectionRatio >= 0.9;
          seenSince = inSight ? (seenSince ?? now()) : null;
        },
        { threshold: [0, 0.5, 0.9, 1], ...TRACKED },
      );
      sight.observe(target);
      return () => {
        size.disconnect();
        sight.disconnect();
      };
    },
  };
};

/** Version 2 of the interface, where there is one; elsewhere the members are ignored. `delay` in ms. */
const TRACKED = { trackVisibility: true, delay: 100 };
