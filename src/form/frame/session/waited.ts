import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Clock } from '../../../api/clock/clock.ts';
import type { PaymentState } from '../../payment/payment-state.ts';
import { LATER } from '../view/later-view.ts';

type Passed = (typeof LATER)[number] | null;

/** Time the press awaiting its outcome was sent, by the payment's clock; null if there is none. */
const sentAt = (state: PaymentState): number | null => {
  if (state.status === 'confirming') return state.sentAt;
  return state.status === 'resolving' ? state.polling.startedAt : null;
};

/** The latest threshold passed since the press at which the wording changes (outcomes 2.5), in seconds. */
export const followWait = (
  state: ReadonlySignal<PaymentState>,
  clock: Clock,
  ending: AbortSignal,
): ReadonlySignal<Passed> => {
  const since = computed(() => sentAt(state.value));
  const passed = signal<Passed>(null);
  const follow = async (start: number, stop: AbortSignal) => {
    for (const seconds of LATER) {
      await clock.wait(start + seconds * 1000 - clock.now(), stop);
      if (stop.aborted) return;
      passed.value = seconds;
    }
  };
  const dispose = effect(() => {
    passed.value = null;
    if (since.value === null) return;
    const stop = new AbortController();
    void follow(since.value, stop.signal);
    return () => stop.abort();
  });
  ending.addEventListener('abort', dispose);
  return passed;
};
