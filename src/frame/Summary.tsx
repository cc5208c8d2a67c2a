import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Intent } from '../payment/state.ts';
import { useForm, useGuarded } from './context.ts';
import { linesOf } from './lines.ts';
import { printable } from './printable.ts';
import { totalOf } from './view.ts';

/** The total first and large; what it is made of on demand. */
export const Summary = () => {
  const { screen, words, payButton } = useForm();
  const intent = useComputed(() => (screen.value.screen === 'form' ? screen.value.intent : null));
  const total = useComputed(() => (intent.value ? words.money(totalOf(intent.value)) : ''));
  const description = useComputed(() => printable(intent.value?.description ?? ''));
  const details = useComputed(() => intent.value && <Details intent={intent.value} />);
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

/** More lines scroll. */
const LINES_IN_SIGHT = 8;

const Details = ({ intent }: { intent: Intent }) => {
  const { words } = useForm();
  const lines = linesOf(intent);
  return (
    <details class="details">
      <summary>{words.say('details')}</summary>
      {/* What scrolls can be scrolled by key. */}
      <ul tabIndex={lines.length > LINES_IN_SIGHT ? 0 : undefined}>
        {lines.map(({ label, note, amount }) => (
          <li>
            <span class="line-label">
              <bdi>{typeof label === 'string' ? label : words.say(label.key, label.values)}</bdi>
              {note && <small>{words.say(note.key, note.values)}</small>}
            </span>
            <bdi class="line-amount">{words.money(amount)}</bdi>
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
