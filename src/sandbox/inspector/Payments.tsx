import { useSignal } from '@preact/signals';
import type { PaymentRow } from '../overview.ts';
import { post } from './ask.ts';
import { Badge } from './Badge.tsx';
import { Copy } from './Copy.tsx';
import { useModel } from './context.ts';
import { Moment } from './Moment.tsx';
import { isSecret } from './model.ts';
import { Payment } from './Payment.tsx';
import { moneyText } from './words.ts';

const STATUSES = ['pending', 'processing', 'succeeded', 'canceled'] as const;

type Made = { payment_intent: { id: string }; client_secret: string };

/** The list of payments, and the one that was chosen beside it. */
export const Payments = () => {
  const { place, payments, find, status, offset, page } = useModel();
  const { chosen } = place.value;
  const shown = payments.value;
  const filtered = find.value !== '' || status.value !== '';
  return (
    <div class="split" data-chosen={chosen !== null}>
      <section class="list" aria-label="List of payments">
        <NewPayment />
        <div class="filters">
          <input
            type="search"
            aria-label="Find a payment by id, order or buyer"
            placeholder="Id, order or buyer"
            value={find.value}
            onInput={({ currentTarget }) => {
              find.value = currentTarget.value;
              offset.value = 0;
            }}
          />
          <select
            aria-label="Status"
            value={status.value}
            onChange={({ currentTarget }) => {
              status.value = currentTarget.value;
              offset.value = 0;
            }}
          >
            <option value="">Any status</option>
            {STATUSES.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </div>
        {isSecret(find.value) && (
          <p class="note">Card numbers, keys and client secrets are not looked for. Here are all payments.</p>
        )}
        {shown !== null && shown.data.length === 0 && (
          <p class="empty">
            {filtered
              ? 'No payment is like that.'
              : 'No payment yet. Create one here or by the API; it appears by itself.'}
          </p>
        )}
        <ul class="rows">
          {shown?.data.map((row) => (
            <Row key={row.id} row={row} isChosen={row.id === chosen} />
          ))}
        </ul>
        {shown !== null && shown.matching > page && (
          <div class="pager">
            <button type="button" disabled={offset.value === 0} onClick={() => (offset.value -= page)}>
              Newer
            </button>
            <span>
              {offset.value + 1} to {Math.min(offset.value + page, shown.matching)} of {shown.matching}
            </span>
            <button
              type="button"
              disabled={offset.value + page >= shown.matching}
              onClick={() => (offset.value += page)}
            >
              Older
            </button>
          </div>
        )}
      </section>
      {chosen === null ? (
        <p class="empty beside">Choose a payment to see its story.</p>
      ) : (
        <Payment key={chosen} id={chosen} />
      )}
    </div>
  );
};

const Row = ({ row, isChosen }: { row: PaymentRow; isChosen: boolean }) => (
  <li>
    <a href={`#/payments/${row.id}`} aria-current={isChosen ? 'true' : undefined}>
      <span class="row-head">
        <strong>{moneyText(row.amount_total, row.currency)}</strong>
        <Badge text={row.status} />
        {row.amount_refunded > 0 && (
          <Badge text={`refunded ${moneyText(row.amount_refunded, row.currency)}`} tone="plain" />
        )}
        {row.error !== null && <Badge text="declined" tone="bad" />}
        <Moment at={row.created * 1000} />
      </span>
      <span class="row-foot">
        <code>{row.id}</code>
        <span>{row.order_reference}</span>
      </span>
    </a>
  </li>
);

/** Makes a payment as a merchant's server would, so that there is something to pay at once. */
const NewPayment = () => {
  const { act, overview } = useModel();
  const made = useSignal<Made | null>(null);
  const amount = useSignal('2400');
  const currency = useSignal('usd');
  const create = () =>
    void act(async () => {
      made.value = await post<Made>('payment_intents', {
        amount: Number(amount.value),
        currency: currency.value,
      });
      location.hash = `#/payments/${made.value.payment_intent.id}`;
      return 'Created a test payment.';
    });
  const key = overview.value?.keys[0]?.publishable_key ?? '';
  return (
    <form
      class="new"
      onSubmit={(event) => {
        event.preventDefault();
        create();
      }}
    >
      <label>
        Minor units
        <input
          inputMode="numeric"
          size={8}
          value={amount.value}
          onInput={({ currentTarget }) => {
            amount.value = currentTarget.value;
          }}
        />
      </label>
      <label>
        Currency
        <select
          value={currency.value}
          onChange={({ currentTarget }) => {
            currency.value = currentTarget.value;
          }}
        >
          <option value="usd">USD</option>
          <option value="eur">EUR</option>
        </select>
      </label>
      <button type="submit" class="strong">
        Create a test payment
      </button>
      {made.value !== null && (
        <dl class="secret">
          <dt>Client secret</dt>
          <dd>
            <code>{made.value.client_secret}</code>
            <Copy text={made.value.client_secret} what="the client secret" />
          </dd>
          <dt>Publishable key</dt>
          <dd>
            <code>{key}</code>
            <Copy text={key} what="the publishable key" />
          </dd>
        </dl>
      )}
    </form>
  );
};
