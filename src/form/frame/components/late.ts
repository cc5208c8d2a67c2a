/** Components that the prerendered form does not contain: shown once the form is connected. */
import { followAnswers } from '../form/follow-answers.ts';
import { statusView } from '../view/status-view.ts';
import { BrandMark } from './BrandMark.tsx';
import { CodeHelp } from './CodeHelp.tsx';
import type { LateComponents } from './context.ts';
import { editInput } from './edit-input.ts';
import { Outcome } from './Outcome.tsx';

export const components: LateComponents = {
  Outcome,
  CodeHelp,
  BrandMark,
  editInput,
  followAnswers,
  statusView,
};
