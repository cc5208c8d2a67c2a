import { useSignal } from '@preact/signals';
import type { PaymentRow } from '../service/control/overview.ts';
import { Badge } from './Badge.tsx';
import { Checkbox } from './Checkbox.tsx';
import { CopyButton } from './CopyButton.tsx';
import { useInspector } from './context.ts';
import { FirstSteps } from './FirstSteps.tsx';
import { formatMinor } from './format.ts';
import { OnePayment } from './OnePayment.tsx';
import { RelativeTime } from './RelativeTime.tsx';
import { Search } from './Search.tsx';

const STATUSES = ['pending', 'processing', 'succeeded', 'canceled'] as const;

/** The list of payments, with the selected one next to it. */
export const Payments = () => {
  const { route, payments, searchText, status, untouched, offset, pageSize } = useInspector();
  const { paymentId } = route.value;
  const page = payments.value;
  const isFiltered = searchText.value !== '' || status.value !== '';
  return (
    <div class="split" data-selected={paymentId !== null}>
      <section class="list" aria-label="List of payments">
        <NewPayment />
        <Search one="a payment" all="payments" by="id, order or buyer">
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
        </Search>
        {page !== null && page.untouched > 0 && (
          <Checkbox
            checked={untouched.value}
            set={(checked) => {
              untouched.value = checked;
              offset.value = 0;
            }}
          >
            Include untouched playground payments ({page.untouched})
          </Checkbox>
        )}
        {page?.data.length === 0 && (
          <p class="empty">
            {isFiltered || page.untouched > 0
              ? 'No payment matches.'
              : 'No payment yet. Create one here or through the API; it appears without a reload.'}
          </p>
        )}
        <ul class="rows">
          {page?.data.map((row) => (
            <Row key={row.id} row={row} isSelected={row.id === paymentId} />
          ))}
        </ul>
        {page !== null && page.matching > pageSize && (
          <div class="pager">
            <button type="button" disabled={offset.value === 0} onClick={() => (offset.value -= pageSize)}>
              Newer
            </button>
            <span>
              {offset.value + 1} to {Math.min(offset.value + pageSize, page.matching)} of {page.matching}
            </span>
            <button
              type="button"
              disabled={offset.value + pageSize >= page.matching}
              onClick={() => (offset.value += pageSize)}
            >
              Older
            </button>
          </div>
        )}
      </section>
      {paymentId === null ? <FirstSteps /> : <OnePayment key={paymentId} id={paymentId} />}
    </div>
  );
};

const Row = ({ row, isSelected }: { row: PaymentRow; isSelected: boolean }) => (
  <li>
    <a href={`#/payments/${row.id}`} aria-current={isSelected ? 'true' : undefined}>
      <span class="row-head">
        <strong>{formatMinor(row.amount_total, row.currency)}</strong>
        <Badge text={row.status} />
        {row.amount_refunded > 0 && (
          <Badge text={`refunded ${formatMinor(row.amount_refunded, row.currency)}`} tone="plain" />
        )}
        {row.error !== null && <Badge text="declined" tone="bad" />}
        <RelativeTime at={row.created * 1000} />
      </span>
      <span class="row-foot">
        <code>{row.id}</code>
        <span>{row.order_reference}</span>
      </span>
    </a>
  </li>
);

/** Creates a payment as a merchant's server would, and shows what a page needs to pay it. */
const NewPayment = () => {
  const { runAction, overview, create, created } = useInspector();
  const amount = useSignal('2400');
  const currency = useSignal('usd');
  const key = overview.value?.keys[0]?.publishable_key ?? '';
  return (
    <form
      class="new"
      onSubmit={(event) => {
        event.preventDefault();
        void runAction(() => create({ amount: Number(amount.value), currency: currency.value }));
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
      <button type="submit" class="primary">
        Create a test payment
      </button>
      {created.value !== null && (
        <dl class="secret">
          <dt>Client secret</dt>
          <dd>
            <code>{created.value.client_secret}</code>
            <CopyButton text={created.value.client_secret} what="the client secret" />
          </dd>
          <dt>Publishable key</dt>
          <dd>
            <code>{key}</code>
            <CopyButton text={key} what="the publishable key" />
          </dd>
        </dl>
      )}
    </form>
  );
};
