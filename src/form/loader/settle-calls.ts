/** Passes the frame's answers to `update()` and `diagnostics()` on to the waiting calls. Part of the loader's second file. */
import type { CardFormDiagnostics } from '../channel/diagnostics.ts';
import type { Updated } from '../channel/messages.ts';
import type { Listeners } from './events.ts';
import type { CardFormOptions } from './types.ts';

/** Settles the first of these calls, or all of them. Never resolves: the frame expects no answer to its answer. */
const settle = (
  waiting: Map<unknown, unknown> | undefined,
  answer: unknown,
  calls = [...(waiting?.keys() ?? [])],
): Promise<never> => {
  for (const call of calls) {
    waiting?.delete(call);
    if (typeof call === 'function') call(answer);
  }
  return new Promise(() => {});
};

/** The frame answers each `update()`, in the order of the calls. */
export const settleUpdate = (
  { updated, clientSecret }: Pick<Updated, 'updated' | 'clientSecret'>,
  { update }: Listeners,
  page: Pick<CardFormOptions, 'clientSecret'>,
  options: { clientSecret: string | true },
): Promise<never> => {
  // The secret in use, unless the form is calling `fetchClientSecret` for another: `options` then has `true`.
  if (clientSecret && options.clientSecret !== true) page.clientSecret = options.clientSecret = clientSecret;
  return settle(update, updated, [...(update?.keys() ?? [])].slice(0, 1));
};

/** Adds the element that cuts the form off, which the frame can't see. One answer is for all calls. */
export const settleDiagnostics = (
  { diagnostics }: { diagnostics: CardFormDiagnostics },
  listeners: Listeners,
  cutOffBy: string | undefined,
): Promise<never> => settle(listeners.diagnostics, { ...diagnostics, cutOffBy });
