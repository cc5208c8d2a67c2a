/** Inputs of a tab, its outputs, and its visible state. */
import type { Money } from '../../api/money.ts';
import type { ClientRoute } from '../../api/routes.ts';
import type { FrameMessage } from '../../form/channel/messages.ts';
import type { CardFormStatus } from '../../form/channel/result.ts';
import type { PaymentState } from '../../form/payment/payment-state.ts';
import type { Reply } from './service.ts';

export type TabInput =
  /** Time passes, in ms, and due timers run. */
  | { do: 'pass'; ms: number }
  /** The computer sleeps: time passes, and due timers run when it wakes up. */
  | { do: 'sleep'; ms: number }
  /** `request` is an index into this tab's open requests, in the order they were sent. */
  | { do: 'answer'; request: number; reply: Reply }
  | { do: 'fail'; request: number }
  /** The browser's answer to a lock request. */
  | { do: 'lock'; isFree: boolean }
  | { do: 'lock_freed' }
  | { do: 'other_tab_ended'; intent: number }
  /** The page's answer to the request for another secret; null if it has none. */
  | { do: 'secret'; intent: number | null }
  /** The page calls `update()` with the client secret of another intent. */
  | { do: 'swap'; intent: number }
  /** The page's answer to a question about a press. */
  | { do: 'page_says'; question: number; word: PageWord }
  | { do: PlainInput };

/** Inputs that say it all. */
export type PlainInput =
  | 'press'
  | 'retry'
  | 'refresh'
  | 'restore'
  | 'hide'
  | 'show'
  | 'close'
  | 'go_offline'
  | 'go_online'
  | 'park'
  | 'come_back';

/** `failed`: `beforePay` threw or returned an invalid value. */
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

/** The visible state of a tab between two inputs. Times in ms from now. */
export type TabFacts = {
  status: PaymentState['status'];
  /** The total on the Pay button, if Pay is offered; presses count from `payableIn` ms on. */
  pays: Money | null;
  payableIn: number;
  /** "Try again" or "Check status". */
  offersRetry: boolean;
  /** The next moment at which something may change on its own, or a threshold of the machine is passed. */
  nextIn: number | null;
  isHidden: boolean;
  isOffline: boolean;
  /** The frame lets the page park the form now. */
  canPark: boolean;
  isParked: boolean;
  holdsLock: boolean;
  isWaitingForLock: boolean;
  /** Number of waits used up in the polling schedule. */
  polls: number;
  /** This page sent a confirm whose outcome is unknown. */
  isPaying: boolean;
  /** The outcome the page would get if it asked; null while the intent is being read. */
  asked: CardFormStatus['outcome'] | null;
  /** Rules of the form that this state breaks, whatever the service did. */
  broken: readonly string[];
};
