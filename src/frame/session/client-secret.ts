/** The client secret the form reads and pays with, and how the page is asked for one (product 1, `fetchClientSecret`). */
import type { Clock } from '../../api/clock.ts';
import type { ClientSecretSource } from '../../channel/client-secret.ts';

/** How long the page may take, in ms: its server makes an intent meanwhile. */
export const PATIENCE = 30_000;

export type Secrets = {
  /** Empty while there is none; no request is sent then. */
  current(): string;
  /**
   * Sees to it that there is one, and says whether there is. Asks the page where none is known, and with `anew`
   * for that of another intent.
   */
  have(anew: boolean, signal: AbortSignal): Promise<boolean>;
  /** The page's answer; null where it has none. Heard only while it is waited for. */
  give(secret: string | null): void;
  /** The payment is over, and so is the use of it (research 1.5). */
  forget(): void;
};

/** `ask` is told whether the page must get another than it gave last, because that one is of no use any more. */
export const createSecrets = ({
  first,
  ask,
  clock,
}: {
  first: ClientSecretSource;
  ask(anew: boolean): void;
  clock: Clock;
}): Secrets => {
  let source = first;
  let refused = false;
  let hear = (_: string | null) => {};

  return {
    current: () => (source.kind === 'given' ? source.value : ''),
    async have(anew, signal) {
      if (source.kind === 'given' && !anew) return true;
      const answer = new Promise<string | null>((resolve) => {
        hear = resolve;
      });
      ask(anew || refused);
      const waiting = new AbortController();
      const stop = () => waiting.abort();
      signal.addEventListener('abort', stop);
      if (signal.aborted) stop();
      const given = await Promise.race([answer, clock.wait(PATIENCE, waiting.signal).then(() => null)]);
      signal.removeEventListener('abort', stop);
      stop();
      hear = () => {};
      source = given === null ? { kind: 'ask' } : { kind: 'given', value: given };
      refused = given === null;
      return !refused;
    },
    give: (given) => hear(given),
    forget() {
      source = { kind: 'ask' };
    },
  };
};
