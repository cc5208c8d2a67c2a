/**
 * Another intent in the same form: what `update({ clientSecret })` comes to. Under the tab lock of the known intent, which is read
 * once more, so that no tab of this browser pays it meanwhile; the machine decides (`payment/swap.ts`). A script of its own, since
 * most payments never need it.
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

/** Null: the other intent is in the form. Otherwise the one before it still is. */
export type Swap = (secret: unknown) => Promise<CardFormError | null>;

/** For one session. Each swap begins when the one before it has ended. */
export const createSwap = ({ parts, charged }: Pick<BegunSession, 'parts' | 'charged'>): Swap => {
  const { payment, secret, tabLock } = parts;
  /** What was read last. */
  let answered: ServiceAnswer<Intent> | null = null;
  /** The secret of the other intent, while a swap is under way (threat-model C20). */
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
    if (!(await tabLock.acquire(id))) return refuse('payment_in_progress');
    if (swapIn(payment.state.peek()) !== 'asked') {
      tabLock.release(); // the form was removed meanwhile
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

/** On the way to a state that takes a press, or to none. */
const isReading = (state: PaymentState): boolean =>
  PHASE[state.status] === 'opening' || (state.status === 'reloading' && !state.swap);

/** Why a state takes no other intent. */
const whyNot = (state: PaymentState): SwapRefusal => {
  const { status } = state;
  if (status === 'load_failed') return state.failure;
  const isOver = PHASE[status] === 'ended' || status === 'blocked' || status === 'destroyed';
  return isOver ? 'payment_over' : 'payment_in_progress';
};

/** Why a swap came to nothing: by what was read last, of the known intent or of the other. */
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
