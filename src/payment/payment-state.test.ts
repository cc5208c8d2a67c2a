import { expect, it } from 'vitest';
import { PHASE, type Phase } from './payment-state.ts';

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
