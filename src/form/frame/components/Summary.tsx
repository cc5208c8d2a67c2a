import { useComputed } from '@preact/signals';
import { printable } from '../view/printable.ts';
import { useForm } from './context.ts';
import { Details } from './Details.tsx';
import { FixedText, TextElement } from './TextElement.tsx';
import { useAmountPlace } from './use-amount-place.ts';
import { useTotal } from './use-total.ts';

/** The total, its description, and the breakdown on demand. */
export const Summary = () => {
  const { screen, words } = useForm();
  const amountPlace = useAmountPlace<HTMLElement>('total');
  const intent = useComputed(() => (screen.value.screen === 'form' ? screen.value.intent : null));
  const description = useComputed(() => printable(intent.value?.description ?? ''));
  const details = useComputed(() => intent.value && <Details intent={intent.value} />);
  // Screen readers get both totals from the notice.
  const previous = useComputed(() => {
    const total = screen.value.screen === 'form' && screen.value.previousTotal;
    return total && <FixedText as="s" aria-hidden="true" of={words.money(total)} />;
  });
  return (
    <section class="summary" data-state={useComputed(() => (intent.value ? 'known' : 'loading'))}>
      <p class="total-label">
        <TextElement of={words.say('total')} />
        {previous}
      </p>
      <p class="total">
        <FixedText as="bdi" place={amountPlace} data-amount="" of={useTotal()} />
      </p>
      <TextElement as="p" class="description" of={description} />
      {details}
    </section>
  );
};
