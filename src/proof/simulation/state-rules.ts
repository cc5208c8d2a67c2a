/** Rules for the form's state (outcomes I3 and I5), compared with what the service knows. */
import { type PaymentState, PHASE } from '../../form/payment/payment-state.ts';
import type { IntentRecord } from '../../sandbox/service/store/records.ts';
import type { Findings } from './findings.ts';
import { UNRESTING } from './phases.ts';
import type { Plan } from './plan.ts';

type StateRules = {
  /** A form entered this state. */
  entered(state: PaymentState): void;
  /** The network works, and nobody has done anything for longer than any state may wait. */
  resting(state: PaymentState): void;
  /** The same, after somebody looked at the form; `now` is the time of the form's clock. */
  truthful(state: PaymentState, now: number): void;
};

/** `recordOf` returns what the service knows about an intent. */
export const createStateRules = (
  { fail, see }: Findings,
  recordOf: (intent: string) => IntentRecord,
  { attempts, attempt }: Pick<Plan, 'attempts' | 'attempt'>,
): StateRules => {
  let isAsking = false;

  const seeState = (state: PaymentState) => {
    if ('intent' in state && state.intent && recordOf(state.intent.id).attempt) {
      see('an attempt ran while its intent was read');
    }
    if (state.status === 'resolving') see('the form looked up the outcome of a press');
    if (state.status === 'ready' && state.feedback.notice?.kind === 'not_charged') {
      see('the form said that nothing was charged');
    }
    if (state.status === 'ready' && state.feedback.notice?.kind === 'page_failed') {
      see('the page gave no answer to a press');
    }
    if (state.status === 'unknown') see('the form did not know');
    if (state.status === 'waiting_for_tab') see('a press let another tab go first');
    if (state.status === 'blocked') see('the form blamed the integration');
    if (state.status === 'exhausted') see('tries were used up');
    if (isAsking && state.status === 'ready' && state.feedback.previousTotal) {
      see('the total changed while the page was asked');
    }
    isAsking = state.status === 'asking_page';
  };

  const resting = ({ status }: PaymentState) => {
    if (UNRESTING.has(PHASE[status]) || status === 'asking_page') fail(`a hang in ${status}`);
  };

  return {
    entered(state) {
      seeState(state);
      const { status } = state;
      if (status === 'succeeded') {
        const { status: truth, amount_total } = recordOf(state.intent.id);
        if (truth !== 'succeeded') fail('I3: said succeeded, and it is not');
        if (amount_total !== state.intent.amount_total) fail('I5: shows another amount than was charged');
      }
      if (status === 'canceled' && recordOf(state.intent.id).status !== 'canceled') {
        fail('said canceled, and it is not');
      }
      if (status === 'exhausted') {
        const truth = recordOf(state.intent.id);
        if (truth.confirmation_attempts < attempts) fail('said that all tries were used, and they are not');
        const { status: now } = truth; // the merchant may have canceled it since
        if (now !== 'pending' && now !== 'canceled')
          fail('said that all tries were used, and the last one was running');
      }
    },
    resting,
    truthful(state, now) {
      resting(state);
      const mayAsk = 'notBefore' in state && state.notBefore !== null && state.notBefore <= now;
      // A failed attempt whose release was forbidden for years: the service itself says nothing more.
      const isHeld = 'intent' in state && state.intent && recordOf(state.intent.id).status === 'processing';
      const isUntold = attempt.told === 'nothing';
      if (mayAsk && !isHeld && !isUntold)
        fail(`${state.status}, though the network is well and somebody asked`);
      if (state.status !== 'ready') return;
      const { status, amount_total } = recordOf(state.intent.id);
      if (status !== 'pending') fail(`offers to pay an intent that is ${status}, after reading`);
      if (amount_total !== state.intent.amount_total) {
        fail('I5: shows another total than the service has, after reading');
      }
    },
  };
};
