/**
 * What was done to the sandbox by its control routes. The journal has what was asked of the service; this has what
 * happened to a payment without anybody asking the service, so that its story can be told whole.
 */
export type Deed = {
  /** Milliseconds since the epoch, on the sandbox's clock, when it was done. */
  at: number;
  /** The payment it was done to; `null` where it was done to all. */
  intent: string | null;
} & (
  | { deed: 'amount_changed'; from: number; to: number }
  | { deed: 'canceled' | 'refunds_refused' | 'refunds_allowed' | 'account_changed' }
  | { deed: 'step_released' | 'step_rescheduled'; step: number }
  | { deed: 'clock_moved'; ms: number }
);

/** The latest deeds, in order. */
export type Deeds = {
  note(deed: Deed): void;
  /** Those that concern this payment, the ones that concern everybody included. */
  of(intent: string): Deed[];
};

/** Enough to look back on; old deeds make room. */
const KEPT = 10_000;

/** Nothing has been done yet. */
export const createDeeds = (): Deeds => {
  const deeds: Deed[] = [];
  return {
    note: (deed) => {
      deeds.push(deed);
      if (deeds.length > KEPT) deeds.shift();
    },
    of: (intent) => deeds.filter((deed) => deed.intent === intent || deed.intent === null),
  };
};
