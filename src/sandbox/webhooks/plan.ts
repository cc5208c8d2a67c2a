/**
 * What befalls the next webhooks, so that a merchant can see their own code meet what the description allows
 * (contract S15.1 and S15.2): an event that arrives more than once, late, or after a later one.
 */
import type { WebhookPlan } from '../store/records.ts';

/** How a new delivery is first sent. */
export type Sending = {
  heldBack: boolean;
  /** Milliseconds. */
  after: number;
  copies: number;
  /** Ids of deliveries that were held back and go now, in this order; the new one may be among them. */
  released: string[];
};

/** Takes a new delivery into the plan and says how it is sent. What is held back is neither late nor repeated. */
export const planFirstAttempt = (plan: WebhookPlan, delivery: string): Sending => {
  if (plan.reverse !== null) {
    const { size, held } = plan.reverse;
    held.push(delivery);
    const isFull = held.length >= size;
    if (isFull) plan.reverse = null;
    return { heldBack: true, after: 0, copies: 1, released: isFull ? [...held].reverse() : [] };
  }
  const after = plan.delay === null ? 0 : plan.delay.seconds * 1000;
  const copies = plan.duplicate === null ? 1 : plan.duplicate.copies;
  plan.delay = oneLess(plan.delay);
  plan.duplicate = oneLess(plan.duplicate);
  return { heldBack: false, after, copies, released: [] };
};

const oneLess = <Part extends { times: number }>(part: Part | null): Part | null =>
  part === null || part.times <= 1 ? null : { ...part, times: part.times - 1 };
