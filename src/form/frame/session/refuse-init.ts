/** Tells buyer and page that the page's `init` is invalid. */
import { type Signal, signal } from '@preact/signals';
import type { Refusal } from '../../../api/errors.ts';
import type { PaymentState } from '../../payment/payment-state.ts';
import { chargedIn, NOTHING_TOLD, tell } from '../../payment/told.ts';
import { initial } from '../../payment/transition.ts';
import { messagesOf, resultIn } from '../merchant/events.ts';
import type { OptionProblem } from '../merchant/option-problems.ts';
import type { View } from '../view/form-view.ts';
import { view } from '../view/view.ts';
import { answerQuestion, isQuestion } from './page-commands.ts';
import type { Heard } from './page-link.ts';
import type { ShownForm } from './parts.ts';
import { updatedTo } from './swaps.ts';

const INVALID_INIT: Refusal = {
  kind: 'refused',
  status: 400,
  code: 'invalid_init',
  type: 'invalid_request_error',
  message:
    'The page started the form with a message that the form could not read. Use the card-form script unchanged.',
  param: null,
  declineCode: null,
};

const NEVER = signal(false);

/** `problem` is null if the message isn't from this script. */
export const refuseInit = (
  problem: OptionProblem | null,
  { form, page, screen }: Pick<ShownForm, 'form' | 'page'> & { screen: Signal<View> },
): { receive(message: Heard): void } => {
  const error: Refusal = problem
    ? { ...INVALID_INIT, code: 'invalid_option', message: problem.message, param: problem.option }
    : INVALID_INIT;
  const blocked: PaymentState = { status: 'blocked', intent: null, error, recoverable: false };
  const { told, events } = tell(NOTHING_TOLD, initial, blocked);
  for (const event of events) {
    for (const message of messagesOf(event, blocked)) page.post(message);
  }
  const result = resultIn(blocked, { charged: chargedIn(blocked, told), mayArrive: told.mayArrive });
  const failure = result?.outcome === 'failed' ? result.error : null;
  screen.value = view(blocked, true);
  return {
    receive(message) {
      if (message.type === 'refresh' && result) page.reply({ type: 'refresh', refresh: result });
      if (message.type === 'dropped' || (message.type === 'update' && message.clientSecret !== undefined))
        page.reply(updatedTo(failure));
      if (isQuestion(message)) answerQuestion(message, { form, page, screen, canBePaid: NEVER });
    },
  };
};
