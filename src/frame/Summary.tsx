import { useComputed } from '@preact/signals';
import type { Intent } from '../payment/state.ts';
import { useForm } from './context.ts';
import { printable } from './printable.ts';
import { totalOf } from './view.ts';
import type { Words } from './words.ts';

/** The total first and large; what it is made of on demand. */
export const Summary = () => {
  const { screen, words } = useForm();
  const intent = useComputed(() => (screen.value.screen === 'form' ? screen.value.intent : null));
  const total = useComputed(() => (intent.value ? words.money(totalOf(intent.value)) : ''));
  const description = useComputed(() => printable(intent.value?.description ?? ''));
  const details = useComputed(() => intent.value && <Details intent={intent.value} />);
  return (
    <section class="summary" data-state={useComputed(() => (intent.value ? 'known' : 'loading'))}>
      <p class="total-label">{words.say('total')}</p>
      <p class="total">
        <bdi>{total}</bdi>
      </p>
      <p class="description">{description}</p>
      {details}
    </section>
  );
};

type Line = { label: string; note?: string; value: number };

/** Items, then what is added to them and taken off, then a fee the buyer bears. Zero lines say nothing. */
const linesOf = (intent: Intent, { say, money }: Words): readonly Line[] => {
  const { currency } = intent;
  const lines: Line[] = (intent.items ?? []).map(({ name, quantity, unit_amount, amount }) => ({
    label: printable(name),
    ...(quantity === 1
      ? {}
      : {
          note: say('summary.quantity', { quantity, price: money({ value: unit_amount, currency }) }),
        }),
    value: amount,
  }));
  const add = (label: string, value: number | null) => {
    if (value) lines.push({ label, value });
  };
  add(say('summary.shipping'), intent.shipping_amount);
  add(say('summary.tax'), intent.tax_amount);
  add(say('summary.discount'), intent.discount_amount && -intent.discount_amount);
  // Items describe the amount and never set it: where they do not add up, the amount itself is the line.
  if (intent.items_difference || lines.length === 0)
    lines.push({ label: say('summary.amount'), value: intent.amount });
  add(say('summary.fee'), intent.fee_buyer);
  return lines;
};

const Details = ({ intent }: { intent: Intent }) => {
  const { words } = useForm();
  return (
    <details class="details">
      <summary>{words.say('details')}</summary>
      <ul>
        {linesOf(intent, words).map(({ label, note, value }) => (
          <li key={label}>
            <span class="line-label">
              <bdi>{label}</bdi>
              {note && <small>{note}</small>}
            </span>
            <bdi class="line-amount">{words.money({ value, currency: intent.currency })}</bdi>
          </li>
        ))}
        <li class="line-total">
          <span class="line-label">{words.say('total')}</span>
          <bdi class="line-amount">{words.money(totalOf(intent))}</bdi>
        </li>
      </ul>
    </details>
  );
};
