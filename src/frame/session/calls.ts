/** How the machine's calls are made: with the secret of the moment, and by one tab of a payment at a time. */
import type { Client, ConfirmDetails } from '../../api/client.ts';
import type { Calls, Payment } from '../../payment/payment.ts';
import type { Secrets } from './client-secret.ts';
import type { Tabs } from './tabs.ts';

export type Means = {
  client: Client;
  secrets: Pick<Secrets, 'have'>;
  tabs: Pick<Tabs, 'take' | 'leave' | 'queue'>;
  /** Of the payment these calls are made for; empty until it was read. */
  intentId(): string;
  /** For the body of one confirm; null while there is something to put right. */
  details(): ConfirmDetails | null;
};

/**
 * The calls of one form. Rejects only for a confirm without details: nothing was sent then, and a press that lets it
 * come to that is a defect.
 */
export const createCalls = ({ client, secrets, tabs, intentId, details }: Means): Calls => ({
  retrieve: async (signal, anew) =>
    (await secrets.have(anew, signal)) ? client.retrieve(signal) : NO_SECRET,
  release: client.release,
  waitForTab: (signal) => tabs.queue(intentId(), signal),
  async confirm(shown, signal) {
    const typed = details(); // as pressed, whatever is typed while the turn is awaited
    if (!typed) throw new Error('A press with an incomplete form reached the payment.');
    const mine = await tabs.take(intentId(), signal);
    if (signal.aborted) tabs.leave(); // nobody waits for it any more; the client sends nothing
    return mine ? client.confirm(typed, shown, signal) : 'other_tab_paying';
  },
});

/** Of what the payment is for, as far as it was read. */
export const intentIdOf = (payment: Payment): string => {
  const state = payment.state.peek();
  return ('intent' in state ? state.intent?.id : undefined) ?? '';
};

const NO_SECRET = { ok: false, failure: { kind: 'no_answer', reason: 'no_secret' } } as const;
