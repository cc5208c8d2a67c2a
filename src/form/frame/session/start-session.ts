import { systemClock } from '../../../clock/clock.ts';
import type { Ready } from '../../payment/opened.ts';
import type { BeforePay } from '../merchant/before-pay.ts';
import { createNetworkDiagnosis } from './network-diagnosis.ts';
import type { Beginning } from './opening.ts';
import type { ShownForm } from './parts.ts';
import { createSession, type Session } from './session.ts';

/**
 * Starts the session of this document. No closure in here may keep `init` or `prefetch`, which hold the client secret:
 * the session forgets its own copy when the payment has ended (threat-model C20).
 */
export const startSession = (
  { init, prefetch }: Beginning,
  opened: Ready | null,
  beforePay: BeforePay,
  { form, onAnswer, page, lifecycle, ending }: ShownForm,
): Session =>
  createSession({
    service: {
      baseUrl: location.origin,
      publishableKey: init.publishableKey,
      prefetched: (!opened && prefetch) || undefined,
      onAnswer,
    },
    opened: opened ?? undefined,
    clientSecret: init.clientSecret,
    canReplace: init.fetchClientSecret ?? false,
    isStatus: init.view === 'status',
    askPage: init.beforePay && beforePay.ask,
    form,
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
    post: page.post,
    onFailure: page.diagnostics.requestFailed,
    onDefect: reportError,
  });
