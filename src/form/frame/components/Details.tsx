import type { Intent } from '../../payment/payment-state.ts';
import { totalLinesOf } from '../view/total-lines.ts';
import { useForm } from './context.ts';
import { useTotal } from './use-total.ts';

/** A longer list scrolls. */
const LINES_WITHOUT_SCROLLING = 8;

/** The breakdown of the total, which the buyer can open. */
export const Details = ({ intent }: { intent: Intent }) => {
  const { words } = useForm();
  const lines = totalLinesOf(intent);
  return (
    <details class="details">
      <summary>{words.say('details')}</summary>
      {/* A list that scrolls must be focusable, to be scrolled by keyboard. */}
      <ul tabIndex={lines.length > LINES_WITHOUT_SCROLLING ? 0 : undefined}>
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
          <bdi class="line-amount">{useTotal()}</bdi>
        </li>
      </ul>
    </details>
  );
};
