/**
 * Decides whether a press counts: whether the person who pressed could know what the press would do
 * (threat-model 1.4). The state machine decides whether the payment accepts a press in its current state.
 *
 * | Rule | Stops | Applies to |
 * | --- | --- | --- |
 * | Live: the press is trusted, made by a person now, and not the repetition of a held key | scripts; a key held while the amount changes | all |
 * | Room: the frame has at least 200 × 120 CSS pixels | a form too small to read | all |
 * | Seen: the current amount has been in view, with nothing over it, for a total of 500 ms since it last changed | uncovering the form, or changing the amount, right before a press | all |
 * | Clear: nothing covers the total or the button; for a pointer, nothing at all is over the button | covers that let the pointer through; Enter under a false total | all |
 * | Came: since the button last moved on the screen, the mouse has travelled or 300 ms have passed | sliding the form under the mouse, also between the two clicks of a double click | mouse |
 * | Elsewhere: the page did not see the pointer at this point within the last 500 ms | the same if the frame saw no mouse before; removing a cover between two clicks | mouse, touch |
 * | In sight: half of the button has been in view for 300 ms | a button that appears under a tapping finger | touch |
 * | In front: the tab has been in front for 500 ms | closing a window over the form between two clicks | all |
 * | Own focus: after the page moved the focus here, a key presses once the buyer has used the pointer or Tab, or no key for 1,000 ms | Enter at the end of what was typed for the page | keys |
 *
 * Only the page's script can see what covers the form (`loader/covers.ts`). A page whose script lies about it can hide
 * a cover, but such a page could just as well draw a fake form. Elements that stay in place while the page scrolls,
 * such as a sticky header, may cover the total as long as the button is clear.
 *
 * The check is strict: anything unknown counts as a cover. So a press refused because of a cover brings the form to the
 * front (`loader/front.ts`), where no style or element of the page reaches it, and the next press counts once the
 * amount has been seen there. In a browser without popovers the hint repeats the amount, and for a few seconds one
 * press of that amount counts if the hint itself is clear.
 */
import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { Clock } from '../../../api/clock/clock.ts';
import type { AskCovers } from '../../channel/messages.ts';
import {
  type CoveredPress,
  coveredAfter,
  type GuardRefusal,
  isAmountClear,
  isLaidOver,
  isMeantForPage,
  msToPointer,
  msToSeen,
  type Presser,
  type PressFacts,
  refusalAtOnce,
  refusalByAnswer,
} from './judge.ts';
import { keepUpToDate, nothingHappened } from './listeners.ts';
import { type Click, createLiveness } from './liveness.ts';
import { createPlaces, type PlaceName } from './places.ts';
import { createPointerTrail } from './pointer-trail.ts';
import { createStopwatch } from './stopwatch.ts';

export type Guard = {
  /** True if a click comes from a person pressing now. */
  isLive(click: Event): boolean;
  /**
   * Resolves with the reason the latest press does not count, or null. Asks the page's script, so it takes a moment.
   */
  judge(presser: Presser): Promise<GuardRefusal | null>;
  /**
   * False while a press would be too early: until the amount (for a tap, the button) has been seen long enough, and
   * until a button that moved has rested under a resting mouse.
   */
  armed: ReadonlySignal<boolean>;
  /** True while the form is in front of the page, where it has a button even if the page has one. */
  isInFront: ReadonlySignal<boolean>;
  /** Watches an element that shows the amount. Returns a function that stops watching. */
  watch(place: PlaceName, target: Element): () => void;
  /** True if the place is in the buyer's view. */
  isInView(place: PlaceName): boolean;
  /** The page moved the focus to a field. */
  focusMovedByPage(): void;
  /** True if a key pressed now may be meant for the page, which moved the focus here. */
  isMeantForPage(): boolean;
  /** True if the page moved the focus here and the buyer has used neither the pointer nor Tab since. */
  hasFocusByPage(): boolean;
  /** The form was parked: no amount counts as seen, and a press being judged does not count. */
  startOver(): void;
};

/** Minimum interval between questions to the page about covers while the pointer or focus moves, in ms. */
const LOOK_INTERVAL = 500;

/** `amount`: intent and total, as one text. `notBefore`: when the state machine accepts its press, in monotonic ms. */
export type Payable = { readonly amount: string; readonly notBefore: number };

type Parts = {
  clock: Clock;
  /** The amount a press would pay now; null if nothing can be paid. */
  payable: ReadonlySignal<Payable | null>;
  ask: AskCovers;
  /** Stops all listeners. */
  ending: AbortSignal;
};

/** Collects the judge's facts from the frame's events until `ending` aborts. */
export const createGuard = ({ clock, payable, ask, ending }: Parts): Guard => {
  const { now } = clock;
  const armed: Signal<boolean> = signal(true);
  /** Runs while the amount is in view and uncovered. */
  const seen = createStopwatch(now);
  let amount: string | null = null;
  const isInFront = signal(false);
  /** True from the request to bring the form to the front: a slow page may not have answered yet. */
  let mayBeInFront = false;
  let canBeInFront = false;
  /** True if the last press did not count because the button was out of view. */
  let wasOut = false;
  let covered: CoveredPress | null = null;

  const happened = nothingHappened();
  const liveness = createLiveness(ending);
  const trail = createPointerTrail();
  const places = createPlaces({ now, wait: (ms) => clock.wait(ms), ask, onChange: () => updateSeen() });

  const facts = (): PressFacts => ({
    ...happened,
    now: now(),
    amount,
    places: { total: places.get('total'), button: places.get('button'), hint: places.get('hint') },
    seenFor: seen.elapsed(),
    isSeen: seen.isRunning(),
    restLeft: trail.restLeft(now()),
    covered,
  });

  /** Applies the current facts about the places. */
  const updateSeen = () => {
    const known = facts();
    const isSeen = isAmountClear(known);
    // A current cover may have been there all along, because the page is asked only from time to time.
    if (!isSeen && isLaidOver(known)) seen.reset();
    seen.run(isSeen);
    arm();
  };

  let timer = new AbortController();
  const arm = () => {
    timer.abort();
    const next = payable.peek();
    const known = facts();
    const msLeft =
      next === null || ending.aborted
        ? 0
        : Math.max(next.notBefore - known.now, msToSeen(known), msToPointer(known));
    armed.value = msLeft <= 0;
    if (msLeft <= 0 || msLeft === Number.POSITIVE_INFINITY) return;
    timer = new AbortController();
    const { signal } = timer;
    void clock.wait(msLeft, signal).then(() => {
      if (!signal.aborted) arm();
    });
  };
  ending.addEventListener('abort', () => timer.abort());

  effect(() => {
    const next = payable.value;
    covered = null;
    if (next && next.amount !== amount) {
      amount = next.amount;
      seen.reset();
    }
    updateSeen();
  });

  let lookedAt = Number.NEGATIVE_INFINITY;
  const look = async (toFront?: boolean) => {
    lookedAt = now();
    mayBeInFront ||= toFront === true;
    const answer = await places.look(toFront);
    if (!answer) return null;
    canBeInFront ||= answer.front !== undefined;
    mayBeInFront = isInFront.value = answer.front === true;
    return answer;
  };
  const putBack = () => mayBeInFront && look(false);
  const lookIfDue = () => {
    if (amount !== null && now() - lookedAt >= LOOK_INTERVAL) void look();
  };
  keepUpToDate(happened, {
    now,
    trail,
    button: () => places.element('button'),
    onPointer: arm,
    onTab: updateSeen,
    onApproach: lookIfDue,
    onEscape: putBack,
    ending,
  });

  return {
    armed,
    isInFront,
    isLive: liveness.isLive,
    isInView: (place) => places.get(place)?.isInView === true,
    watch: places.watch,
    focusMovedByPage() {
      happened.pageKeyAt = now();
    },
    isMeantForPage: () => isMeantForPage(facts()),
    hasFocusByPage: () => happened.pageKeyAt > Number.NEGATIVE_INFINITY,
    startOver() {
      amount = null;
      putBack();
    },

    async judge(presser) {
      const click: Click = presser === 'buyer' ? liveness.click() : { by: 'key' };
      const judged = amount;
      const refusal = refusalAtOnce(facts(), presser, click, window);
      if (refusal) return refusal;
      const answer = await look();
      if (judged === null || amount !== judged) return 'too_soon';
      const known = facts();
      const refusalNow = refusalByAnswer(known, click, answer?.pointer ?? null);
      const { total, button } = known.places;
      // A button out of view is scrolled into view first. If the page clips it, it stays out of view.
      const isOut = !button?.isInView && (refusalNow === 'obscured' || !total?.isInView);
      const canSee = presser === 'host' || button?.isInView === true;
      const needsFront = refusalNow !== null && ((refusalNow === 'obscured' && canSee) || (isOut && wasOut));
      if (needsFront) {
        const brought = look(true);
        if (answer) await brought; // a page that hasn't answered yet may take just as long again
      }
      wasOut = isOut;
      if (refusalNow === null) putBack();
      const hasWayOn = needsFront ? isInFront.peek() : canBeInFront;
      covered = hasWayOn ? null : coveredAfter(known, judged, refusalNow);
      return refusalNow;
    },
  };
};
