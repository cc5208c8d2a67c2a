/**
 * What the merchant's page hears about the form: whether it is complete, where the focus is, the classes of its
 * container. Names of fields and brands, never what is in them.
 */
import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { FIELD_NAMES, placeOf } from '../../channel/field-names.ts';
import type { Place } from '../../channel/fields.ts';
import {
  CONTAINER_CLASSES,
  type ContainerClass,
  type FrameMessage,
  type State,
} from '../../channel/messages.ts';
import { isOfComposition } from '../first/composition.ts';
import { fieldAt } from '../first/controls.ts';
import type { FormModel } from '../form/card-form.ts';
import { validationOf } from './validation.ts';

type Post = (message: FrameMessage) => void;

/** What the form lacks and has now. Reads signals. */
export const changeOf = (
  form: FormModel,
  canBePaid: ReadonlySignal<boolean>,
): Extract<FrameMessage, { type: 'change' }> => ({
  type: 'change',
  ...validationOf(form, canBePaid.value),
  empty: form.isEmpty.value,
  brand: form.brand.value,
});

/**
 * Sends `change` whenever something in it differs from what the page heard last, but not at the start. `canBePaid`:
 * whether the payment's state accepts a press.
 */
export const reportChanges = (form: FormModel, canBePaid: ReadonlySignal<boolean>, post: Post): void => {
  let latest = '';
  effect(() => {
    const change = changeOf(form, canBePaid);
    const text = JSON.stringify(change);
    const isFirst = latest === '';
    if (text === latest) return;
    latest = text;
    if (!isFirst) post(change);
  });
};

/** The field or group of fields that the page may know an event happened in. */
const placeAt = (target: EventTarget | null): Place | undefined => {
  const field = fieldAt(target, FIELD_NAMES);
  return field && placeOf(field);
};

/** Sends `focus`, `blur` and `escape` until `ending` aborts. Returns whether the form has the focus. */
export const reportFocus = (post: Post, ending: AbortSignal): ReadonlySignal<boolean> => {
  const hasFocus = signal(false);
  type Move = Pick<FocusEvent, 'target' | 'relatedTarget'>;
  const onFocusIn = ({ target, relatedTarget }: Move) => {
    hasFocus.value = true;
    const field = placeAt(target);
    if (field && field !== placeAt(relatedTarget)) post({ type: 'focus', field });
  };
  const onFocusOut = ({ target, relatedTarget }: Move) => {
    hasFocus.value = relatedTarget !== null;
    const field = placeAt(target);
    if (field && field !== placeAt(relatedTarget)) post({ type: 'blur', field });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && event.isTrusted && !isOfComposition(event)) post({ type: 'escape' });
  };
  document.addEventListener('focusin', onFocusIn, { signal: ending });
  document.addEventListener('focusout', onFocusOut, { signal: ending });
  document.addEventListener('keydown', onKeyDown, { signal: ending });
  // The buyer may have begun to type before this script ran.
  const { activeElement } = document;
  if (document.hasFocus() && activeElement !== document.body) {
    onFocusIn({ target: activeElement, relatedTarget: null });
  }
  return hasFocus;
};

/**
 * Sends `submitrequest` when the buyer presses Enter in a field, as a browser submits a form with a button, until
 * `ending` aborts. A page that has the Pay button presses it then. `isWanted`: the page has it, and something can be
 * paid.
 */
export const reportSubmitRequests = (isWanted: () => boolean, post: Post, ending: AbortSignal): void => {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !event.isTrusted || event.repeat || isOfComposition(event)) return;
    // Prevented: on a phone the key goes to the next field. Other controls than inputs have an Enter of their own.
    if (event.defaultPrevented || !(event.target instanceof HTMLInputElement)) return;
    if ((navigator.userActivation?.isActive ?? true) && isWanted()) post({ type: 'submitrequest' });
  };
  document.addEventListener('keydown', onKeyDown, { signal: ending });
};

/**
 * Tells the page the classes of its container, and whether a confirm was sent whose outcome it has not heard: at once
 * and whenever that changes.
 */
export const reportState = (
  tell: (state: Pick<State, 'classes' | 'sent'>) => void,
  form: FormModel,
  hasFocus: ReadonlySignal<boolean>,
  isAwaitingOutcome: ReadonlySignal<boolean>,
): void => {
  effect(() => {
    const is: Readonly<Record<ContainerClass, boolean>> = {
      'CardForm--focus': hasFocus.value,
      'CardForm--invalid': form.asked.value.some((name) => form.fields[name].problem.value !== null),
      'CardForm--complete': form.isComplete.value,
      'CardForm--empty': form.isEmpty.value,
    };
    const classes = CONTAINER_CLASSES.filter((name) => is[name]);
    tell({ classes, sent: isAwaitingOutcome.value });
  });
};
