/** Answers `update()`, and has another intent take the place of the one in the form if the page gave one (`swap.ts`). */
import type { FrameMessage } from '../../channel/messages.ts';
import type { CardFormError } from '../../channel/result.ts';
import type { BegunSession } from './begin-session.ts';
import type { Swap } from './swap.ts';

export type SwapScript = Pick<typeof import('./swap.ts'), 'createSwap'>;

export type Swaps = {
  /** How often another intent was asked for. A press that was made before the latest pays nothing. */
  count(): number;
  /** `secret`: that of another intent, unread; `true` if there is none. Answers in the order in which it is asked. */
  ask(secret: unknown, reply: (message: FrameMessage) => void): void;
};

/** `load` imports the script, which a test has already. */
export const createSwaps = (
  { parts, charged }: Pick<BegunSession, 'parts' | 'charged'>,
  load: () => Promise<SwapScript> = () => import('./swap.ts'),
): Swaps => {
  let count = 0;
  /** How many were asked for and have no answer yet. */
  let open = 0;
  let script: Promise<Swap> | null = null;
  let latest: Promise<unknown> = Promise.resolve();

  const swap = async (secret: unknown): Promise<CardFormError | null> => {
    script ??= load().then(({ createSwap }) => createSwap({ parts, charged }));
    try {
      return await (await script)(secret);
    } catch {
      script = null;
      return NOT_LOADED;
    }
  };

  return {
    count: () => count,
    ask(secret, reply) {
      // While others are asked for, nobody knows which one will be there.
      const isOther = secret !== true && (open > 0 || secret !== parts.secret.current());
      if (isOther) {
        open += 1;
        count += 1;
        parts.payment.send({ type: 'swap_requested' }); // at once, so that no press comes in between
      }
      latest = latest.then(async () => {
        const updated = isOther ? await swap(secret) : null;
        if (isOther) open -= 1;
        reply({ type: 'update', updated, clientSecret: parts.secret.current() });
      });
    },
  };
};

const NOT_LOADED: CardFormError = {
  type: 'api_connection_error',
  code: 'script_failed',
  message: 'A script of the form could not be loaded.',
  charged: 'unknown',
  recovery: 'retry',
};
