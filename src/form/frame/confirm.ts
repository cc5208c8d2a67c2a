/**
 * What is needed once Pay has been pressed, or if the first read says anything but a total to pay: client, state machine,
 * outcomes, the page's commands and the sentences about all of them. And what nobody waits for: the marks of the brands, the
 * help with the security code, undo and pasting a whole card. Loaded once the form is connected (`session/opening.ts`).
 */
import { enConfirm } from '../i18n/en-confirm.ts';
import { BrandMark } from './components/BrandMark.tsx';
import { CodeHelp } from './components/CodeHelp.tsx';
import type { LateComponents } from './components/context.ts';
import { editInput } from './components/edit-input.ts';
import { Outcome } from './components/Outcome.tsx';
import { followAnswers } from './form/follow-answers.ts';
import confirmStyles from './styles/confirm.css?inline';
import { statusView } from './view/status-view.ts';

export { refuseInit } from './session/refuse-init.ts';
export { startPayment } from './session/start-payment.ts';

export const components: LateComponents = {
  Outcome,
  CodeHelp,
  BrandMark,
  editInput,
  followAnswers,
  statusView,
};

export const styles = confirmStyles;

export const texts = enConfirm;
