import type { JournalEntry } from '../journal.ts';
import { Badge, toneOf } from './Badge.tsx';
import { useModel } from './context.ts';
import { Moment } from './Moment.tsx';
import { clockText, lengthText, momentText } from './words.ts';

/** Every request of the service, the latest first. */
export const Requests = () => {
  const { requests, rows, overview } = useModel();
  const journal = overview.value?.journal;
  return (
    <section aria-label="Requests">
      <div class="section-head">
        <h2>Requests</h2>
        {journal && (
          <p class="note">
            The journal keeps the latest {journal.kept.toLocaleString('en')} and has all since{' '}
            {momentText(journal.since)}. It never keeps a body, a key or a secret.
          </p>
        )}
      </div>
      {requests.value.length === 0 ? (
        <p class="empty">Nobody has asked the service for anything yet.</p>
      ) : (
        <div class="table">
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Route</th>
                <th scope="col">Answer</th>
                <th scope="col" class="number">
                  Took
                </th>
                <th scope="col">Payment</th>
              </tr>
            </thead>
            <tbody>
              {requests.value.map((request, index) => (
                <Line key={`${requests.value.length - index}`} request={request} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {requests.value.length >= rows.value && (
        <button type="button" onClick={() => (rows.value += 200)}>
          Show more
        </button>
      )}
    </section>
  );
};

const Line = ({ request }: { request: JournalEntry }) => {
  const { at, method, route, status, code, took, intent, fault, attempt, delivery } = request;
  return (
    <tr>
      <td>
        <span class="mono" title={momentText(at)}>
          {clockText(at)}
        </span>{' '}
        <Moment at={at} />
      </td>
      <td>
        <span class="soft mono">{method}</span> <span class="mono">{route}</span>
        {attempt !== null && <span class="soft"> attempt {attempt}</span>}
        {delivery > 1 && <span class="soft"> delivery {delivery}</span>}
      </td>
      <td>
        <Badge text={status === null ? 'waiting' : `${status}`} tone={toneOf(status)} />{' '}
        {code !== null && <span class="mono">{code}</span>}
        {fault !== null && <span class="fault mono">fault: {fault}</span>}
      </td>
      <td class="number">{took === null ? '' : lengthText(took)}</td>
      <td>
        {intent !== null && (
          <a href={`#/payments/${intent}`}>
            <code>{intent}</code>
          </a>
        )}
      </td>
    </tr>
  );
};
