import type { Send } from '../../api/command/http.ts';
import type { SandboxWorld } from '../../sandbox/service/sandbox.fixture.ts';
import type { CheckResult } from './run.ts';

/** A run on a sandbox's manual clock. Appends log lines to `logged`. */
export const environmentOf = ({ clock }: Pick<SandboxWorld, 'clock'>, logged: string[] = []) => ({
  wait: (ms: number) => clock.advance(ms),
  now: clock.now,
  log: (line: string) => logged.push(line),
});

export const idsOf = (results: readonly CheckResult[], kind: CheckResult['kind']): string[] =>
  results.filter((result) => result.kind === kind).map(({ id }) => id);

/** Sends to a service that is `ms` away: concurrent requests take as long as one. */
export const sendFrom = (ms: number, send: Send, { clock }: Pick<SandboxWorld, 'clock'>) => {
  const underWay: (() => void)[] = [];
  let served = 0;
  let isOver = false;
  const goOn = async () => {
    for (let idle = 0; !isOver; idle += 1) {
      for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      const arriving = underWay.splice(0);
      if (arriving.length > 0) await clock.advance(ms);
      // Everyone is only waiting for an answer.
      else if (served > 0 && idle > 20) await clock.advance(100);
      if (arriving.length > 0) idle = 0;
      for (const arrive of arriving) arrive();
    }
  };
  const distant: Send = async (request) => {
    await new Promise<void>((resolve) => underWay.push(resolve));
    served += 1;
    return send(request).finally(() => {
      served -= 1;
    });
  };
  return {
    send: distant,
    /** Advances time until the work is done. */
    run: async <Result>(work: () => Promise<Result>): Promise<Result> => {
      const going = goOn();
      const result = await work().finally(() => {
        isOver = true;
      });
      await going;
      return result;
    },
  };
};
