/** Rules for when a form may send a request (outcomes I6 to I8). */
import type { Clock } from '../../api/clock/clock.ts';
import { CLIENT_ROUTES } from '../../api/routes.ts';
import { PHASE } from '../../form/payment/payment-state.ts';
import type { Findings } from './findings.ts';
import { FINAL } from './phases.ts';
import type { Observer, SimulatedTab } from './simulated-tab.ts';

const MINUTE = 60_000;
/** Tolerance in ms: times are sums of fractions, so a wait of a minute may end slightly early or late. */
const ROUNDING = 0.001;

export const createRequestRules = (
  { fail, see }: Findings,
  clock: Clock,
): Pick<Observer, 'requesting' | 'answered'> => {
  /** Times of sent requests, by tab and address, in ms. */
  const requested = new Map<SimulatedTab, Map<string, number[]>>();
  const closedUntil = new Map<SimulatedTab, Map<string, number>>();

  const seeAnswer = (status: number | null) => {
    if (status === null) see('a confirm got no answer');
    else if (status === 400) see('a confirm was not pending: 400');
    else if (status === 402) see('a confirm was declined: 402');
    else if (status === 409) see('the total had changed: 409');
    else if (status >= 500) see('a confirm failed: 5xx');
  };

  return {
    requesting(tab, url) {
      const state = tab.session.state.peek();
      const now = clock.now();
      if (state.status === 'throttled' && now < state.until) fail('I6: a request while waiting');
      if (FINAL.has(PHASE[state.status])) fail('I8: a request after the end');
      if ((closedUntil.get(tab)?.get(url) ?? 0) > now) fail('I6: a request before Retry-After was over');
      const recent = (requested.get(tab)?.get(url) ?? []).filter((at) => now - at < MINUTE - ROUNDING);
      recent.push(now);
      requested.set(tab, (requested.get(tab) ?? new Map()).set(url, recent));
      if (recent.length > 20) fail('I7: more than 20 requests a minute on one route');
    },
    answered(tab, url, answer) {
      if (url.endsWith(CLIENT_ROUTES.confirm)) seeAnswer(answer?.status ?? null);
      if (answer?.status !== 429) return;
      see('the service requested a wait: 429');
      const stated = answer.headers.get('Retry-After') ?? '';
      const seconds = /^\d+$/.test(stated) ? Number(stated) : 60;
      closedUntil.set(tab, (closedUntil.get(tab) ?? new Map()).set(url, clock.now() + seconds * 1000));
    },
  };
};
