import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { INSPECTOR } from '../../api/routes.ts';
import { formatCardNumber } from '../inspector/format.ts';
import { usePlayground } from './context.ts';
import { SelectField } from './inputs.tsx';
import { OUTCOMES, type TestOutcome } from './outcomes.ts';

/**
 * The `BroadcastChannel` on which the form reports the test card chosen in its ribbon
 * (`form/frame/components/test-cards.ts`).
 */
const CHOSEN_OUTCOME = 'card-form-test-outcome';

/** An outcome from the ribbon that the list does not have. Its card is already in the form. */
const ofRibbon = (text: string): TestOutcome => ({
  id: 'ribbon',
  text,
  card: '',
  effect: 'Chosen in the ribbon of the form, whose card fields are filled in.',
});

/** Selects how the next payment ends. Only a sandbox can do this. */
export const PaymentPanel = () => {
  const { site, payment, prepare, copy } = usePlayground();
  const chosen = useSignal(OUTCOMES[0]);
  const outcome = chosen.value;
  useEffect(() => {
    const channel = new BroadcastChannel(CHOSEN_OUTCOME);
    channel.onmessage = ({ data }) => {
      if (typeof data !== 'string') return;
      chosen.value = OUTCOMES.find(({ testCard }) => testCard === data) ?? ofRibbon(data);
      void prepare(chosen.value);
    };
    return () => channel.close();
  }, [chosen, prepare]);
  if (!site.hasControl || outcome === undefined) return null;
  const number = formatCardNumber(outcome.card);
  const options = OUTCOMES.includes(outcome) ? OUTCOMES : [...OUTCOMES, outcome];
  return (
    <section class="payment-panel" aria-label="Payment">
      <h2>What happens when you pay</h2>
      <SelectField
        label="Outcome"
        options={options.map(({ id, text }) => ({ value: id, text }))}
        value={outcome.id}
        onChoose={(id) => {
          const next = OUTCOMES.find((one) => one.id === id);
          if (!next) return;
          chosen.value = next;
          void prepare(next);
        }}
      />
      <p class="note">{outcome.effect}</p>
      <p class="card-line" hidden={outcome.card === ''}>
        Pay with <code>{number}</code>
        <button type="button" class="small" onClick={() => void copy(outcome.card, number)}>
          Copy number
        </button>
      </p>
      {payment.value?.id && (
        <p class="card-line">
          <a href={`${INSPECTOR}#/payments/${encodeURIComponent(payment.value.id)}`}>
            This payment in the inspector
          </a>
        </p>
      )}
    </section>
  );
};
