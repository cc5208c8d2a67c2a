/**
 * Whether a press counts. The amount on the button and the state of the payment are the machine's business; this file
 * asks whether the person who pressed could know what the press would do (research 1.4, product 4).
 *
 * | Rule | Stops | Asked of |
 * | --- | --- | --- |
 * | Live: the press is trusted, by a person now, and no repetition of a held key | scripts; keys held over a change of the amount | all |
 * | Room: the frame has at least 200 × 120 CSS pixels | a form too small to be read | all |
 * | Seen: the current amount has been in view, with nothing over it, for 500 ms in all since it last changed | uncovering the form, or changing the amount, right before a press | all |
 * | Clear: nothing is laid over the total or the button, and nothing at all over a button that a pointer presses | covers that let the pointer through; Enter under a false total | all |
 * | Came: since the button last moved on the screen the mouse has travelled, or 300 ms have passed | sliding the form under the mouse, also between the two clicks of a double click | mouse |
 * | Elsewhere: the page did not have the mouse at this very place within the last 500 ms | the same where the frame saw no mouse before; a cover that is taken away between two clicks | mouse, touch |
 * | In sight: half of the button has been in view for 300 ms | a button that comes up under a tapping finger | touch |
 * | In front: for 500 ms the tab has been in front | a window that closes over the form between two clicks | all |
 * | Own focus: after the page moved the focus here, 500 ms pass or the buyer acts before a key presses | Enter that was meant for the page | keys |
 *
 * What lies over the form only the page's script can tell (`loader/covers.ts`). A page whose own script deceives it can
 * hide a cover; such a page could as well draw a false form. Page furniture that stays where it is while the page
 * scrolls, such as a sticky header, may lie over the total as long as the button is clear.
 *
 * Pages lay things over a form that hide nothing, so a press that was refused for a cover is asked for again: the hint
 * repeats the amount, and for a few seconds one press of that amount counts if the hint itself is clear.
 */
import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Clock } from '../../api/clock.ts';
import type { CoversAnswer, Line } from '../../channel/messages.ts';
import { type Click, createLiveness } from './liveness.ts';
import { createPlaces, type Place, type PlaceName } from './places.ts';
import { createPointerTrail, distance, type PointerFact } from './pointer-trail.ts';
import { createStopwatch } from './stopwatch.ts';

/** Who triggered the payment: the buyer on our button, or the host page through `submit()`. */
export type Presser = 'buyer' | 'host';

/** Why a press does not count. */
export type Refused =
  /** The amount, or the button under a finger, has not been seen for long enough. */
  | 'too_soon'
  /** The button came to the pointer. */
  | 'moved'
  /** The page gives the form less room than anybody can read it in. */
  | 'too_small'
  /** Something lies over the amount. */
  | 'obscured';

export type Guard = {
  /** Whether a submit comes from a person who presses now. */
  isLive(submit: Event): boolean;
  /** What keeps the latest press from counting, or null. Asks the page's script, so the answer takes a moment. */
  judge(presser: Presser): Promise<Refused | null>;
  /**
   * False while a press would be refused although nothing is wrong: until the amount, and for a tap the button, has been
   * seen for long enough, and until a mouse at rest has waited for a button that moved.
   */
  armed: ReadonlySignal<boolean>;
  /** Watches an element that shows the amount. Returns what ends it. */
  watch(place: PlaceName, target: Element): () => void;
  /** Whether the place is in view. */
  isInView(place: PlaceName): boolean;
  /** The page moved the focus here. */
  steered(): void;
};

/** How long the amount must have been seen in all since it last changed, in ms. */
const SEEN = 500;

/** How long half of the button must have been in view before a tap, in ms. */
const IN_SIGHT = 300;

/** The browser says that something came into view up to this much later than it is drawn, in ms. */
const REPORTED_WITHIN = 50;

/** A mouse that the page saw so recently, in ms, and so near, in CSS pixels, was there before the button. */
const ELSEWHERE = { ms: 500, near: 16 };

/** When a press that is asked for again counts, in ms after the refusal: no double click, and soon. */
export const EXCUSED = { from: 500, until: 8000 };

/** How long after the page moved the focus a key does not press, and nothing after the tab came to the front, in ms. */
const STEERED = 500;
const FRONT = 500;

/** While the pointer or the focus moves, the page is asked at most so often what lies over the form, in ms. */
const LOOK_EVERY = 500;

/** In CSS pixels. */
const SMALLEST = { width: 200, height: 120 };

/** The amount as the button says it, and from when on the machine takes a press of it, in monotonic ms. */
export type Payable = { readonly amount: string; readonly notBefore: number };

type Parts = {
  clock: Clock;
  /** What a press would pay now; null while nothing can be paid. */
  payable: ReadonlySignal<Payable | null>;
  /** Asks the page's script what lies over lines of the frame. */
  ask(lines: readonly Line[]): Promise<CoversAnswer>;
  /** Ends all listening. */
  ending: AbortSignal;
};

export const createGuard = ({ clock, payable, ask, ending }: Parts): Guard => {
  const { now } = clock;
  const liveness = createLiveness(ending);
  const trail = createPointerTrail();
  /** The amount was in view, with nothing over it. */
  const seen = createStopwatch(now);
  const armed: Signal<boolean> = signal(true);
  let amount: string | null = null;
  let steeredAt: number | null = null;
  /** When the tab came to the front. */
  let frontAt = Number.NEGATIVE_INFINITY;
  /** The latest press that was refused for a cover. */
  let refused: { amount: string; at: number } | null = null;
  /** Whether the pointer had come to the button when it went down. */
  let came = false;
  /** Whether who presses next probably taps: as the latest press did, or as the device is used. */
  let isTapping = matchMedia('(hover: none)').matches;

  const isReadable = (place: Place | null): place is Place => place?.isInView === true && !document.hidden;
  const isClear = (place: Place | null) => isReadable(place) && place.cover === 'none';
  const shown = () => [places.get('total'), places.get('button')].filter(isReadable);
  const isLaidOver = () => shown().some(({ cover }) => cover === 'over');

  /** Follows what is known of the places. */
  const settle = () => {
    const isSeen = [...shown(), places.get('hint')].some(isClear);
    // What is covered now may have been all along: the page is not asked all the time.
    if (!isSeen && isLaidOver()) seen.reset();
    seen.run(isSeen && amount !== null);
    arm();
  };

  /** How long until a tap finds the button in sight for long enough; nothing where there is no button. */
  const toSight = (): number => {
    const button = places.get('button');
    if (!button) return 0;
    const since = button.halfInViewSince;
    return since === null ? Number.POSITIVE_INFINITY : since + IN_SIGHT - now();
  };

  let alarm = new AbortController();
  const arm = () => {
    alarm.abort();
    const next = payable.peek();
    if (next === null || ending.aborted) {
      armed.value = true;
      return;
    }
    const toSeen = seen.isRunning() ? SEEN - seen.elapsed() : Number.POSITIVE_INFINITY;
    const left = Math.max(
      next.notBefore - now(),
      seen.elapsed() >= SEEN || isLaidOver() ? 0 : toSeen, // a press is told what lies over it
      isTapping ? toSight() : trail.comesIn(now()),
    );
    armed.value = left <= 0;
    if (left <= 0 || left === Number.POSITIVE_INFINITY) return;
    alarm = new AbortController();
    const { signal } = alarm;
    void clock.wait(left, signal).then(() => {
      if (!signal.aborted) arm();
    });
  };

  const places = createPlaces({ now, wait: (ms) => clock.wait(ms), ask, onChange: settle });

  let lookedAt = Number.NEGATIVE_INFINITY;
  const look = () => {
    lookedAt = now();
    return places.look();
  };
  const lookNowAndThen = () => {
    if (amount !== null && now() - lookedAt >= LOOK_EVERY) void look();
  };

  effect(() => {
    const next = payable.value;
    refused = null;
    if (next && next.amount !== amount) {
      amount = next.amount;
      seen.reset();
    }
    settle();
  });

  const options = { capture: true, signal: ending };
  /** Where the mouse was last. */
  let mouse: Pick<PointerEvent, 'screenX' | 'screenY' | 'clientX' | 'clientY'> | null = null;
  const noted = (kind: PointerFact['kind'], event: PointerEvent) => {
    const { screenX, screenY, clientX, clientY } = event;
    mouse = { screenX, screenY, clientX, clientY }; // the event itself would keep its field, and what is typed there
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
  const ofMouse = (event: PointerEvent) => event.isTrusted && event.pointerType !== 'touch';
  const over = (event: PointerEvent) => {
    if (ofMouse(event)) noted(event.relatedTarget ? 'other' : 'enter', event);
  };
  const moved = (event: PointerEvent) => {
    if (ofMouse(event)) noted('move', event);
    lookNowAndThen();
  };
  const down = (event: PointerEvent) => {
    if (ofMouse(event)) noted('other', event);
    came = trail.cameToButton(event.timeStamp);
    isTapping = event.pointerType === 'touch';
    arm();
    acted(event);
  };
  const out = ({ relatedTarget }: PointerEvent) => {
    if (relatedTarget) return;
    trail.forget();
    mouse = null;
  };
  const keyed = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') acted(event);
  };
  const acted = ({ isTrusted }: Event) => {
    if (isTrusted) steeredAt = null;
  };
  window.addEventListener('pointerover', over, options);
  window.addEventListener('pointermove', moved, options);
  window.addEventListener('pointerdown', down, options);
  window.addEventListener('pointerout', out, options);
  window.addEventListener('keydown', keyed, options);
  window.addEventListener('focusin', lookNowAndThen, options);
  const cameToFront = () => {
    if (!document.hidden) frontAt = now();
    settle();
  };
  document.addEventListener('visibilitychange', cameToFront, { signal: ending });
  const restored = ({ persisted }: PageTransitionEvent) => {
    if (persisted) cameToFront();
  };
  window.addEventListener('pageshow', restored, { signal: ending });
  // What the buyer typed and what is said of it moves the button, and no pointer event tells when.
  const layout = new ResizeObserver(() => trace('other', now()));
  layout.observe(document.documentElement);
  ending.addEventListener('abort', () => {
    alarm.abort();
    layout.disconnect();
  });

  /** Whether the button has been in view for long enough when the finger came down. */
  const wasInSight = (at: number): boolean => {
    const since = places.get('button')?.halfInViewSince ?? null;
    return since !== null && at - since >= IN_SIGHT - REPORTED_WITHIN;
  };

  const ofPointer = (click: Click): Refused | null => {
    if (click.by === 'mouse') return came ? null : 'moved';
    return click.by === 'key' || wasInSight(click.at) ? null : 'too_soon';
  };

  const wasElsewhere = (click: Click, pointer: CoversAnswer['pointer']): boolean =>
    click.by !== 'key' &&
    pointer !== null &&
    pointer.age - (now() - click.at) < ELSEWHERE.ms &&
    distance(pointer, click.spot) < ELSEWHERE.near;

  const isCovered = (click: Click): boolean => {
    if (isLaidOver()) return true;
    if (click.by !== 'key') return places.get('button')?.cover !== 'none';
    return shown().length > 0 && !shown().some(isClear);
  };

  /** Whether the buyer was asked to press again, and could read it. */
  const wasAsked = (): boolean => {
    const age = refused?.amount === amount ? now() - refused.at : Number.NaN;
    return age >= EXCUSED.from && age <= EXCUSED.until && isClear(places.get('hint'));
  };

  const ofAmount = (click: Click): Refused | null => {
    const covered = isCovered(click);
    if (covered && !wasAsked()) {
      const isDoubleClick = refused !== null && now() - refused.at < EXCUSED.from;
      if (amount !== null && !isDoubleClick) refused = { amount, at: now() };
      return 'obscured';
    }
    if (seen.elapsed() < SEEN) return 'too_soon';
    refused = null; // asked for one press
    return null;
  };

  return {
    armed,
    isLive: liveness.isLive,
    isInView: (place) => isReadable(places.get(place)),
    watch: places.watch,
    steered() {
      steeredAt = now();
    },

    async judge(presser) {
      const { innerWidth, innerHeight } = window;
      if (innerWidth < SMALLEST.width || innerHeight < SMALLEST.height) return 'too_small';
      const of = amount;
      if (of === null || now() - frontAt < FRONT) return 'too_soon';
      const click: Click = presser === 'buyer' ? liveness.click() : { by: 'key' };
      const isSteered = presser === 'buyer' && steeredAt !== null && now() - steeredAt < STEERED;
      if (isSteered && click.by === 'key') return 'too_soon';
      const refusal = ofPointer(click);
      if (refusal) return refusal;
      const sight = await look();
      if (amount !== of) return 'too_soon';
      return wasElsewhere(click, sight?.pointer ?? null) ? 'moved' : ofAmount(click);
    },
  };
};
