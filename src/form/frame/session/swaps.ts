/** Answers `update()`, and swaps the form's intent if the page passed another client secret (`swap.ts`). */
import type { FrameMessage } from '../../channel/messages.ts';
import type { CardFormError } from '../../channel/result.ts';
import { brokenProtocol } from '../merchant/events.ts';
import type { BegunSession } from './begin-session.ts';
import type { Swap } from './swap.ts';

export type SwapScript = Pick<typeof import('./swap.ts'), 'createSwap'>;

export type Swaps = {
  /** How often presses were dropped: by each requested swap, and by `dropPresses`. */
  drops(): number;
  /** A press made until now pays nothing, even if it is still held or being judged. */
  dropPresses(): void;
  /** `secret`: another intent's, not yet validated; `true` if none was passed. Replies in the order of the calls. */
  ask(secret: unknown, reply: (message: FrameMessage) => void): void;
  /** Replies in its turn to an `update()` that came after the page broke a limit of the channel. */
  refuse(reply: (message: FrameMessage) => void): void;
};

/** `load` imports the script; tests pass their own. */
export const createSwaps = (
  { parts, charged }: Pick<BegunSession, 'parts' | 'charged'>,
  load: () => Promise<SwapScript> = () => import('./swap.ts'),
): Swaps => {
  let drops = 0;
  /** Number of swaps requested and not answered yet. */
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

  const dropPresses = () => {
    drops += 1;
  };
  const answer = (reply: (message: FrameMessage) => void, run: () => Promise<CardFormError | null>) => {
    latest = latest.then(async () => reply(updatedTo(await run(), parts.secret.current())));
  };

  return {
    drops: () => drops,
    dropPresses,
    ask(secret, reply) {
      // While swaps are pending, it isn't known which intent will be in the form.
      const isOther = secret !== true && (open > 0 || secret !== parts.secret.current());
      if (isOther) {
        open += 1;
        dropPresses();
        parts.payment.send({ type: 'swap_requested' }); // synchronously, so that no press gets in between
      }
      answer(reply, async () => {
        if (!isOther) return null;
        const error = await swap(secret);
        open -= 1;
        return error;
      });
    },
    refuse: (reply) => answer(reply, async () => brokenProtocol(charged())),
  };
};

/** The answer to an `update()`. `clientSecret`: that of the intent in the form. */
export const updatedTo = (updated: CardFormError | null, clientSecret = ''): FrameMessage => ({
  type: 'update',
  updated,
  clientSecret,
  update: NOT_LOADED,
});

const NOT_LOADED: CardFormError = {
  type: 'api_connection_error',
  code: 'script_failed',
  message: 'A script of the form could not be loaded.',
  charged: 'unknown',
  recovery: 'retry',
};
