/**
 * Messages to the merchant's page about the form: completeness, focus, and the classes of its container. They name
 * fields and brands, but never contain field values.
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

/** The current `change` message. Reads signals. */
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
 * Sends `change` whenever it differs from the last one, but not initially. `canBePaid`: the payment's state accepts a
 * press.
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

/** The field, or group of fields, that the page may know an event happened in. */
const placeAt = (target: EventTarget | null): Place | undefined => {
  const field = fieldAt(target, FIELD_NAMES);
  return field && placeOf(field);
};

/** Sends `focus`, `blur` and `escape` until `ending` aborts. Returns a signal: true while the form has the focus. */
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
  // The buyer may have started typing before this script ran.
  const { activeElement } = document;
  if (document.hasFocus() && activeElement !== document.body) {
    onFocusIn({ target: activeElement, relatedTarget: null });
  }
  return hasFocus;
};

/**
 * Sends `submitrequest` when the buyer presses Enter in a field, like a browser's implicit form submission, until
 * `ending` aborts. A page with its own Pay button then presses it. `isWanted`: the page has the button, and something
 * can be paid.
 */
export const reportSubmitRequests = (isWanted: () => boolean, post: Post, ending: AbortSignal): void => {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !event.isTrusted || event.repeat || isOfComposition(event)) return;
    // Prevented: on a phone the key moves to the next field. Controls other than inputs handle Enter themselves.
    if (event.defaultPrevented || !(event.target instanceof HTMLInputElement)) return;
    if ((navigator.userActivation?.isActive ?? true) && isWanted()) post({ type: 'submitrequest' });
  };
  document.addEventListener('keydown', onKeyDown, { signal: ending });
};

/**
 * Reports the classes of its container to the page, and whether a confirm was sent whose outcome it hasn't got: now and
 * at each change.
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
