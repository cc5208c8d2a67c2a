/** Phases of the form's state, as the invariants distinguish them. */
import type { Phase } from '../../form/payment/payment-state.ts';

export const FINAL: ReadonlySet<Phase> = new Set(['ended', 'destroyed']);

/** Something is under way in these phases, so the machine must leave them on its own. */
export const UNRESTING: ReadonlySet<Phase> = new Set([
  'opening',
  'confirming',
  'unresolved',
  'settling',
  'rereading',
]);
