/** Another tab is paying the same intent. Times in ms from the press. */
import { describe, expect, it } from 'vitest';
import { exampleIntent } from './payment.fixture.ts';
import type { PaymentEvent, PaymentState } from './payment-state.ts';
import { NOTHING_TOLD, tell } from './told.ts';
import {
  CONFIRMING,
  confirmed,
  drive,
  press,
  READY,
  REFRESH,
  RESTORED,
  RETRIEVE,
  RETRY,
  ready,
  retrieved,
  WAITED,
  woke,
} from './transition.fixture.ts';

describe('outcomes 2.7: a second tab of the same intent, with the tab lock', () => {
  const WAITING_FOR_TAB = drive(CONFIRMING, [0, { type: 'other_tab_paying' }]);

  it('a press while another tab pays sends nothing and waits, no longer than a confirm can take', () => {
    expect(WAITING_FOR_TAB).toEqual({
      state: { status: 'waiting_for_tab', intent: exampleIntent() },
      effects: [{ type: 'wait_for_tab' }, { type: 'wait', ms: 90_000, jitter: false }],
    });
  });

  it.each<[string, PaymentEvent]>([
    ['the other tab is done', { type: 'other_tab_done' }],
    ['the other tab takes too long', WAITED],
    ['the other tab reports the end', REFRESH],
    ['the page is restored from the cache', RESTORED],
  ])('%s: reads, and sends nothing', (_, event) => {
    const step = drive(WAITING_FOR_TAB, [5000, event]);
    expect(step.state.status).toBe('reloading');
    expect(step.effects).toEqual(RETRIEVE);
  });

  it('the other tab paid: succeeded here too', () => {
    expect(
      drive(WAITING_FOR_TAB, [5000, { type: 'other_tab_done' }], [5000, retrieved({ status: 'succeeded' })])
        .state.status,
    ).toBe('succeeded');
  });

  it('the other tab did not pay: ready with not_sent; only a new press confirms', () => {
    const step = drive(WAITING_FOR_TAB, [5000, { type: 'other_tab_done' }], [5000, retrieved()]);
    expect(ready(step).feedback.notice).toEqual({ kind: 'not_sent' });
    expect(step.effects).toEqual([]);
  });

  it('the page hears of each overtaken press', () => {
    const overtaken = drive(WAITING_FOR_TAB, [5000, { type: 'other_tab_done' }], [5000, retrieved()]);
    const states = [CONFIRMING, WAITING_FOR_TAB, overtaken, CONFIRMING, WAITING_FOR_TAB, overtaken];
    let told = NOTHING_TOLD;
    let latest: PaymentState = READY.state;
    const heard: unknown[] = [];
    for (const { state } of states) {
      const next = tell(told, latest, state);
      told = next.told;
      latest = state;
      heard.push(...next.events.filter((event) => event.tell === 'notice'));
    }
    const notice = { tell: 'notice', notice: { kind: 'not_sent' }, charged: 'no' };
    expect(ready(overtaken).feedback.notice).toEqual(notice.notice);
    expect(heard).toEqual([notice, notice]);
  });

  it('ignores every other event, even a press', () => {
    for (const event of [press(), RETRY, woke(), retrieved(), confirmed({ status: 'succeeded' })]) {
      expect(drive(WAITING_FOR_TAB, [1000, event])).toEqual({ state: WAITING_FOR_TAB.state, effects: [] });
    }
  });

  it('the other tab reports the end while this form is ready: reads', () => {
    expect(drive(READY, [10_000, REFRESH]).effects).toEqual(RETRIEVE);
  });
});
