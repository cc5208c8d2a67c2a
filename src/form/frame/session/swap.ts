/**
 * Puts another intent in the same form, for `update({ clientSecret })`. Holds the tab lock of the current intent, which
 * is read once more, so that no other tab of this browser pays it in the meantime; the state machine decides
 * (`payment/swap.ts`). A separate script, since most payments never need it.
 */
import { effect, type ReadonlySignal } from '@preact/signals-core';
import type { ServiceAnswer } from '../../../api/errors.ts';
import { CLIENT_SECRET, LONGEST_SECRET } from '../../channel/protocol.ts';
import type { CardFormError } from '../../channel/result.ts';
import type { Calls } from '../../payment/payment.ts';
import { type Intent, type PaymentState, PHASE } from '../../payment/payment-state.ts';
import { canTakeOver, withSwap } from '../../payment/swap.ts';
import type { BegunSession } from './begin-session.ts';
import { type SwapRefusal, swapError } from './swap-error.ts';

/** Resolves with null if the other intent is in the form; otherwise the form keeps its intent. */
export type Swap = (secret: unknown) => Promise<CardFormError | null>;

/** For one session. Swaps run one after the other. */
export const createSwap = ({ parts, charged }: Pick<BegunSession, 'parts' | 'charged'>): Swap => {
  const { payment, secret, tabLock } = parts;
  /** The last answer read. */
  let answered: ServiceAnswer<Intent> | null = null;
  /** The other intent's secret, during a swap (threat-model C20). */
  let other = '';

  payment.cover(({ decide, calls }) => {
    const retrieve: Calls['retrieve'] = async (signal, anew) => {
      if (typeof swapIn(payment.state.peek()) !== 'object') {
        answered = await calls.retrieve(signal, anew);
        return answered;
      }
      const known = secret.current();
      secret.give(other);
      answered = await calls.retrieve(signal, false);
      const isKept = !answered.ok || !canTakeOver(answered.value);
      if (isKept && !signal.aborted) secret.give(known);
      return answered;
    };
    return { decide: withSwap(decide), calls: { ...calls, retrieve } };
  });

  const refuse = (why: SwapRefusal): CardFormError => {
    if (swapIn(payment.state.peek()) === 'asked') payment.send({ type: 'waited' });
    return swapError(why, charged());
  };

  return async (given) => {
    if (!isSecret(given)) return refuse('invalid_option');
    await until(payment.state, (state) => !isReading(state));
    payment.send({ type: 'swap_requested' });
    const state = payment.state.peek();
    if (state.status !== 'reloading' || swapIn(state) !== 'asked') return refuse(whyNot(state));
    const { id } = state.intent;
    if (given === secret.current()) {
      payment.send({ type: 'waited' });
      return null;
    }
    if (payment.told.peek().mayArrive) return refuse('payment_in_progress');
    const ending = new AbortController();
    until(payment.state, (now) => swapIn(now) !== 'asked').then(() => ending.abort());
    if (!(await tabLock.acquire(id, ending.signal))) return refuse('payment_in_progress');
    if (swapIn(payment.state.peek()) !== 'asked') {
      tabLock.release(); // the form was removed in the meantime
      return refuse('payment_over');
    }
    other = given;
    payment.send({ type: 'swap_begun' });
    await until(payment.state, (now) => !swapIn(now));
    other = '';
    const now = payment.state.peek();
    const isOther = 'intent' in now && now.intent && now.intent.id !== id;
    return isOther ? null : refuse(whyKept(answered, id, now));
  };
};

const isSecret = (given: unknown): given is string =>
  typeof given === 'string' && given.length <= LONGEST_SECRET && new RegExp(CLIENT_SECRET).test(given);

const swapIn = (state: PaymentState) => (state.status === 'reloading' ? state.swap : undefined);

/** True while a read decides whether the state accepts a press. */
const isReading = (state: PaymentState): boolean =>
  PHASE[state.status] === 'opening' || (state.status === 'reloading' && !state.swap);

/** The reason this state accepts no other intent. */
const whyNot = (state: PaymentState): SwapRefusal => {
  const { status } = state;
  if (status === 'load_failed') return state.failure;
  const isOver = PHASE[status] === 'ended' || status === 'blocked' || status === 'destroyed';
  return isOver ? 'payment_over' : 'payment_in_progress';
};

/** The reason a swap failed, from the last answer read, of either intent. */
const whyKept = (read: ServiceAnswer<Intent> | null, known: string, now: PaymentState): SwapRefusal => {
  if (read && !read.ok) return read.failure;
  return read && read.value.id !== known ? 'payment_intent_not_pending' : whyNot(now);
};

const until = (state: ReadonlySignal<PaymentState>, holds: (state: PaymentState) => boolean): Promise<void> =>
  new Promise((resolve) => {
    const end = effect(() => {
      if (!holds(state.value)) return;
      resolve();
      queueMicrotask(() => end());
    });
  });
