/** Reads the answer to the read that the document's script has sent, so that the buyer can pay before the machine has arrived. */
import { readJson } from '../../../api/read-json.ts';
import { ClientPaymentIntent } from '../../../api/schemas.ts';
import { openedWith, type Ready } from '../../payment/opened.ts';
import type { Prefetch } from '../first/prefetch.ts';

/**
 * The state that the answer leads to; null if there is none, or more to it than a total to pay. The client still has the
 * whole answer then, and it decides. `now` in monotonic ms.
 */
export const readFirst = async ({ answer }: Prefetch, now: () => number): Promise<Ready | null> => {
  const response = await answer.catch(() => null);
  if (response?.status !== 200) return null;
  const { success, data } = ClientPaymentIntent.safeParse(await readJson(response.clone()));
  const opened = success ? openedWith(data, now()) : null;
  if (opened) void response.body?.cancel().catch(() => undefined); // nobody reads it any more
  return opened;
};
