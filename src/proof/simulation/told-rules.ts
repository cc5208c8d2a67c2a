/** Rules about what the page is told (outcomes I4, promises 1.9 and 1.11). */
import type { FrameMessage } from '../../form/channel/messages.ts';
import type { PaymentState } from '../../form/payment/payment-state.ts';
import { TIMING } from '../../form/payment/timing.ts';
import type { IntentRecord } from '../../sandbox/store/records.ts';
import { createPageEar, type PageEar } from '../tab/page-hears.ts';
import type { Findings } from './findings.ts';
import { NEW_YEAR, type Plan } from './plan.ts';
import type { Observer, SimulatedPress, SimulatedTab } from './simulated-tab.ts';

type ToldRules = Pick<Observer, 'event'> & {
  /** The view of a tab follows its state, and the page was told with it. */
  changed(tab: SimulatedTab): void;
  /** I4: the page was told `failed`, and the attempt it was told about went through. */
  paid(intent: string, winner: SimulatedPress): void;
};

/** `recordOf` has what the service knows of an intent; `sentAt` when the confirm of a press was sent. */
export const createToldRules = (
  { fail, see }: Findings,
  recordOf: (intent: string) => IntentRecord,
  sentAt: (press: string) => number | undefined,
  attemptSeconds: Plan['attempt']['seconds'],
): ToldRules => {
  const ears = new Map<SimulatedTab, PageEar>();
  const earOf = (tab: SimulatedTab): PageEar => {
    const ear = ears.get(tab) ?? createPageEar();
    ears.set(tab, ear);
    return ear;
  };

  /** When a page was told that nothing was charged: about this intent, and the presses made until then. */
  const reports: { tab: SimulatedTab; status: PaymentState['status']; intent: string; press: number }[] = [];

  /** When the latest attempt began, in ms of the plan's clock; null unless it is running or has been charged. */
  const startOf = (record: IntentRecord): number | null => {
    const ms = (seconds: number) => seconds * 1000 - NEW_YEAR;
    if (record.attempt) return ms(record.attempt.endsAt - attemptSeconds);
    return record.succeeded_at === null ? null : ms(record.succeeded_at - attemptSeconds);
  };

  /**
   * `charged: 'no'` is said only of a press that was not charged by then and that is not being tried. Presses that arrive
   * later than the form waits for them are left out (outcomes 2.4).
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

  return {
    changed(tab) {
      if (earOf(tab).isBehind(tab.session.view.peek()))
        fail('promises 1.11: the buyer knows how a press ended, and the page does not');
    },
    event(tab, message) {
      const state = tab.session.state.peek();
      earOf(tab).hear(message);
      assertNotDenied(tab, message);
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

/** Whether it is a result that says that nothing was charged. */
const deniesCharge = (message: FrameMessage): boolean =>
  message.type === 'result' &&
  (message.result.outcome === 'canceled' ||
    (message.result.outcome === 'failed' && message.result.error.charged === 'no'));
