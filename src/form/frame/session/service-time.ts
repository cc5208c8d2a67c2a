/**
 * The service's time, from its first answer: a buyer's clock may be years off, which would make every valid card look
 * expired or too far in the future (contract 3.8).
 */
import { signal } from '@preact/signals-core';
import { type Clock, systemClock } from '../../../api/clock/clock.ts';
import type { ReadableAnswer } from '../../../api/read-json.ts';
import type { Month } from '../../card/check-expiry.ts';

export type ServiceTime = {
  /** Reads the time from the service's first answer. */
  heard(answer: Pick<ReadableAnswer, 'headers'>): void;
  /** The month at the buyer's place, by the browser's clock until the service's time is known. Reads a signal. */
  thisMonth(): Month;
};

export const createServiceTime = (
  clock: Pick<Clock, 'now'> = systemClock,
  browserNow: () => number = Date.now,
): ServiceTime => {
  /** The service's time at zero of the clock. */
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
