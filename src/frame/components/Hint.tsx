/**
 * What is said of a press that did not count. It repeats the amount, so that whoever reads it knows what another press
 * pays. It stands over the fields above the button and takes no room: a button that moved could not be pressed again.
 */
import { useComputed } from '@preact/signals';
import { totalOf } from '../view/total.ts';
import { useForm } from './context.ts';
import { Notice } from './Notice.tsx';
import { useWatched } from './use-watched.ts';

/** For the eye, at our own button. A screen reader has `Caution`. */
export const Hint = () => {
  const { caution } = useForm();
  return <>{useComputed(() => caution.value && caution.value !== 'notice.interrupted' && <Bubble />)}</>;
};

const Bubble = () => (
  <p class="hint" aria-hidden="true" ref={useWatched<HTMLParagraphElement>('hint')}>
    <Words />
  </p>
);

/** For the live region. What has no other place is seen here, too. */
export const Caution = () => {
  const { caution, isButtonless } = useForm();
  const cautioned = useComputed(() => {
    if (caution.value === null) return null;
    if (caution.value === 'notice.interrupted')
      return <Notice tone="info" message={{ key: caution.value }} />;
    return isButtonless ? <InPlace /> : <Unseen />;
  });
  return <>{cautioned}</>;
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
