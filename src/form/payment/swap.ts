/**
 * Another intent in the same form: `update({ clientSecret })`. An intent is replaced the way a total is: a swap is a reload that also
 * changes which intent is read. A layer over the machine, for the payments that need it (`session/swap.ts`); pure, as the machine is.
 *
 * `asked` → `reading`, the known intent → the other intent → as after its first read. Whatever stands against it, the known
 * intent stays, as after a reload; so a read that may succeed later is tried again, as one of the known intent is.
 */
import { totalOf } from '../../api/money.ts';
import { isUsedUp, mayBeAttempting, withKnownAttempts } from './attempts.ts';
import type { Intent, PaymentState, Step, World } from './payment-state.ts';
import { loading, msToRetry, type transition, withPreviousTotal } from './transition.ts';

type Decide = typeof transition;

const READ_OTHER = [{ type: 'retrieve', replacement: true }] as const;

/** The machine, with swaps. */
export const withSwap =
  (decide: Decide): Decide =>
  (state, event, world) => {
    if (event.type === 'closed' || state.status !== 'reloading' || !state.swap)
      return decide(state, event, world);
    const { swap, ...known } = state;
    if (swap === 'asked') return whileAsked(decide, state, event, world);
    switch (event.type) {
      case 'retrieved': {
        const { intent } = event;
        if (swap !== 'reading')
          return canTakeOver(intent)
            ? takeOver(decide, known.intent, intent, world)
            : decide(known, { type: 'retrieved', intent: swap }, world);
        const read = withKnownAttempts(known.intent, intent);
        if (!canGiveWay(known.intent, read)) return decide(known, event, world);
        return { state: { ...known, swap: read }, effects: READ_OTHER };
      }
      case 'retrieve_failed': {
        // After a 429 nothing is sent until the time has come, also about the known intent.
        if (swap === 'reading' || event.failure.kind === 'throttled') return decide(known, event, world);
        const ms = msToRetry(event.failure, state.failures);
        if (ms === undefined) return decide(known, { type: 'retrieved', intent: swap }, world);
        return {
          state: { ...state, failures: state.failures + 1, activity: 'pausing' },
          effects: [{ type: 'wait', ms, jitter: false }],
        };
      }
      case 'waited': // not the time that it may take to begin, if the known intent is read by now
        return state.activity === 'pausing'
          ? { state: { ...state, activity: 'reading' }, effects: READ_OTHER }
          : stay(state);
      default:
        return stay(state);
    }
  };

const stay = (state: PaymentState): Step => ({ state, effects: [] });

/** Nothing runs but the time that it may take to begin. */
const whileAsked = (
  decide: Decide,
  state: Extract<PaymentState, { status: 'reloading' }>,
  event: Parameters<Decide>[1],
  world: World,
): Step => {
  if (event.type === 'waited') return decide(state, event, world);
  return event.type === 'swap_begun'
    ? { state: { ...state, swap: 'reading', activity: 'reading' }, effects: [{ type: 'retrieve' }] }
    : stay(state);
};

/** Whether nothing was charged, and no attempt of anybody runs: canceled, or all that were counted are over. */
const canGiveWay = (known: Intent, read: Intent): boolean =>
  read.id === known.id &&
  (read.status === 'canceled' || (read.status === 'pending' && !mayBeAttempting(read)));

/** An intent that can never be paid takes no other's place. One that was paid, or is being paid, does: it must be seen. */
export const canTakeOver = (intent: Intent): boolean => intent.status !== 'canceled' && !isUsedUp(intent);

/** As after its first read, and the buyer sees which total was there before. */
const takeOver = (decide: Decide, before: Intent, intent: Intent, world: World): Step => {
  const entered = decide(loading(null), { type: 'retrieved', intent }, world);
  const { state } = entered;
  if (!('feedback' in state)) return entered;
  return {
    ...entered,
    state: { ...state, feedback: withPreviousTotal(totalOf(before), intent, state.feedback) },
  };
};
