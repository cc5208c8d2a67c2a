/** Phases of the form's state as the invariants tell them apart. */
import type { Phase } from '../../form/payment/payment-state.ts';

export const FINAL: ReadonlySet<Phase> = new Set(['ended', 'destroyed']);

/** In these something is under way, so that the machine must leave them by itself. */
export const UNRESTING: ReadonlySet<Phase> = new Set([
  'opening',
  'confirming',
  'unresolved',
  'settling',
  'rereading',
]);
