/** Starts the payment in a form that may have been offering it already, and takes over what the page says. */
import { type BeforePay, createBeforePay } from '../merchant/before-pay.ts';
import { pressRefused } from '../merchant/events.ts';
import type { ConfirmScript } from './confirm-script.ts';
import type { PressParts } from './connect-press.ts';
import type { RunningPayment } from './opening.ts';
import { createPageCommands } from './page-commands.ts';
import type { Parts } from './parts.ts';
import { answerRefresh } from './payment-status.ts';
import { reportPayment } from './report-payment.ts';
import type { Session } from './session.ts';
import { startSession } from './start-session.ts';

export const startPayment: ConfirmScript['startPayment'] = (beginning, opened, parts) => {
  const { page } = parts;
  const beforePay = createBeforePay(page.reply, page.warn);
  const session = startSession(beginning, opened, beforePay, parts);
  return takeOver(session, beforePay, parts);
};

/** Apart from the function above, so that none of these closures can keep the client secret. */
const takeOver = (session: Session, beforePay: BeforePay, parts: Parts & PressParts): RunningPayment => {
  const { page } = parts;
  reportPayment(session, parts);
  const command = createPageCommands(parts);
  return {
    session,
    // An error would read as the end of the payment that is under way.
    refused(why) {
      if (!session.isPaying.peek()) page.post(pressRefused(why, session.charged()));
    },
    receive(message) {
      switch (message.type) {
        case 'refresh':
          return answerRefresh(session, page.reply);
        case 'beforepay':
          return beforePay.answer(message);
        case 'secret':
          return session.receiveSecret(message.clientSecret);
        default:
          return command(message);
      }
    },
  };
};
