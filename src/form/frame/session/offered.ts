/**
 * Everything buyer and page can do with a running session. The form's surroundings are an argument: a document in the
 * browser, stubs in the fake.
 */
import { computed } from '@preact/signals';
import { createBeforePay } from '../merchant/before-pay.ts';
import { pressRefused } from '../merchant/events.ts';
import { createPress, type Press, totalToPay } from '../press/press.ts';
import { readOnlyView } from '../view/form-view.ts';
import { laterView } from '../view/later-view.ts';
import type { BegunSession } from './begin-session.ts';
import { createPageCommands } from './page-commands.ts';
import type { Heard } from './page-link.ts';
import type { Parts, ShownForm } from './parts.ts';
import { answerRefresh } from './payment-status.ts';
import { connectSession } from './session.ts';
import { followWait } from './waited.ts';

type Shown = Pick<
  ShownForm,
  'form' | 'options' | 'page' | 'lifecycle' | 'isButtonless' | 'pressHint' | 'isInterrupted' | 'ending'
>;

/** The form's surroundings. */
export type Surroundings = Pick<Parameters<typeof createPageCommands>[0], 'guard' | 'watch'> &
  Pick<Parameters<typeof createPress>[0], 'guard' | 'clock' | 'focusField' | 'showButton' | 'focusButton'>;

export type Offered = Pick<Parts, 'session' | 'screen' | 'canBePaid' | 'canEdit'> & {
  /** The one way to pay. */
  press: Press;
  /** Handles a message from the page. */
  receive(message: Exclude<Heard, { type: 'destroy' }>): void;
};

/** `isStatus`: only the payment's status is shown. */
export const offerSession = (
  shown: Shown,
  begun: BegunSession,
  isStatus: boolean,
  around: Surroundings,
): Offered => {
  const { options, page, isButtonless } = shown;
  const beforePay = createBeforePay(page.reply, page.warn);
  const session = connectSession(begun, { ...shown, askPage: beforePay.ask, post: page.post, isStatus });
  const waited = followWait(session.state, around.clock, shown.ending.signal);
  const screen = computed(() => {
    const now = laterView(session.view.value, waited.value);
    return isStatus || options.readOnly.value ? readOnlyView(now) : now;
  });
  const seen = {
    session,
    screen,
    canBePaid: computed(() => totalToPay(screen.value) !== null),
    canEdit: computed(() => session.view.value.screen === 'form' && !session.view.value.locked),
  };
  const press = createPress({
    ...shown,
    ...around,
    screen,
    actions: {
      pay: session.pay,
      retry: session.retry,
      drops: session.swaps.drops,
      // An error would look like the end of the payment in progress.
      refused(why) {
        if (!session.isPaying.peek()) page.post(pressRefused(why, session.charged()));
      },
      counted: page.diagnostics.pressRefused,
    },
  });
  const command = createPageCommands({ ...shown, ...around, ...seen });
  return {
    ...seen,
    press,
    receive(message) {
      switch (message.type) {
        case 'submit':
          if (isButtonless.peek()) void press('host');
          return;
        case 'refresh':
          return answerRefresh(session, page.reply);
        case 'beforepay':
          return beforePay.answer(message);
        case 'update':
          if (message.clientSecret !== undefined) session.swaps.ask(message.clientSecret, page.reply);
          options.update(message);
          return command(message);
        case 'dropped':
          return session.swaps.refuse(page.reply);
        default:
          return command(message);
      }
    },
  };
};
