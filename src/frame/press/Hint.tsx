/**
 * What is said of a press that did not count. It repeats the amount, so that whoever reads it knows what another press
 * pays. It stands over the fields above the button and takes no room: a button that moved could not be pressed again.
 */
import { useComputed } from '@preact/signals';
import { useForm } from '../context.ts';
import { totalOf } from '../total.ts';
import { useWatched } from './use-watched.ts';

/** For the eye, at our own button. A screen reader has `Caution`. */
export const Hint = () => {
  const { caution } = useForm();
  return <>{useComputed(() => caution.value && <Bubble />)}</>;
};

const Bubble = () => (
  <p class="hint" aria-hidden="true" ref={useWatched<HTMLParagraphElement>('hint')}>
    <Words />
  </p>
);

/** For the live region. Where the page has the button there is no other place for it, so it is seen here. */
export const Caution = () => {
  const { caution, isButtonless } = useForm();
  return <>{useComputed(() => caution.value && (isButtonless ? <InPlace /> : <Unseen />))}</>;
};

const InPlace = () => (
  <p class="notice" data-tone="info" ref={useWatched<HTMLParagraphElement>('hint')}>
    <Words />
  </p>
);

const Unseen = () => (
  <p class="unseen">
    <Words />
  </p>
);

const Words = () => {
  const { caution, screen, words } = useForm();
  const amount = useComputed(() =>
    screen.value.screen === 'form' && screen.value.intent ? words.money(totalOf(screen.value.intent)) : '',
  );
  const text = useComputed(() => caution.value && words.say(caution.value));
  return (
    <>
      <span>{text}</span> <strong data-amount>{amount}</strong>
    </>
  );
};
