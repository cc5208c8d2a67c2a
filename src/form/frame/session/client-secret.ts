/** The client secret of the intent, and how the page's `fetchClientSecret` is called for one (promises 1). */
import type { Clock } from '../../../clock/clock.ts';
import { withTimeout } from '../../../clock/with-timeout.ts';
import type { ClientSecretSource } from '../../channel/client-secret.ts';

/** How long the page has to answer, in ms: its server may have to create an intent. */
export const FETCH_TIMEOUT = 30_000;

export type ClientSecret = {
  /** Empty if there is none; no request is sent then. */
  current(): string;
  /** Fetches a secret if there is none or, with `anew`, that of another intent. Fulfils with whether there is one. */
  ensure(anew: boolean, signal: AbortSignal): Promise<boolean>;
  /** From now on this one is sent. */
  give(secret: string): void;
  /** The page's answer; null if it has none. Ignored unless one is being waited for. */
  receive(secret: string | null): void;
  /** The payment is over, and nothing will be sent any more (threat-model 1.5). */
  forget(): void;
};

/** `fetchFromPage` is told whether the page must return another secret than last time, because that one is of no use. */
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

  /** Others may have the object of the secret before it, such as the page's options. */
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
