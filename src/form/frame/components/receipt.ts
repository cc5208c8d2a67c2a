/**
 * The receipt of a payment, as plain DOM. Part of `form.js`: for a separate script, the first response would have to
 * contain its hash.
 */
import type { Intent } from '../../payment/payment-state.ts';
import { adoptStyles } from '../first/adopt-styles.ts';
import styles from '../styles/receipt.css?inline';

/** The receipt's content. `card` is empty if unknown; `description` is the merchant's, already cleaned. */
export type Receipt = { intent: Pick<Intent, 'id' | 'succeeded_at'>; card: string; description: string };

/** The receipt's labels, and the locale for its date. */
export type ReceiptWords = {
  locale: string;
  say(key: 'section.card' | 'receipt.order' | 'receipt.date' | 'receipt.reference' | 'receipt.print'): string;
};

let hasStyles = false;

/** Replaces the content of `place` with the receipt. Its print button prints only the frame. */
export const writeReceipt = (
  place: HTMLElement,
  { intent, card, description }: Receipt,
  { locale, say }: ReceiptWords,
): void => {
  const list = document.createElement('dl');
  const add = (key: Parameters<typeof say>[0], text: string | false | null) => {
    if (!text) return;
    const term = document.createElement('dt');
    term.textContent = say(key);
    const value = document.createElement('dd');
    const shown = document.createElement('bdi');
    shown.textContent = text;
    value.append(shown);
    // The card and the reference contain no words.
    if (key === 'section.card' || key === 'receipt.reference') value.translate = false;
    list.append(term, value);
  };
  const { id, succeeded_at: at } = intent;
  add('section.card', card);
  add('receipt.order', description);
  add(
    'receipt.date',
    at !== null &&
      new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(at * 1000),
  );
  add('receipt.reference', id);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'link';
  button.textContent = say('receipt.print');
  button.addEventListener('click', () => print());
  if (!hasStyles) adoptStyles(styles);
  hasStyles = true;
  place.replaceChildren(list, button);
};
