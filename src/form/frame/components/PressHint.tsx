/**
 * The hint after a press that did not count. It repeats the amount, so that the buyer knows what the next press pays.
 * It covers the fields above the button instead of taking space: a button that moved could not be pressed again.
 */
import { useComputed } from '@preact/signals';
import { useForm } from './context.ts';
import { FixedText, TextElement } from './TextElement.tsx';
import { useAmountPlace } from './use-amount-place.ts';
import { useTotal } from './use-total.ts';

/** The visible hint above our own button. Screen readers get `PressHintStatus` instead. */
export const PressHint = () => {
  const { pressHint } = useForm();
  return <>{useComputed(() => pressHint.value && <Bubble />)}</>;
};

const Bubble = () => (
  <p class="hint" aria-hidden="true" ref={useAmountPlace<HTMLParagraphElement>('hint')}>
    <Text />
  </p>
);

/** The hint in the live region. Also visible if the page has the button, since there is no bubble then. */
export const PressHintStatus = () => {
  const { pressHint, isButtonless } = useForm();
  return (
    <>{useComputed(() => pressHint.value && (isButtonless.value ? <VisibleStatus /> : <HiddenStatus />))}</>
  );
};

const VisibleStatus = () => (
  <p class="notice" data-tone="info" ref={useAmountPlace<HTMLParagraphElement>('hint')}>
    <Text />
  </p>
);

const HiddenStatus = () => (
  <p class="unseen">
    <Text />
  </p>
);

const Text = () => {
  const { pressHint, words } = useForm();
  const text = useComputed(() => (pressHint.value ? words.say(pressHint.value) : ''));
  return (
    <>
      <TextElement of={text} /> <FixedText as="strong" data-amount="" of={useTotal()} />
    </>
  );
};
