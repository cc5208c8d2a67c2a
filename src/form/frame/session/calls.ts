/** Sends the state machine's requests: with the current client secret, and confirms from one tab at a time. */
import type { Client, ConfirmDetails } from '../../../api/client.ts';
import type { Calls } from '../../payment/payment.ts';
import type { ClientSecret } from './client-secret.ts';
import type { TabLock } from './tab-lock.ts';

export type CallDeps = {
  client: Client;
  secret: Pick<ClientSecret, 'ensure'>;
  tabLock: Pick<TabLock, 'acquire' | 'release' | 'whenFree'>;
  /** The current intent's id; empty until it has been read. */
  intentId(): string;
  /** The buyer's entries for one confirm request; null while incomplete. */
  details(): ConfirmDetails | null;
  /** Calls the page's `beforePay`; absent if there is none. */
  askPage?: Calls['askPage'];
};

/** The calls of one form. `confirm` rejects if the form is incomplete: nothing was sent, and the caller has a bug. */
export const createCalls = ({ client, secret, tabLock, intentId, details, askPage }: CallDeps): Calls => ({
  retrieve: async (signal, anew) =>
    (await secret.ensure(anew, signal)) ? client.retrieve(signal) : NO_SECRET,
  release: client.release,
  askPage,
  waitForTab: (signal) => tabLock.whenFree(intentId(), signal),
  async confirm(shown, signal) {
    const entered = details(); // as entered when Pay was pressed, whatever is typed while waiting for the lock
    if (!entered) throw new Error('Pay was pressed with an incomplete form.');
    const hasLock = await tabLock.acquire(intentId(), signal);
    if (signal.aborted) tabLock.release(); // aborted: the client sends nothing
    return hasLock ? client.confirm(entered, shown, signal) : 'other_tab_paying';
  },
});

const NO_SECRET = { ok: false, failure: { kind: 'no_answer', reason: 'no_secret' } } as const;
