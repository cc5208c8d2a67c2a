/** Passes the frame's answer to `update()` on to the waiting call. Part of the loader's second file. */
import type { FrameMessage } from '../channel/messages.ts';
import type { Listeners } from './events.ts';
import type { CardFormOptions } from './types.ts';

type Answer = Pick<Extract<FrameMessage, { updated: unknown }>, 'updated' | 'clientSecret'>;

/** The frame answers in the order of the calls. Never resolves, since the frame expects no answer to its answer. */
export const settleUpdate = (
  { updated, clientSecret }: Answer,
  listeners: Listeners,
  page: Pick<CardFormOptions, 'clientSecret'>,
  options: { clientSecret: string | true },
): Promise<never> => {
  // The secret in use. Not while the page is asked for another one, which `true` in `options` shows.
  if (clientSecret && options.clientSecret !== true) page.clientSecret = options.clientSecret = clientSecret;
  const [earliest] = listeners.update ?? [];
  if (earliest) {
    const [settle] = earliest;
    listeners.update?.delete(settle);
    if (typeof settle === 'function') settle(updated);
  }
  return new Promise(() => {});
};
