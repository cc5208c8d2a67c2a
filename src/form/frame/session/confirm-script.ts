/** What `confirm.ts` has for the session: the payment from a press on, and what is rare. It is loaded once the form is connected. */
import type { Signal } from '@preact/signals';
import type { Ready } from '../../payment/opened.ts';
import type { OptionProblem } from '../merchant/option-problems.ts';
import type { View } from '../view/form-view.ts';
import type { PressParts } from './connect-press.ts';
import type { Beginning, RunningPayment } from './opening.ts';
import type { Parts, ShownForm } from './parts.ts';

export type ConfirmScript = {
  /** `opened`: the state after the first read, if it was made and told already. */
  startPayment(beginning: Beginning, opened: Ready | null, parts: Parts & PressParts): RunningPayment;
  /** Tells page and buyer that the page's `init` cannot be used. */
  refuseInit(
    problem: OptionProblem | null,
    parts: Pick<ShownForm, 'form' | 'page'> & { screen: Signal<View> },
  ): Pick<RunningPayment, 'receive'>;
};
