/**
 * Replaces the intent of a form: `update({ clientSecret })`. Works like a changed total: a swap is a reload that also
 * changes which intent is read. A layer over the machine, for the payments that need it (`session/swap.ts`); pure, like
 * the machine.
 *
 * `asked` → `reading` the known intent → reading the other intent → as after its first read. If anything prevents the
 * swap, the known intent stays, as after a reload; so a read that may succeed later is retried, as for the known
 * intent.
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
        // After a 429 nothing is sent before the wait is over, not even about the known intent.
        if (swap === 'reading' || event.failure.kind === 'throttled') return decide(known, event, world);
        const ms = msToRetry(event.failure, state.failures);
        if (ms === undefined) return decide(known, { type: 'retrieved', intent: swap }, world);
        return {
          state: { ...state, failures: state.failures + 1, activity: 'pausing' },
          effects: [{ type: 'wait', ms, jitter: false }],
        };
      }
      case 'waited': // ignores the timeout of `asked` if the known intent has been read by now
        return state.activity === 'pausing'
          ? { state: { ...state, activity: 'reading' }, effects: READ_OTHER }
          : stay(state);
      default:
        return stay(state);
    }
  };

const stay = (state: PaymentState): Step => ({ state, effects: [] });

/** Nothing runs but the time limit for the swap to begin. */
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

/** Returns true if nothing was charged and nobody's attempt is running: canceled, or all counted ones are over. */
const canGiveWay = (known: Intent, read: Intent): boolean =>
  read.id === known.id &&
  (read.status === 'canceled' || (read.status === 'pending' && !mayBeAttempting(read)));

/**
 * Returns true unless the intent can never be paid. An intent that was paid, or is being paid, replaces the other: the
 * buyer must see it.
 */
export const canTakeOver = (intent: Intent): boolean => intent.status !== 'canceled' && !isUsedUp(intent);

/** Enters the state as after a first read, and shows the buyer the previous total. */
const takeOver = (decide: Decide, before: Intent, intent: Intent, world: World): Step => {
  const entered = decide(loading(null), { type: 'retrieved', intent }, world);
  const { state } = entered;
  if (!('feedback' in state)) return entered;
  return {
    ...entered,
    state: { ...state, feedback: withPreviousTotal(totalOf(before), intent, state.feedback) },
  };
};
