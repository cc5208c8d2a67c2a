/**
 * The changes made by control routes. The request log has the requests to the service; this log has the changes that
 * happened to a payment without one, so that the inspector can show the payment's whole timeline.
 */
export type ControlAction = {
  /** Milliseconds since the epoch, on the sandbox's clock. */
  at: number;
  /** The payment that was changed; `null` if the action concerns all payments. */
  intent: string | null;
} & (
  | { action: 'amount_changed'; from: number; to: number }
  | { action: 'canceled' | 'refunds_refused' | 'refunds_allowed' | 'account_changed' }
  | { action: 'step_released' | 'step_rescheduled'; step: number }
  | { action: 'clock_moved'; ms: number }
);

/** The latest actions, in order. */
export type ControlLog = {
  add(action: ControlAction): void;
  /** The actions that concern this payment, including those that concern all payments. */
  of(intent: string): ControlAction[];
};

/** The log is in memory. Above this number, the oldest actions are dropped. */
const MAX_ACTIONS = 10_000;

export const createControlLog = (): ControlLog => {
  const actions: ControlAction[] = [];
  return {
    add: (action) => {
      actions.push(action);
      if (actions.length > MAX_ACTIONS) actions.shift();
    },
    of: (intent) => actions.filter((action) => action.intent === intent || action.intent === null),
  };
};
