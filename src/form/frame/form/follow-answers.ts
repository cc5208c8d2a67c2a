/**
 * Reacts to the service's answer to a press: folds what is complete, focuses the field to fix, and scrolls the notices
 * into view.
 */
import { effect, type ReadonlySignal, untracked } from '@preact/signals';
import { FIELD_NAMES } from '../../channel/field-names.ts';
import { fieldAt } from '../first/controls.ts';
import { foldableIn } from '../view/folding.ts';
import type { View } from '../view/form-view.ts';
import type { FormModel } from './card-form.ts';
import { focusWhenShown } from './focus-when-shown.ts';
import { foldFinished } from './fold.ts';
import { showAnswer } from './show-answer.ts';

/**
 * Follows the view until the returned function is called. Not tied to rendering: an attempt may start and end between
 * two animation frames.
 */
export const followAnswers = (form: FormModel, screen: ReadonlySignal<View>): (() => void) => {
  let wasLocked = false;
  let isTried = false;
  let shownNotices = '';
  return effect(() => {
    const now = screen.value;
    if (now.screen !== 'form') return;
    const { fieldToFix } = now;
    if (now.locked) isTried = true;
    else if (isTried && now.action.kind !== 'busy') {
      isTried = false;
      untracked(() => fold(form, now));
    }
    // Notices shown during or after an attempt push the button away, so both are scrolled into view.
    const notices = now.notices.map(({ message }) => message.key).join();
    if (notices !== shownNotices && (now.locked || wasLocked)) showAnswer(fieldToFix);
    shownNotices = notices;
    if (wasLocked && !now.locked && now.action.kind === 'pay') {
      wasLocked = false;
      // Only if the focus is in this frame.
      if (fieldToFix && document.hasFocus()) focusWhenShown(fieldToFix);
    }
    if (now.locked) wasLocked = true;
  });
};

/** Folds complete details after an attempt. Their focus moves to the Pay button, or else to a Change button. */
const fold = (form: FormModel, view: View) => {
  const focused = fieldAt(document.activeElement, FIELD_NAMES);
  foldFinished(form, foldableIn(view));
  if (!focused || !form.unasked.fields.peek().includes(focused)) return;
  setTimeout(() => {
    const next =
      document.querySelector<HTMLElement>('.pay') ?? document.querySelector<HTMLElement>('.folded button');
    next?.focus({ preventScroll: true });
  });
};
