/** contract 3.8: cards are checked by the time of the service's first answer, and before that by the browser's. */
import { effect } from '@preact/signals';
import { expect, it } from 'vitest';
import { createManualClock } from '../../../api/clock/manual-clock.ts';
import { createForm } from '../form/card-form.ts';
import { createServiceTime } from './service-time.ts';

const TODAY = Date.UTC(2026, 10, 15);
const answerOf = (date: string | null) =>
  new Response('{}', { headers: date === null ? {} : { Date: date } });
const at = (time: number) => new Date(time).toUTCString();

/** The time in a browser whose clock shows `browser`, an hour after it was opened. */
const timeIn = (browser: number) => {
  const clock = createManualClock(1, 3_600_000);
  return { clock, time: createServiceTime(clock, () => browser) };
};

const BROWSERS = [
  ['right', TODAY],
  ['two years ahead', Date.UTC(2028, 11, 1)],
  ['at the beginning of Unix', 0],
] as const;

it.each(BROWSERS)('a clock that is %s decides nothing once the service has answered', (_, browser) => {
  const { time } = timeIn(browser);
  time.heard(answerOf(at(TODAY)));
  expect(time.thisMonth()).toEqual({ year: 2026, month: 11 });
});

it.each(BROWSERS)('a clock that is %s decides until then', (_, browser) => {
  const { year, month } = timeIn(browser).time.thisMonth();
  const now = new Date(browser);
  expect([year, month]).toEqual([now.getFullYear(), now.getMonth() + 1]);
});

it.each([null, '', 'today', 'NaN'])('an answer with the date %j leaves it to the browser', (date) => {
  const { time } = timeIn(Date.UTC(2028, 11, 15));
  time.heard(answerOf(date));
  expect(time.thisMonth()).toEqual({ year: 2028, month: 12 });
  time.heard(answerOf(at(TODAY)));
  expect(time.thisMonth()).toEqual({ year: 2026, month: 11 });
});

it('goes on from the first answer, whatever becomes of the clock', async () => {
  let browser = Date.UTC(2028, 0, 1);
  const clock = createManualClock();
  const time = createServiceTime(clock, () => browser);
  time.heard(answerOf(at(TODAY)));
  time.heard(answerOf(at(Date.UTC(2031, 0, 1))));
  browser = Date.UTC(1999, 0, 1);
  expect(time.thisMonth()).toEqual({ year: 2026, month: 11 });
  await clock.advance(30 * 86_400_000);
  expect(time.thisMonth()).toEqual({ year: 2026, month: 12 });
});

it('a card shown as expired is valid as soon as the service has reported its time', () => {
  const { time } = timeIn(Date.UTC(2028, 11, 15));
  const { fields } = createForm({ preferred: [], thisMonth: time.thisMonth });
  const shown: unknown[] = [];
  fields.expiry.type('12 / 27');
  fields.expiry.leave();
  effect(() => {
    shown.push(fields.expiry.problem.value?.key ?? null);
  });
  time.heard(answerOf(at(TODAY)));
  expect(shown).toEqual(['expiry.past', null]);
});
