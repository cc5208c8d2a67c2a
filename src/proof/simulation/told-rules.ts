/** Rules for messages to the page (outcomes I4 and 2.4, promises 1.8, 1.9, 1.11 and 1.13). */
import type { FrameMessage } from '../../form/channel/messages.ts';
import type { Intent, PaymentState } from '../../form/payment/payment-state.ts';
import { TIMING } from '../../form/payment/timing.ts';
import type { IntentRecord } from '../../sandbox/service/store/records.ts';
import { createPageEar, type PageEar } from '../tab/page-hears.ts';
import type { Findings } from './findings.ts';
import { NEW_YEAR, type Plan } from './plan.ts';
import type { Observer, SimulatedPress, SimulatedTab } from './simulated-tab.ts';

type ToldRules = Pick<Observer, 'event'> & {
  /** A tab's view follows its state, and the page was notified of it. */
  changed(tab: SimulatedTab): void;
  /** I4: the page was told `failed`, but the attempt in question went through. */
  paid(intent: string, winner: SimulatedPress): void;
};

type Known = {
  /** What the service knows about an intent. */
  recordOf(intent: string): IntentRecord;
  /** When the confirm of a press was sent. */
  sentAt(press: string): number | undefined;
  /** Number of attempts that failed, or that a network making up a 402 says failed. */
  declinesThereWere(): number;
  attemptSeconds: Plan['attempt']['seconds'];
};

export const createToldRules = (
  { fail, see }: Findings,
  { recordOf, sentAt, declinesThereWere, attemptSeconds }: Known,
): ToldRules => {
  const ears = new Map<SimulatedTab, PageEar>();
  const earOf = (tab: SimulatedTab): PageEar => {
    const ear = ears.get(tab) ?? createPageEar();
    ears.set(tab, ear);
    return ear;
  };

  /** When a page was told that nothing was charged: about this intent, and the presses made until then. */
  const reports: { tab: SimulatedTab; status: PaymentState['status']; intent: string; press: number }[] = [];

  /** When the latest attempt began, in ms of the plan's clock; null unless it is running or was charged. */
  const startOf = (record: IntentRecord): number | null => {
    const ms = (seconds: number) => seconds * 1000 - NEW_YEAR;
    if (record.attempt) return ms(record.attempt.endsAt - attemptSeconds);
    return record.succeeded_at === null ? null : ms(record.succeeded_at - attemptSeconds);
  };

  /**
   * `charged: 'no'` may be said only of a press that has not been charged and is not being tried. Presses that arrive
   * later than the form waits for them are excluded (outcomes 2.4).
   */
  const assertNotDenied = (tab: SimulatedTab, message: FrameMessage) => {
    const state = tab.session.state.peek();
    if (!('error' in message) || message.error.charged !== 'no' || !('intent' in state) || !state.intent)
      return;
    see('a charge was denied');
    const record = recordOf(state.intent.id);
    const press = record.billing_details?.name ?? '';
    const at = sentAt(press);
    const isOwn = tab.presses.some(({ number }) => `${number}` === press);
    const began = startOf(record);
    if (at === undefined || !isOwn || began === null || began > at + TIMING.settleUnanswered) return;
    fail(`said charged: no (${message.error.code}) about a press that is ${record.status}`);
  };

  /** Number of declines a tab has reported. */
  const declines = new Map<SimulatedTab, number>();

  /** What had been sent and tried when a page was last told that nothing was charged. */
  const denied = new Map<SimulatedTab, { intent: string; attempts: number; confirms: number }>();

  /** Each notice only once, and no doubt after the form itself has said that nothing was charged. */
  const assertSaidOnce = (tab: SimulatedTab, message: FrameMessage, { id }: Pick<Intent, 'id'>) => {
    const { confirmation_attempts: attempts, billing_details } = recordOf(id);
    // A page may not know how another tab's attempt ended.
    const isOwn = tab.presses.some(({ number }) => `${number}` === billing_details?.name);
    if (message.type === 'decline') {
      const told = (declines.get(tab) ?? 0) + 1;
      declines.set(tab, told);
      if (told > declinesThereWere()) fail('promises 1.8: reported more declines than there were');
    }
    if (message.type === 'result' && message.result.outcome === 'unknown') {
      const last = denied.get(tab);
      if (last?.intent === id && last.attempts === attempts && last.confirms === tab.confirms)
        fail('outcomes 2.4: said unknown after charged: no, and nothing was tried in between');
    }
    if (!('error' in message)) return;
    if (message.error.charged === 'no' && isOwn)
      denied.set(tab, { intent: id, attempts, confirms: tab.confirms });
    else denied.delete(tab);
  };

  /** `pending` invites the page to let its buyer pay again. */
  const assertPending = (tab: SimulatedTab, message: FrameMessage) => {
    if (message.type !== 'refresh' || message.refresh.outcome !== 'pending') return;
    see('refresh() said that the payment is pending');
    if (tab.session.charged() !== 'no') fail('promises 1.13: said pending, and not that nothing was charged');
  };

  return {
    changed(tab) {
      if (earOf(tab).isBehind(tab.session.view.peek()))
        fail('promises 1.11: the buyer knows how a press ended, and the page does not');
    },
    event(tab, message) {
      const state = tab.session.state.peek();
      earOf(tab).hear(message);
      assertNotDenied(tab, message);
      assertPending(tab, message);
      if ('intent' in state && state.intent) assertSaidOnce(tab, message, state.intent);
      if (deniesCharge(message) && 'intent' in state && state.intent) {
        const press = tab.presses.at(-1)?.number ?? 0;
        reports.push({ tab, status: state.status, intent: state.intent.id, press });
      }
    },
    paid(paid, winner) {
      for (const { tab, status, intent, press } of reports) {
        if (intent !== paid) continue;
        const isAboutIt = status !== 'blocked' || (tab === winner.tab && winner.number <= press);
        if (isAboutIt) fail(`I4: said ${status} about a payment that went through`);
      }
    },
  };
};

/** Returns true for a result that says nothing was charged. */
const deniesCharge = (message: FrameMessage): boolean =>
  message.type === 'result' &&
  (message.result.outcome === 'canceled' ||
    (message.result.outcome === 'failed' && message.result.error.charged === 'no'));
