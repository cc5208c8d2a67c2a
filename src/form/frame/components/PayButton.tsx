import { useComputed } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { Money } from '../../../api/money.ts';
import { payLabel } from '../view/pay-label.ts';
import { useForm } from './context.ts';
import { PressHint } from './PressHint.tsx';
import { FixedText, TextElement } from './TextElement.tsx';
import { useAmountPlace } from './use-amount-place.ts';

/** The Pay button. If the page has it, only the button to retry is shown here. */
export const PayArea = () => {
  const { screen, isButtonless } = useForm();
  const isShown = useComputed(
    () => !isButtonless.value || (screen.value.screen === 'form' && screen.value.action.kind === 'retry'),
  );
  return <>{useComputed(() => isShown.value && <PayButton />)}</>;
};

/**
 * The form's one button. Its label always says what it does. While it does nothing it keeps its place and the focus
 * (`aria-disabled`, not `disabled`), so that a wait does not move the focus out of the form.
 *
 * Until a press would count (guard.ts), the pointer passes through the button to the element around it. A test driver
 * then waits until the button can be hit and needs no knowledge of the rule. A person's early press reaches the element
 * around it and is refused with the usual hint.
 */
const PayButton = () => {
  const { screen, words, guard, actions, isButtonless } = useForm();
  const amountPlace = useAmountPlace<HTMLButtonElement>('button');
  useLayoutEffect(() => () => isButtonless.peek() && keepFocusPlace(), []);
  const buttonAction = useComputed(() =>
    screen.value.screen === 'form' ? screen.value.action : ({ kind: 'idle', total: null } as const),
  );
  const label = useComputed(() => {
    const now = buttonAction.value;
    switch (now.kind) {
      case 'pay':
        return <Label total={now.total} />;
      case 'idle':
        return now.total ? <Label total={now.total} /> : <TextElement of={words.say('notice.loading')} />;
      default:
        return <TextElement of={words.say(now.message.key, now.message.values)} />;
    }
  });
  // Hides the label: one of another length would change the button's height when the total arrives.
  const isLoading = useComputed(
    () =>
      (buttonAction.value.kind === 'idle' && !buttonAction.value.total) ||
      (buttonAction.value.kind === 'busy' && buttonAction.value.message.key === 'notice.loading'),
  );
  const isOff = useComputed(() => buttonAction.value.kind === 'idle' || buttonAction.value.kind === 'busy');
  const isEarly = useComputed(() => buttonAction.value.kind === 'pay' && guard?.armed.value === false);
  // Enter in a field clicks the button as well. In a sandbox without `allow-forms` the browser submits no form.
  const press = (event: MouseEvent) => {
    event.preventDefault();
    if (guard?.isLive(event)) void actions.value?.press('buyer');
  };
  const pressEarly = (event: MouseEvent) => {
    if (event.target === event.currentTarget) press(event);
  };
  const button = (
    <button
      ref={amountPlace}
      class="pay"
      type="submit"
      onClick={press}
      data-early={useComputed(() => (isEarly.value ? '' : undefined))}
      data-kind={useComputed(() => (isLoading.value ? 'loading' : buttonAction.value.kind))}
      aria-disabled={useComputed(() => (isOff.value ? 'true' : undefined))}
      aria-busy={useComputed(() =>
        isLoading.value || buttonAction.value.kind === 'busy' ? 'true' : undefined,
      )}
    >
      <span class="spinner" aria-hidden="true" />
      <svg class="lock" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d="M4.5 7V5a3.5 3.5 0 0 1 7 0v2M3.5 7h9v6.5h-9z" />
      </svg>
      <span class={useComputed(() => (isLoading.value ? 'unseen' : ''))}>{label}</span>
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

/** The button goes, perhaps with the focus: to the text after it, from where Tab leads to the page's button. */
const keepFocusPlace = () => {
  const next = document.querySelector('.secure');
  if (!document.activeElement?.closest('.pay-place') || !(next instanceof HTMLElement)) return;
  next.tabIndex = -1;
  next.focus({ preventScroll: true });
};

/** "Pay" and the amount, which has an element of its own. */
const Label = ({ total }: { total: Money }) => {
  const { words } = useForm();
  const { text, isOurs } = words.payTemplate();
  const { before, after, apart } = payLabel(text, isOurs);
  const amount = <FixedText as="bdi" data-amount="" of={words.money(total)} />;
  if (!apart)
    return (
      <>
        <TextElement of={before} />
        {amount}
        <TextElement of={after} />
      </>
    );
  return (
    <span class="apart">
      <TextElement of={before} /> {amount}
    </span>
  );
};
