import { useComputed } from '@preact/signals';
import { Fragment, h, type VNode } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { attributesOf, type ButtonFace, labelKey, labelOf } from '../view/button-face.ts';
import type { Action } from '../view/form-view.ts';
import type { Words } from '../view/words.ts';
import { useForm } from './context.ts';
import { PressHint } from './PressHint.tsx';
import { useAmountPlace } from './use-amount-place.ts';

/** The Pay button. If the page has its own, this one is shown to retry, and while the form is in front of the page. */
export const PayArea = () => {
  const { screen, guard, isButtonless } = useForm();
  const isShown = useComputed(
    () =>
      !isButtonless.value ||
      guard?.isInFront.value ||
      (screen.value.screen === 'form' && screen.value.action.kind === 'retry'),
  );
  return <>{useComputed(() => isShown.value && <PayButton />)}</>;
};

/**
 * The form's only button. Its label always says what it does. While inactive it keeps its place and the focus
 * (`aria-disabled`, not `disabled`), so that a wait does not move the focus out of the form.
 *
 * While a press would not count (guard.ts), the pointer passes through the button to the element around it. A test
 * driver then waits until the button can be clicked, without knowing the rule. A person's early press reaches the
 * element around it and is refused with the usual hint.
 */
const PayButton = () => {
  const { screen, words, guard, actions, isButtonless } = useForm();
  const place = useAmountPlace<HTMLButtonElement>('button');
  useLayoutEffect(() => () => isButtonless.peek() && keepFocusPlace(), []);
  const { value: face } = useComputed(() =>
    faceOf(screen.value.screen === 'form' ? screen.value.action : null, words, guard?.armed.value === false),
  );
  // Enter in a field clicks the button, too. In a sandbox without `allow-forms` the browser submits no form.
  const press = (event: MouseEvent) => {
    event.preventDefault();
    if (guard?.isLive(event)) void actions.value?.press('buyer');
  };
  const pressEarly = (event: MouseEvent) => {
    if (event.target === event.currentTarget) press(event);
  };
  const button = (
    <button ref={place} class="pay" type="submit" onClick={press} {...attributesOf(face)}>
      <span class="spinner" aria-hidden="true" />
      <svg class="lock" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d="M4.5 7V5a3.5 3.5 0 0 1 7 0v2M3.5 7h9v6.5h-9z" />
      </svg>
      <span>
        <Fragment key={labelKey(face)}>{labelOf<VNode>(face, h)}</Fragment>
      </span>
    </button>
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keyboards reach the button itself
    <div class="pay-place" role="presentation" onClick={pressEarly}>
      <PressHint />
      {button}
    </div>
  );
};

/** Moves the focus from a disappearing button to the text after it, from where Tab leads to the page's button. */
const keepFocusPlace = () => {
  const next = document.querySelector('.secure');
  if (!document.activeElement?.closest('.pay-place') || !(next instanceof HTMLElement)) return;
  next.tabIndex = -1;
  next.focus({ preventScroll: true });
};

/** An action as shown on the button; null: there is no form to pay with. */
const faceOf = (action: Action | null, { say, money, payTemplate }: Words, isEarly: boolean): ButtonFace => {
  switch (action?.kind) {
    case 'pay':
      return { kind: 'pay', ...payTemplate(), amount: money(action.total), isEarly };
    case 'busy':
    case 'retry': {
      const { key, values } = action.message;
      return { kind: key === 'notice.loading' ? 'loading' : action.kind, text: say(key, values) };
    }
    default:
      return action?.total
        ? { kind: 'idle', ...payTemplate(), amount: money(action.total) }
        : { kind: 'loading', text: say('notice.loading') };
  }
};
