/** The form's invariants (outcomes I1 to I9, promises 1.11), checked while a plan runs and again at its end. */

import type { Clock } from '../../api/clock/clock.ts';
import { PHASE } from '../../form/payment/payment-state.ts';
import type { Service } from '../../sandbox/service/http/service.ts';
import { createFindings, type Findings, type Sight } from './findings.ts';
import { FINAL } from './phases.ts';
import type { Plan } from './plan.ts';
import { createPressRules } from './press-rules.ts';
import { createRequestRules } from './request-rules.ts';
import { intentOfForm, type Observer, type SimulatedPress, type SimulatedTab } from './simulated-tab.ts';
import { createStateRules } from './state-rules.ts';
import { createSwapRules } from './swap-rules.ts';
import { createToldRules } from './told-rules.ts';

export type Invariants = Pick<Findings, 'broken' | 'seen'> & {
  observer: Observer;
  note(sight: Sight): void;
  /** A tab was closed, and all consequences have happened. */
  closed(tab: SimulatedTab): void;
  /** The network works, and nobody has done anything for longer than any state may wait. */
  untouched(tabs: readonly SimulatedTab[]): void;
  /** The network works and everything had time to settle; `pressed` contains all presses in all tabs. */
  atRest(tabs: readonly SimulatedTab[], pressed: readonly SimulatedPress[]): void;
};

/** Checks every tab of one order. */
export const createInvariants = (
  { store }: Service,
  clock: Clock,
  plan: Pick<Plan, 'attempts' | 'attempt' | 'beforePay' | 'faults' | 'actions'>,
): Invariants => {
  const findings = createFindings();
  const { broken, seen, fail, see } = findings;

  const recordOf = (id: string) => {
    const intent = store.intents.get(id);
    if (!intent) throw new Error(`The service knows no intent ${id}.`);
    return intent;
  };
  /** The server left several intents payable, which two tabs may then pay. */
  const isCareless = plan.actions.some((action) => action.do === 'swap' && !action.cancels);
  const assertChargedOnce = () => {
    const paid = new Set(store.charges.map(({ intent }) => intent));
    if (store.charges.length > (isCareless ? paid.size : 1)) fail('charged twice');
  };

  const requests = createRequestRules(findings, clock);
  const presses = createPressRules(findings, clock, plan.beforePay !== null);
  const madeUp = plan.faults.confirm.filter(({ status }) => status === 402).length;
  const declinesThereWere = () =>
    [...store.intents.values()].reduce((sum, { confirmation_attempts, attempt, status }) => {
      const isOpen = attempt || status === 'succeeded';
      return sum + confirmation_attempts - (isOpen ? 1 : 0);
    }, madeUp);
  const told = createToldRules(findings, {
    recordOf,
    sentAt: presses.sentAt,
    declinesThereWere,
    attemptSeconds: plan.attempt.seconds,
  });
  const states = createStateRules(findings, recordOf, plan);
  const swaps = createSwapRules(findings);

  const observer: Observer = {
    ...presses,
    ...requests,
    ...told,
    answered(...answer) {
      requests.answered(...answer);
      presses.answered(...answer);
    },
    state(tab, state) {
      assertChargedOnce();
      told.changed(tab);
      states.entered(state);
      const intent = intentOfForm(tab.session);
      if (intent) swaps.has(tab, intent);
    },
    fetchingSecret(over) {
      if (!over) return;
      see('another intent replaced a finished one');
      const { status, confirmation_attempts } = recordOf(over.intent.id);
      const isUsedUp = status === 'pending' && confirmation_attempts >= plan.attempts;
      if (status !== 'canceled' && !isUsedUp)
        fail('requested another intent while the current one could be paid or was paid');
    },
    defect: (defect) => fail(`a defect: ${String(defect)}`),
  };

  return {
    observer,
    broken,
    seen,
    note: see,
    closed(tab) {
      if (tab.life.waiting() > 0) fail('I9: a timer after the form is gone');
    },
    untouched(tabs) {
      for (const { session } of tabs) states.resting(session.state.peek());
    },
    atRest(tabs, pressed) {
      assertChargedOnce();
      for (const tab of tabs) {
        const state = tab.session.state.peek();
        states.truthful(state, clock.now());
        if (FINAL.has(PHASE[state.status]) && tab.life.waiting() > 0) fail('I8: a timer after the end');
      }
      for (const { intent: id, amount, currency } of store.charges) {
        see('money moved');
        const name = recordOf(id).billing_details?.name;
        const winner = pressed.find(({ number }) => `${number}` === name);
        if (!winner) {
          fail('charged without a press');
          continue;
        }
        const { shown } = winner;
        if (shown.amount !== amount || shown.currency !== currency) {
          fail('I5: charged another amount than the pressed button showed');
        }
        told.paid(id, winner);
        swaps.paid(id, winner);
      }
    },
  };
};
