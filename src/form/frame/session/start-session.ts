import { systemClock } from '../../../api/clock/clock.ts';
import type { Init } from '../../channel/read-options.ts';
import type { Prefetch } from '../first/prefetch.ts';
import { type BegunSession, beginSession } from './begin-session.ts';
import { createNetworkDiagnosis } from './network-diagnosis.ts';
import type { Begun } from './parts.ts';

/** Starts the session of this document. */
export const startSession = (
  init: Init,
  prefetch: Prefetch | null,
  { page, lifecycle, time, ending }: Begun,
): BegunSession =>
  beginSession({
    service: {
      baseUrl: location.origin,
      publishableKey: init.publishableKey,
      prefetched: prefetch ?? undefined,
      onAnswer: time.heard,
    },
    clientSecret: init.clientSecret,
    canReplace: init.fetchClientSecret ?? false,
    askSecret: (anew) => page.post({ type: 'secret', anew }),
    asksPage: init.beforePay ?? false,
    lifecycle,
    tabs: { locks: navigator.locks, openChannel: () => new BroadcastChannel('card-form') },
    network: createNetworkDiagnosis(
      {
        now: systemClock.now,
        isOnline: () => lifecycle.online.peek(),
        origin: location.origin,
        isForbidden: prefetch?.isForbidden() ?? false,
      },
      ending.signal,
    ),
    clock: systemClock,
    random: Math.random,
    onFailure: page.diagnostics.requestFailed,
    onDefect: reportError,
  });
