/**
 * Decides whether a press counts: whether the person who pressed could know what the press would do
 * (threat-model 1.4). Whether the payment accepts a press in its present state is the state machine's decision.
 *
 * | Rule | Stops | Applies to |
 * | --- | --- | --- |
 * | Live: the press is trusted, made by a person now, and not the repetition of a held key | scripts; a key held while the amount changes | all |
 * | Room: the frame has at least 200 × 120 CSS pixels | a form too small to read | all |
 * | Seen: the current amount has been in view, with nothing over it, for 500 ms altogether since it last changed | uncovering the form, or changing the amount, right before a press | all |
 * | Clear: nothing is laid over the total or the button; for a pointer, nothing at all over the button | covers that let the pointer through; Enter under a false total | all |
 * | Came: since the button last moved on the screen, the mouse has travelled or 300 ms have passed | sliding the form under the mouse, also between the two clicks of a double click | mouse |
 * | Elsewhere: the page did not see the pointer at this point within the last 500 ms | the same if the frame saw no mouse before; removing a cover between two clicks | mouse, touch |
 * | In sight: half of the button has been in view for 300 ms | a button that appears under a tapping finger | touch |
 * | In front: the tab has been in front for 500 ms | closing a window over the form between two clicks | all |
 * | Own focus: after the page moved the focus here, a key presses after 500 ms or after the buyer did something else | Enter that was meant for the page | keys |
 *
 * Only the page's script can tell what lies over the form (`loader/covers.ts`). A page whose script lies about it can
 * hide a cover; such a page could as well draw a false form. Elements that stay in place while the page scrolls, such
 * as a sticky header, may lie over the total as long as the button is clear.
 *
 * Some pages lay elements over the form that hide nothing. So after a press that was refused for a cover, the hint
 * repeats the amount, and for a few seconds one press of that amount counts if the hint itself is clear.
 */
import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Clock } from '../../api/clock.ts';
import type { CoversAnswer, Line } from '../../channel/messages.ts';
import { type Click, createLiveness } from './liveness.ts';
import { createPlaces, type Place, type PlaceName } from './places.ts';
import { createPointerTrail, distance, type PointerFact } from './pointer-trail.ts';
import { SMALLEST_FRAME } from './smallest-frame.ts';
import { createStopwatch } from './stopwatch.ts';

/** Who triggered the payment: the buyer on our button, or the host page through `submit()`. */
export type Presser = 'buyer' | 'host';

/** Why a press does not count. */
export type GuardRefusal =
  /** The amount, or the button under a finger, has not been seen for long enough. */
  | 'too_soon'
  /** The button came to the pointer. */
  | 'moved'
  /** The frame is too small to read. */
  | 'too_small'
  /** Something lies over the amount or the button. */
  | 'obscured';

export type Guard = {
  /** Whether a submit comes from a person pressing now. */
  isLive(submit: Event): boolean;
  /** Why the latest press does not count, or null if it does. Asks the page's script, so it takes a moment. */
  judge(presser: Presser): Promise<GuardRefusal | null>;
  /**
   * False while a press would be too early: until the amount (for a tap, the button) has been seen for long enough,
   * and until a button that moved has rested under a resting mouse.
   */
  armed: ReadonlySignal<boolean>;
  /** Watches an element that shows the amount. Returns a function that stops watching. */
  watch(place: PlaceName, target: Element): () => void;
  /** Whether the place is in view of the buyer. */
  isInView(place: PlaceName): boolean;
  /** The page moved the focus to a field. */
  focusMovedByPage(): void;
};

/** How long altogether the amount must have been seen since it last changed, in ms. */
const SEEN_FOR = 500;

/** How long half of the button must have been in view before a tap, in ms. */
const IN_SIGHT_FOR = 300;

/** The browser reports that something came into view up to this long after drawing it, in ms. */
const REPORT_DELAY = 50;

/** A pointer that the page saw this recently (ms) and this near (CSS pixels) was there before the button. */
const SEEN_BY_PAGE = { within: 500, near: 16 };

/** When a press after a refusal for a cover counts, in ms since the refusal: later than a double click, and soon. */
export const SECOND_PRESS = { from: 500, until: 8000 };

/** How long no key presses after the page moved the focus here, in ms. */
const AFTER_PAGE_FOCUS = 500;

/** How long no press counts after the tab came to the front, in ms. */
const IN_FRONT_FOR = 500;

/** While the pointer or the focus moves, the page is asked what lies over the form at most this often, in ms. */
const LOOK_INTERVAL = 500;

/** The amount on the button, and from when on the state machine accepts a press of it, in monotonic ms. */
export type Payable = { readonly amount: string; readonly notBefore: number };

type Parts = {
  clock: Clock;
  /** What a press would pay now; null if nothing can be paid. */
  payable: ReadonlySignal<Payable | null>;
  /** Asks the page's script what lies over these lines of the frame. */
  ask(lines: readonly Line[]): Promise<CoversAnswer>;
  /** Ends all listening. */
  ending: AbortSignal;
};

/** Listens to the frame's events until `ending` aborts. */
export const createGuard = ({ clock, payable, ask, ending }: Parts): Guard => {
  const { now } = clock;
  const liveness = createLiveness(ending);
  const trail = createPointerTrail();
  /** Runs while the amount is in view with nothing over it. */
  const seen = createStopwatch(now);
  const armed: Signal<boolean> = signal(true);
  let amount: string | null = null;
  /** When the page moved the focus here, unless the buyer did something since. */
  let focusMovedAt = Number.NEGATIVE_INFINITY;
  /** When the tab last came to the front or left it. */
  let frontAt = Number.NEGATIVE_INFINITY;
  /** The latest press that was refused for a cover. */
  let refused: { amount: string; at: number } | null = null;
  /** Whether the pointer had come to the button when it last went down. */
  let cameToButton = false;
  /** Whether the next press is probably a tap: as the latest was, or else as this device is used. */
  let isTapping = matchMedia('(hover: none)').matches;

  const isReadable = (place: Place | null): place is Place => place?.isInView === true && !document.hidden;
  const isClear = (place: Place | null) => isReadable(place) && place.cover === 'none';
  const shown = () => [places.get('total'), places.get('button')].filter(isReadable);
  const isLaidOver = () => shown().some(({ cover }) => cover === 'over');

  /** Takes over what is known about the places. */
  const updateSeen = () => {
    const isSeen = [...shown(), places.get('hint')].some(isClear);
    // What is covered now may have been covered all along: the page is asked only now and then.
    if (!isSeen && isLaidOver()) seen.reset();
    seen.run(isSeen);
    arm();
  };

  /** Ms until the button has been in sight for long enough for a tap; 0 if there is no button. */
  const msToSight = (): number => {
    const button = places.get('button');
    if (!button) return 0;
    const since = button.halfInViewSince;
    return since === null ? Number.POSITIVE_INFINITY : since + IN_SIGHT_FOR - now();
  };

  let timer = new AbortController();
  const arm = () => {
    timer.abort();
    const next = payable.peek();
    if (next === null || ending.aborted) {
      armed.value = true;
      return;
    }
    const msToSeen = seen.isRunning() ? SEEN_FOR - seen.elapsed() : Number.POSITIVE_INFINITY;
    const msLeft = Math.max(
      next.notBefore - now(),
      seen.elapsed() >= SEEN_FOR || isLaidOver() ? 0 : msToSeen, // if covered, a press is refused with the hint
      isTapping ? msToSight() : trail.restLeft(now()),
    );
    armed.value = msLeft <= 0;
    if (msLeft <= 0 || msLeft === Number.POSITIVE_INFINITY) return;
    timer = new AbortController();
    const { signal } = timer;
    void clock.wait(msLeft, signal).then(() => {
      if (!signal.aborted) arm();
    });
  };

  const places = createPlaces({ now, wait: (ms) => clock.wait(ms), ask, onChange: updateSeen });

  let lookedAt = Number.NEGATIVE_INFINITY;
  const look = () => {
    lookedAt = now();
    return places.look();
  };
  const lookIfDue = () => {
    if (amount !== null && now() - lookedAt >= LOOK_INTERVAL) void look();
  };

  effect(() => {
    const next = payable.value;
    refused = null;
    if (next && next.amount !== amount) {
      amount = next.amount;
      seen.reset();
    }
    updateSeen();
  });

  const options = { capture: true, signal: ending };
  /** Where the mouse was at its last event. */
  let mouse: Pick<PointerEvent, 'screenX' | 'screenY' | 'clientX' | 'clientY'> | null = null;
  const noteMouse = (kind: PointerFact['kind'], event: PointerEvent) => {
    const { screenX, screenY, clientX, clientY } = event;
    mouse = { screenX, screenY, clientX, clientY }; // not the event: it references a field and what is typed there
    trace(kind, event.timeStamp);
  };
  const trace = (kind: PointerFact['kind'], at: number) => {
    if (!mouse) return;
    const { screenX, screenY, clientX, clientY } = mouse;
    const { left = 0, top = 0 } = places.element('button')?.getBoundingClientRect() ?? {};
    trail.note({
      kind,
      spot: { x: screenX, y: screenY },
      button: { x: screenX - clientX + left, y: screenY - clientY + top },
      at,
    });
    arm();
  };
  const isMouse = (event: PointerEvent) => event.isTrusted && event.pointerType !== 'touch';
  const over = (event: PointerEvent) => {
    if (isMouse(event)) noteMouse(event.relatedTarget ? 'other' : 'enter', event);
  };
  const moved = (event: PointerEvent) => {
    if (isMouse(event)) noteMouse('move', event);
    lookIfDue();
  };
  const down = (event: PointerEvent) => {
    if (isMouse(event)) noteMouse('other', event);
    cameToButton = trail.cameToButton(event.timeStamp);
    isTapping = event.pointerType === 'touch';
    arm();
    buyerActed(event);
  };
  const out = ({ relatedTarget }: PointerEvent) => {
    if (relatedTarget) return;
    trail.forget();
    mouse = null;
  };
  const keyed = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') buyerActed(event);
  };
  const buyerActed = ({ isTrusted }: Event) => {
    if (isTrusted) focusMovedAt = Number.NEGATIVE_INFINITY;
  };
  window.addEventListener('pointerover', over, options);
  window.addEventListener('pointermove', moved, options);
  window.addEventListener('pointerdown', down, options);
  window.addEventListener('pointerout', out, options);
  window.addEventListener('keydown', keyed, options);
  window.addEventListener('focusin', lookIfDue, options);
  const cameOrWent = () => {
    frontAt = now();
    updateSeen();
  };
  document.addEventListener('visibilitychange', cameOrWent, { signal: ending });
  const restored = ({ persisted }: PageTransitionEvent) => {
    if (persisted) cameOrWent();
  };
  window.addEventListener('pageshow', restored, { signal: ending });
  // Messages below the fields move the button, without a pointer event.
  const layout = new ResizeObserver(() => trace('other', now()));
  layout.observe(document.documentElement);
  ending.addEventListener('abort', () => {
    timer.abort();
    layout.disconnect();
  });

  /** Whether the button had been in view for long enough when the finger came down. */
  const wasInSight = (at: number): boolean => {
    const since = places.get('button')?.halfInViewSince ?? null;
    return since !== null && at - since >= IN_SIGHT_FOR - REPORT_DELAY;
  };

  const pointerRefusal = (click: Click): GuardRefusal | null => {
    if (click.by === 'mouse') return cameToButton ? null : 'moved';
    return click.by === 'key' || wasInSight(click.at) ? null : 'too_soon';
  };

  const wasSeenByPage = (click: Click, pointer: CoversAnswer['pointer']): boolean =>
    click.by !== 'key' &&
    pointer !== null &&
    pointer.age - (now() - click.at) < SEEN_BY_PAGE.within &&
    distance(pointer, click.spot) < SEEN_BY_PAGE.near;

  const isCovered = (click: Click): boolean => {
    if (isLaidOver()) return true;
    if (click.by !== 'key') return places.get('button')?.cover !== 'none';
    return shown().length > 0 && !shown().some(isClear);
  };

  /** Whether the hint asked the buyer to press again, and they can read it. */
  const wasAskedAgain = (): boolean => {
    const age = refused?.amount === amount ? now() - refused.at : Number.NaN;
    return age >= SECOND_PRESS.from && age <= SECOND_PRESS.until && isClear(places.get('hint'));
  };

  const amountRefusal = (click: Click, judged: string): GuardRefusal | null => {
    const covered = isCovered(click);
    if (covered && !wasAskedAgain()) {
      const isDoubleClick = refused !== null && now() - refused.at < SECOND_PRESS.from;
      if (!isDoubleClick) refused = { amount: judged, at: now() };
      return 'obscured';
    }
    if (seen.elapsed() < SEEN_FOR) return 'too_soon';
    refused = null; // the exception is for one press
    return null;
  };

  return {
    armed,
    isLive: liveness.isLive,
    isInView: (place) => isReadable(places.get(place)),
    watch: places.watch,
    focusMovedByPage() {
      focusMovedAt = now();
    },

    async judge(presser) {
      const { innerWidth, innerHeight } = window;
      if (innerWidth < SMALLEST_FRAME.width || innerHeight < SMALLEST_FRAME.height) return 'too_small';
      const judged = amount;
      if (judged === null || now() - frontAt < IN_FRONT_FOR) return 'too_soon';
      const click: Click = presser === 'buyer' ? liveness.click() : { by: 'key' };
      const isFocusByPage = presser === 'buyer' && now() - focusMovedAt < AFTER_PAGE_FOCUS;
      if (isFocusByPage && click.by === 'key') return 'too_soon';
      const refusal = pointerRefusal(click);
      if (refusal) return refusal;
      const answer = await look();
      if (amount !== judged) return 'too_soon';
      return wasSeenByPage(click, answer?.pointer ?? null) ? 'moved' : amountRefusal(click, judged);
    },
  };
};
