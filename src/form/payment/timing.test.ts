import { expect, it } from 'vitest';
import { TIMING } from './timing.ts';

it('outcomes 2.3, 2.4, 2.7: the durations', () => {
  expect(TIMING).toEqual({
    pressGuard: 500,
    offline: 30_000,
    pageAnswer: 10_000,
    betweenConfirms: 3000,
    slow: 10_000,
    probe: 20_000,
    agreement: 5000,
    settleUnanswered: 20_000,
    settleAnswered: 5000,
    betweenReads: 4000,
    betweenChecks: 5000,
    betweenRetries: 2000,
    staleAfter: 30_000,
    longestTabWait: 90_000,
    longestWait: 3_600_000,
    waitMargin: 100,
  });
});
