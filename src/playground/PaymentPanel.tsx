import { useSignal } from '@preact/signals';
import { formatCardNumber } from '../sandbox/inspector/format.ts';
import { useModel } from './context.ts';
import { Select } from './inputs.tsx';
import { OUTCOMES } from './outcomes.ts';

/** How the next payment is to end. Only a sandbox can be asked for that. */
export const PaymentPanel = () => {
  const { site, payment, prepare, copy } = useModel();
  const chosen = useSignal(OUTCOMES[0]?.id ?? '');
  const outcome = OUTCOMES.find(({ id }) => id === chosen.value);
  if (!site.hasControl || outcome === undefined) return null;
  const number = formatCardNumber(outcome.card);
  return (
    <section class="payment-panel" aria-label="Payment">
      <h2>What happens when you pay</h2>
      <Select
        label="Outcome"
        options={OUTCOMES.map(({ id, text }) => ({ value: id, text }))}
        value={chosen.value}
        onChoose={(id) => {
          chosen.value = id;
          const next = OUTCOMES.find((one) => one.id === id);
          if (next) void prepare(next);
        }}
      />
      <p class="note">{outcome.effect}</p>
      <p class="card-line">
        Pay with <code>{number}</code>
        <button type="button" class="small" onClick={() => void copy(outcome.card, number)}>
          Copy number
        </button>
      </p>
      {payment.value?.id && (
        <p class="card-line">
          <a href={`/_sandbox/#/payments/${encodeURIComponent(payment.value.id)}`}>
            This payment in the inspector
          </a>
        </p>
      )}
    </section>
  );
};
