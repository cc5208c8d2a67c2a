/** The whole sandbox, as the service of one plan. */
import type { Clock } from '../../api/clock/clock.ts';
import type { Fault } from '../../sandbox/service/faults/fault.ts';
import type { Service } from '../../sandbox/service/http/service.ts';
import { settingsOf } from '../../sandbox/service/options.ts';
import { type Sandbox, sandboxOver } from '../../sandbox/service/sandbox.ts';
import { createService } from '../../sandbox/service/service.ts';
import { NEW_YEAR, type Plan } from './plan.ts';

export type SimulatedService = {
  service: Service;
  sandbox: Sandbox;
  /** The same as seen by browsers: a service may not report running attempts. */
  forBrowsers: Sandbox;
  /** Stops answering reads, or resumes. */
  cutReads(isCut: boolean): void;
  /** From now on the network works. */
  mend(): void;
};

export const createSimulatedService = (plan: Plan, clock: Clock): SimulatedService => {
  const faults: Record<string, Fault[]> = {
    'client.retrieve': [...plan.faults.retrieve],
    'client.confirm': [...plan.faults.confirm],
    'client.release': [...plan.faults.release],
  };
  let isCut = false;
  const service = createService(
    settingsOf({
      clock: { now: () => NEW_YEAR + clock.now(), wait: clock.wait },
      seed: 1,
      attempts: plan.attempts,
      holdFailedAttempts: plan.holdFailedAttempts,
      attemptSeconds: plan.attempt.seconds,
      runningAttempts: plan.attempt.told === 'status' ? 'processing' : 'pending',
      clientRateLimit: 1_000_000, // high, because the form's own limit is under test
      faults: (route) => (isCut && route === 'client.retrieve' ? { cut: 'before' } : faults[route]?.shift()),
    }),
  );
  const sandbox = sandboxOver(service);
  return {
    service,
    sandbox,
    forBrowsers: plan.attempt.told === 'nothing' ? untold(sandbox) : sandbox,
    cutReads(now) {
      isCut = now;
    },
    mend() {
      for (const left of Object.values(faults)) left.length = 0;
    },
  };
};

/** A service that doesn't report running attempts. */
const untold = (sandbox: Sandbox): Sandbox => ({
  ...sandbox,
  async fetch(request, caller) {
    const answer = await sandbox.fetch(request, caller);
    if (answer.status !== 200) return answer;
    const headers = new Headers(answer.headers);
    const text = await answer.text();
    return new Response(text.replace(/"attempt_in_progress":(true|false),/, ''), { headers });
  },
});

/** Number of times a confirm of an intent reached the service. */
export const deliveriesOf = ({ requestLog }: Service, id: string): number =>
  requestLog.of(id).filter(({ route }) => route === 'client.confirm').length;
