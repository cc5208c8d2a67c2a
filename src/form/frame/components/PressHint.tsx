/**
 * The hint after a press that did not count. It repeats the amount, so that the buyer who reads it knows what another
 * press pays. It lies over the fields above the button and takes no room: a button that moved could not be pressed
 * again.
 */
import { useComputed } from '@preact/signals';
import { useForm } from './context.ts';
import { FixedText, TextElement } from './TextElement.tsx';
import { useAmountPlace } from './use-amount-place.ts';
import { useTotal } from './use-total.ts';

/** The visible hint above our own button. Screen readers hear `PressHintStatus` instead. */
export const PressHint = () => {
  const { pressHint } = useForm();
  return <>{useComputed(() => pressHint.value && <Bubble />)}</>;
};

const Bubble = () => (
  <p class="hint" aria-hidden="true" ref={useAmountPlace<HTMLParagraphElement>('hint')}>
    <Text />
  </p>
);

/** The hint in the live region: visible as well if the page has the button, since then there is no bubble. */
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
