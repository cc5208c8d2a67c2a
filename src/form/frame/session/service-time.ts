/**
 * The service's time, as its first answer tells it: a buyer's clock may be years off, and every good card would be expired
 * or too far away by it (contract 3.8).
 */
import { signal } from '@preact/signals-core';
import type { ReadableAnswer } from '../../../api/read-json.ts';
import { type Clock, systemClock } from '../../../clock/clock.ts';
import type { Month } from '../../card/check-expiry.ts';

export type ServiceTime = {
  /** The service has answered. */
  heard(answer: Pick<ReadableAnswer, 'headers'>): void;
  /** The month where the buyer is, by the browser's clock until the service has told its time. Reads a signal. */
  thisMonth(): Month;
};

export const createServiceTime = (
  clock: Pick<Clock, 'now'> = systemClock,
  browserNow: () => number = Date.now,
): ServiceTime => {
  /** The service's time at the moment from which the clock counts. */
  const start = signal(Number.NaN);
  return {
    heard({ headers }) {
      if (Number.isNaN(start.peek())) start.value = Date.parse(headers.get('Date') ?? '') - clock.now();
    },
    thisMonth() {
      const now = new Date(Number.isNaN(start.value) ? browserNow() : start.value + clock.now());
      return { year: now.getFullYear(), month: now.getMonth() + 1 };
    },
  };
};
