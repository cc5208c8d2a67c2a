import type { Intent } from '../../payment/payment-state.ts';
import { totalLinesOf } from '../view/total-lines.ts';
import { useForm } from './context.ts';
import { FixedText, TextElement } from './TextElement.tsx';
import { useTotal } from './use-total.ts';

/** A longer list scrolls. */
const LINES_WITHOUT_SCROLLING = 8;

/** The breakdown of the total, which the buyer can open. */
export const Details = ({ intent }: { intent: Intent }) => {
  const { words } = useForm();
  const lines = totalLinesOf(intent);
  return (
    <details class="details">
      <TextElement as="summary" of={words.say('details')} />
      {/* A scrolling list must be focusable, to be scrolled by keyboard. */}
      <ul tabIndex={lines.length > LINES_WITHOUT_SCROLLING ? 0 : undefined}>
        {lines.map(({ label, note, amount }) => (
          <li>
            <span class="line-label">
              <TextElement
                as="bdi"
                of={typeof label === 'string' ? label : words.say(label.key, label.values)}
              />
              {note && <FixedText as="small" of={words.say(note.key, note.values)} />}
            </span>
            <FixedText as="bdi" class="line-amount" of={words.money(amount)} />
          </li>
        ))}
        <li class="line-total">
          <TextElement class="line-label" of={words.say('total')} />
          <FixedText as="bdi" class="line-amount" of={useTotal()} />
        </li>
      </ul>
    </details>
  );
};
