/** What a tab is given, what it does about it, and what can be seen of it. */
import type { Money } from '../../api/money.ts';
import type { ClientRoute } from '../../api/routes.ts';
import type { FrameMessage } from '../../form/channel/messages.ts';
import type { CardFormStatus } from '../../form/channel/result.ts';
import type { PaymentState } from '../../form/payment/payment-state.ts';
import type { Reply } from './service.ts';

export type TabInput =
  /** Time passes, in ms, and the timers that are due run. */
  | { do: 'pass'; ms: number }
  /** The computer sleeps: time passes, and the timers that are due run when it goes on. */
  | { do: 'sleep'; ms: number }
  /** Of the open requests of this tab, in the order in which they were sent. */
  | { do: 'answer'; request: number; reply: Reply }
  | { do: 'fail'; request: number }
  /** The browser's word about a lock that was asked for. */
  | { do: 'lock'; isFree: boolean }
  | { do: 'lock_freed' }
  | { do: 'other_tab_ended'; intent: number }
  /** The page's answer to the request for another secret; null if it has none. */
  | { do: 'secret'; intent: number | null }
  /** The page calls `update()` with the client secret of another intent. */
  | { do: 'swap'; intent: number }
  /** The page's answer to a question about a press. */
  | { do: 'page_says'; question: number; word: PageWord }
  | {
      do: 'press' | 'retry' | 'refresh' | 'restore' | 'hide' | 'show' | 'close' | 'go_offline' | 'go_online';
    };

/** `failed`: `beforePay` threw, or returned something else. */
export type PageWord = 'yes' | 'no' | 'failed';

export type TabOutput =
  | { did: 'send'; route: ClientRoute; amount: number | null; intent: string }
  | { did: 'abort'; request: number }
  | { did: 'say'; message: FrameMessage }
  | { did: 'ask_lock' | 'free_lock' }
  | { did: 'tell_end'; id: string }
  | { did: 'ask_secret'; anew: boolean }
  | { did: 'ask_page'; question: number }
  /** The answer to `update()`. */
  | { did: 'swap'; intent: number; isDone: boolean };

/** What can be seen of a tab between two inputs. Times in ms from now. */
export type TabFacts = {
  status: PaymentState['status'];
  /** What the Pay button shows, if Pay is offered; it counts `payableIn` ms from now. */
  pays: Money | null;
  payableIn: number;
  /** "Try again" or "Check status". */
  offersRetry: boolean;
  /** The next moment at which something may change by itself, or a threshold of the machine is passed. */
  nextIn: number | null;
  isHidden: boolean;
  isOffline: boolean;
  holdsLock: boolean;
  isWaitingForLock: boolean;
  /** How many waits of the schedule of polls are used up. */
  polls: number;
  /** A confirm of this page was sent, and its outcome is not known. */
  isPaying: boolean;
  /** What the page would be told if it asked; null while the intent is read. */
  asked: CardFormStatus['outcome'] | null;
  /** Rules of the form that this state breaks, whatever the service did. */
  broken: readonly string[];
};
