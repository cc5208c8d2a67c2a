import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useForm, useGuarded } from './context.ts';
import { totalOf } from './total.ts';

/** The total first and large; what it is made of on demand. */
export const Summary = () => {
  const { screen, desk, words, payButton } = useForm();
  const intent = useComputed(() => (screen.value.screen === 'form' ? screen.value.intent : null));
  const total = useComputed(() => (intent.value ? words.money(totalOf(intent.value)) : ''));
  /** What follows the total comes with what read it. */
  const late = (name: 'Description' | 'Details') => {
    const Part = desk.value?.parts[name];
    return Part && intent.value && <Part intent={intent.value} />;
  };
  const description = useComputed(() => late('Description'));
  const details = useComputed(() => late('Details'));
  return (
    <section class="summary" data-state={useComputed(() => (intent.value ? 'known' : 'loading'))}>
      <p class="total-label">{words.say('total')}</p>
      <p class="total">
        {useComputed(() => (payButton.value === 'host' ? <Guarded>{total}</Guarded> : <bdi>{total}</bdi>))}
      </p>
      <p class="description">{description}</p>
      {details}
    </section>
  );
};

/** The total where the page has the button: what it submits is what stands here. */
const Guarded = ({ children }: { children: ComponentChildren }) => (
  <bdi ref={useGuarded<HTMLElement>()}>{children}</bdi>
);
