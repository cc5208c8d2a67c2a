/** Passes the frame's answer to `update()` on to the call that waits for it. Part of the loader's second file. */
import type { FrameMessage } from '../channel/messages.ts';
import type { Listeners } from './events.ts';
import type { CardFormOptions } from './types.ts';

type Answer = Pick<Extract<FrameMessage, { updated: unknown }>, 'updated' | 'clientSecret'>;

/** The frame answers in the order of the calls. Never resolves: it awaits no answer to its own. */
export const settleUpdate = (
  { updated, clientSecret }: Answer,
  listeners: Listeners,
  page: Pick<CardFormOptions, 'clientSecret'>,
  options: { clientSecret: string | true },
): Promise<never> => {
  // The one that the form has; not while the page is asked for another, as `options` says.
  if (clientSecret && options.clientSecret !== true) page.clientSecret = options.clientSecret = clientSecret;
  const [earliest] = listeners.update ?? [];
  if (earliest) {
    const [settle] = earliest;
    listeners.update?.delete(settle);
    if (typeof settle === 'function') settle(updated);
  }
  return new Promise(() => {});
};
