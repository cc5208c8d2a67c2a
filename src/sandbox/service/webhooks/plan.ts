/**
 * Duplicates, delays, reorders or loses the next webhooks, so that merchants can test their code against everything the
 * API allows (contract S15.1 and S15.2).
 */
import type { WebhookPlan } from '../store/records.ts';

/** How the first attempt of a new delivery is sent. */
export type FirstAttempt = {
  heldBack: boolean;
  /** Milliseconds from now. */
  after: number;
  copies: number;
  /** Ids of held-back deliveries that are sent now, in this order. May include the new one. */
  released: string[];
};

/** Applies the plan to a new delivery. A delivery that is held back is neither delayed nor duplicated. */
export const planFirstAttempt = (plan: WebhookPlan, delivery: string): FirstAttempt => {
  if (plan.reverse !== null) {
    const { size, held } = plan.reverse;
    held.push(delivery);
    const isFull = held.length >= size;
    if (isFull) plan.reverse = null;
    return { heldBack: true, after: 0, copies: 1, released: isFull ? [...held].reverse() : [] };
  }
  const after = plan.delay === null ? 0 : plan.delay.seconds * 1000;
  const copies = plan.duplicate === null ? 1 : plan.duplicate.copies;
  plan.delay = useOnce(plan.delay);
  plan.duplicate = useOnce(plan.duplicate);
  return { heldBack: false, after, copies, released: [] };
};

/** Takes a lost response for a scheduled attempt from the plan; `null` if the attempt gets its response. */
export const takeTimeOut = (plan: WebhookPlan): { arrives: boolean } | null => {
  const taken = plan.time_out;
  plan.time_out = useOnce(plan.time_out);
  return taken;
};

const useOnce = <Part extends { times: number }>(part: Part | null): Part | null =>
  part === null || part.times <= 1 ? null : { ...part, times: part.times - 1 };
