/** The intent's client secret, and the calls of the page's `fetchClientSecret` to get one (promises 1). */
import type { Clock } from '../../../api/clock/clock.ts';
import { withTimeout } from '../../../api/clock/with-timeout.ts';
import type { ClientSecretSource } from '../../channel/client-secret.ts';

/** Time limit for the page's answer, in ms: its server may have to create an intent. */
export const FETCH_TIMEOUT = 30_000;

export type ClientSecret = {
  /** Empty if there is none; no request is sent then. */
  current(): string;
  /** Fetches a secret if there is none or, with `anew`, another intent's. Resolves with whether there is one. */
  ensure(anew: boolean, signal: AbortSignal): Promise<boolean>;
  /** Sets the secret. */
  give(secret: string): void;
  /** The page's reply; null if it has none. Ignored unless a fetch is pending. */
  receive(secret: string | null): void;
  /** Clears the secret once nothing more will be sent (threat-model 1.5). */
  forget(): void;
};

/** `fetchFromPage(true)` asks for a different secret than last time, because the previous one is of no use. */
export const createClientSecret = ({
  first,
  fetchFromPage,
  clock,
}: {
  first: ClientSecretSource;
  fetchFromPage(anew: boolean): void;
  clock: Clock;
}): ClientSecret => {
  let source = first;
  let refused = false;
  let settle = (_: string | null) => {};

  /** Blanks the old secret in place, because others may hold the same object, such as the page's options. */
  const replace = (next: ClientSecretSource) => {
    if (source.kind === 'given') source.value = '';
    source = next;
  };

  return {
    current: () => (source.kind === 'given' ? source.value : ''),
    async ensure(anew, signal) {
      if (source.kind === 'given' && !anew) return true;
      const timed = await withTimeout(
        clock,
        FETCH_TIMEOUT,
        signal,
        () =>
          new Promise<string | null>((resolve) => {
            settle = resolve;
            fetchFromPage(anew || refused);
          }),
      );
      const given = timed.kind === 'done' ? timed.value : null;
      settle = () => {};
      replace(given === null ? { kind: 'ask' } : { kind: 'given', value: given });
      refused = given === null;
      return !refused;
    },
    give: (value) => replace({ kind: 'given', value }),
    receive: (answer) => settle(answer),
    forget: () => replace({ kind: 'ask' }),
  };
};
