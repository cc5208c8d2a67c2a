/**
 * Shows the total while the scripts that can pay are still loading. A script of its own, since the patterns of all
 * languages do not fit into the document; `pay.js` imports them from it.
 */
import { earlyTotal } from '../../../api/early-total.ts';
import type { Money } from '../../../api/money.ts';
import { readJson } from '../../../api/read-json.ts';
import { formatMoney } from '../../i18n/money.ts';

export { fillEarlyLists } from './early-lists.ts';

let shown: Money | null = null;
let isTakenOver = false;

/** The total as the hydrated form will write it. Call it once the document's language is set. */
export const writeTotal = (total: Money): string => formatMoney(total, document.documentElement.lang);

/**
 * Shows the total of the first read's answer as the hydrated form will. Shows nothing for an error, or an intent that
 * cannot be paid now. The client still has the whole answer. Call it once the document's language is set.
 */
export const showTotal = async (answer: Promise<Response>): Promise<void> => {
  const response = await answer;
  if (response.status !== 200 || response.bodyUsed || isTakenOver) return;
  const total = earlyTotal(await readJson(response.clone()));
  const place = document.querySelector('.total [data-amount]');
  if (!total || !place || isTakenOver) return;
  place.textContent = writeTotal(total);
  shown = total;
};

/** Ends it, because the form is about to be hydrated. The total that is on the screen. */
export const takeOverTotal = (): Money | null => {
  isTakenOver = true;
  return shown;
};
