/** What buyer and page are told if the page began the form with something it cannot use. */
import type { Refusal } from '../../api/errors.ts';
import type { FrameMessage } from '../../channel/messages.ts';
import type { PaymentState } from '../../payment/payment-state.ts';
import { createMerchantEvents } from '../merchant/events.ts';
import type { OptionProblem } from '../merchant/option-problems.ts';
import { type View, view } from '../view/view.ts';

const INVALID_INIT: Refusal = {
  kind: 'refused',
  status: 400,
  code: 'invalid_init',
  type: 'invalid_request_error',
  message: 'The page began the form with a message it could not read. Use the card-form script unchanged.',
  param: null,
  declineCode: null,
};

/** Tells the page, and returns what the buyer sees. `problem` is null if the message was not of this script at all. */
export const refuseInit = (problem: OptionProblem | null, post: (message: FrameMessage) => void): View => {
  const error: Refusal = problem
    ? { ...INVALID_INIT, code: 'invalid_option', message: problem.message, param: problem.option }
    : INVALID_INIT;
  const blocked: PaymentState = { status: 'blocked', intent: null, error, recoverable: false };
  for (const message of createMerchantEvents()({ status: 'booting' }, blocked)) post(message);
  return view(blocked, true);
};
