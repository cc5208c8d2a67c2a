import { declineReason } from '../../api/decline-codes.ts';
import type { MessageKey } from './en.ts';

/** The key of a text about a declined card. */
export type DeclineKey = Extract<MessageKey, `decline.${string}`>;

/** The buyer's text after a refusal with the service's `code` and, if present, `decline_code`. */
export const declineKey = (code: string, declineCode: string | null): DeclineKey => {
  if (declineCode !== null) return `decline.${declineReason(declineCode)}`;
  if (code === 'provider_error') return 'decline.processing'; // the card network failed, not this card
  return code === 'payment_failed' ? 'decline.authentication' : 'decline.generic';
};
