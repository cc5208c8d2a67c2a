import { expect, it } from 'vitest';
import { exampleIntent } from './payment.fixture.ts';
import { type PaymentState, PHASE, type Phase, seenBefore, type UnpaidEnd } from './payment-state.ts';

it.each<[Phase, readonly string[]]>([
  ['opening', ['booting', 'loading']],
  ['idle', ['load_failed', 'ready', 'asking_page', 'throttled', 'blocked', 'unknown']],
  ['confirming', ['confirming']],
  ['unresolved', ['resolving']],
  ['settling', ['processing', 'releasing']],
  ['rereading', ['waiting_for_tab', 'reloading']],
  ['ended', ['succeeded', 'canceled', 'exhausted']],
  ['destroyed', ['destroyed']],
])('phase %s: %j', (phase, statuses) => {
  const inPhase = Object.entries(PHASE).flatMap(([status, itsPhase]) => (itsPhase === phase ? [status] : []));
  expect(inPhase).toEqual(statuses);
});

it('while another intent is loaded, the buyer has seen the one before, unless nobody tried it', () => {
  const over: UnpaidEnd = { status: 'canceled', intent: exampleIntent() };
  const loading = (replaces: UnpaidEnd | null): PaymentState => ({
    status: 'loading',
    replaces,
    failures: 0,
    activity: 'reading',
  });
  const failed: PaymentState = {
    status: 'load_failed',
    intent: null,
    replaces: over,
    feedback: { notice: null, previousTotal: null },
    failure: { kind: 'no_answer', reason: 'network' },
    notBefore: 0,
  };
  expect([loading(over), loading({ ...over, untried: true }), loading(null), failed].map(seenBefore)).toEqual(
    [over, null, null, null],
  );
});
