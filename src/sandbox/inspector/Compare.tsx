import type { PaymentDetails } from '../service/control/overview.ts';
import { useInspector } from './context.ts';
import { differencesOf } from './differences.ts';
import { Timeline } from './Timeline.tsx';

/** Compares two payments: the fields in which they differ, and both timelines. */
export const Compare = ({ facts, other }: { facts: PaymentDetails; other: PaymentDetails }) => {
  const differences = differencesOf(facts.payment, other.payment);
  return (
    <section aria-label="Comparison">
      <h2>Comparison</h2>
      <p>
        <a href={`#/payments/${facts.payment.id}`}>End the comparison</a>
      </p>
      <table class="compared">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">
              <code>{facts.payment.id}</code>
            </th>
            <th scope="col">
              <code>{other.payment.id}</code>
            </th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ field, values: [first, second] }) => (
            <tr key={field}>
              <td class="mono">{field}</td>
              <td>{first}</td>
              <td>{second}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div class="both">
        <Timeline facts={facts} of={facts.payment.id} />
        <Timeline facts={other} of={other.payment.id} />
      </div>
    </section>
  );
};

/** Selects the payment to compare with, from the list. */
export const CompareWith = ({ id }: { id: string }) => {
  const { payments } = useInspector();
  const others = payments.value?.data.filter((row) => row.id !== id) ?? [];
  if (others.length === 0) return null;
  return (
    <label class="compare">
      <span class="visually-hidden">Compare with</span>
      <select
        value=""
        onChange={({ currentTarget }) => {
          location.hash = `#/payments/${id}/${currentTarget.value}`;
        }}
      >
        <option value="">Compare with…</option>
        {others.map((row) => (
          <option key={row.id} value={row.id}>
            {row.order_reference === null
              ? row.id
              : `${row.order_reference.slice(0, 24)} · ${row.id.slice(-6)}`}{' '}
            · {row.status}
          </option>
        ))}
      </select>
    </label>
  );
};
