import type { RequestLogEntry } from '../service/core/request-log.ts';
import { Badge, toneOf } from './Badge.tsx';
import { useInspector } from './context.ts';
import { formatDateTime, formatDuration } from './format.ts';
import { ExactTime } from './RelativeTime.tsx';
import { OnlyFailed, Search } from './Search.tsx';

/** The requests to the service, newest first. */
export const Requests = () => {
  const { requests, rowLimit, overview, searchText, failedOnly } = useInspector();
  const journal = overview.value?.journal;
  return (
    <section aria-label="Requests">
      <div class="section-head">
        <h2>Requests</h2>
        {journal && (
          <p class="note">
            The log keeps the latest {journal.kept.toLocaleString('en')} requests and is complete since{' '}
            {formatDateTime(journal.since)}. It never contains a body, a key or a secret.
          </p>
        )}
      </div>
      <Search one="a request" all="requests" by="path, payment, code, parameter or message">
        <OnlyFailed />
      </Search>
      {requests.value.length === 0 ? (
        <p class="empty">{searchText.value || failedOnly.value ? 'No such request.' : 'No requests yet.'}</p>
      ) : (
        <div class="table">
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Request</th>
                <th scope="col">Response</th>
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
      {requests.value.length >= rowLimit.value && (
        <button type="button" onClick={() => (rowLimit.value += 200)}>
          Show more
        </button>
      )}
    </section>
  );
};

const Line = ({ request }: { request: RequestLogEntry }) => {
  const { at, method, path, status, code, param, message, took, intent, fault, attempt, delivery } = request;
  return (
    <tr>
      <td>
        <ExactTime at={at} />
      </td>
      <td>
        <span class="muted mono">{method}</span> <span class="mono path">{path}</span>
        {attempt !== null && <span class="muted"> attempt {attempt}</span>}
        {delivery > 1 && <span class="muted"> delivery {delivery}</span>}
      </td>
      <td>
        <Badge text={status === null ? 'pending' : `${status}`} tone={toneOf(status)} />{' '}
        {code !== null && <span class="mono">{code}</span>}
        {param !== null && <span class="mono"> {param}</span>}
        {message !== null && <span class="muted message">{message}</span>}
        {fault !== null && <span class="fault mono">fault: {fault}</span>}
      </td>
      <td class="number">{took === null ? '' : formatDuration(took)}</td>
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
