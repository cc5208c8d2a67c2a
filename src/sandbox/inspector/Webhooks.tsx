import { useSignal } from '@preact/signals';
import type { WebhookEndpoint } from '../service/store/records.ts';
import { ActionButton } from './ActionButton.tsx';
import { Badge } from './Badge.tsx';
import { CopyButton } from './CopyButton.tsx';
import { useInspector } from './context.ts';
import { post, remove } from './control-api.ts';
import { formatDuration } from './format.ts';
import type { DeliveryRow } from './model.ts';
import { RelativeTime } from './RelativeTime.tsx';
import { OnlyFailed, Search } from './Search.tsx';

/** The webhook endpoints and their deliveries. */
export const Webhooks = () => {
  const { endpoints, deliveries, rowLimit, searchText, failedOnly } = useInspector();
  const urls = new Map(endpoints.value.map(({ id, url }) => [id, url]));
  return (
    <>
      <section aria-label="Endpoints">
        <div class="section-head">
          <h2>Endpoints</h2>
          <NewEndpoint />
        </div>
        {endpoints.value.length === 0 ? (
          <p class="empty">No endpoint yet, so no event is sent. A server on this machine will do.</p>
        ) : (
          <ul class="cards">
            {endpoints.value.map((endpoint) => (
              <Endpoint key={endpoint.id} endpoint={endpoint} />
            ))}
          </ul>
        )}
      </section>
      <section aria-label="Deliveries">
        <div class="section-head">
          <h2>Deliveries</h2>
          <p class="note">
            A failed delivery is retried seven times over two days. Move the clock forward to see it.
          </p>
        </div>
        <Search one="a delivery" all="deliveries" by="payment, event, type or problem">
          <OnlyFailed />
        </Search>
        {deliveries.value.length === 0 ? (
          <p class="empty">
            {searchText.value || failedOnly.value
              ? 'No such delivery.'
              : 'No deliveries yet. A payment that succeeds sends an event.'}
          </p>
        ) : (
          <ul class="cards">
            {deliveries.value.map((delivery) => (
              <Delivery key={delivery.id} delivery={delivery} url={urls.get(delivery.endpoint)} />
            ))}
          </ul>
        )}
        {deliveries.value.length >= rowLimit.value && (
          <button type="button" onClick={() => (rowLimit.value += 200)}>
            Show more
          </button>
        )}
      </section>
    </>
  );
};

const NewEndpoint = () => {
  const { runAction } = useInspector();
  const url = useSignal('');
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault();
        void runAction(async () => {
          await post('webhook_endpoints', { url: url.value.trim() });
          url.value = '';
          return 'Added the endpoint.';
        });
      }}
    >
      <label>
        URL
        <input
          size={34}
          required
          spellcheck={false}
          placeholder="http://localhost:3000/webhooks"
          value={url.value}
          onInput={({ currentTarget }) => {
            url.value = currentTarget.value;
          }}
        />
      </label>
      <button type="submit" class="primary">
        Add an endpoint
      </button>
    </form>
  );
};

const Endpoint = ({ endpoint: { id, url, enabled, event_types } }: { endpoint: WebhookEndpoint }) => {
  const { runAction } = useInspector();
  return (
    <li>
      <p class="card-head">
        <code>{url}</code>
        <Badge text={enabled ? 'enabled' : 'disabled'} tone={enabled ? 'good' : 'plain'} />
        <span class="buttons">
          <ActionButton
            aria-label={`${enabled ? 'Disable' : 'Enable'} ${url}`}
            run={async () => {
              await post(`webhook_endpoints/${id}`, { enabled: !enabled });
              return enabled ? 'Disabled. The endpoint gets no new events.' : 'Enabled.';
            }}
          >
            {enabled ? 'Disable' : 'Enable'}
          </ActionButton>
          <button
            type="button"
            class="small danger"
            aria-label={`Delete ${url}`}
            onClick={() =>
              void runAction(async () => {
                await remove(`webhook_endpoints/${id}`);
                return 'Deleted, and its pending deliveries are canceled.';
              })
            }
          >
            Delete
          </button>
        </span>
      </p>
      <p class="muted">
        <code>{id}</code>
        <CopyButton text={id} what="the endpoint's id" />{' '}
        {event_types.length === 0 ? 'all events' : event_types.join(', ')}
      </p>
    </li>
  );
};

const Delivery = ({ delivery, url }: { delivery: DeliveryRow; url: string | undefined }) => {
  const { id, type, event, payment_intent, body, status, attempts, next_attempt_at } = delivery;
  return (
    <li>
      <p class="card-head">
        <Badge text={status} />
        <span class="mono">{type ?? 'an event that is no longer kept'}</span>
        <span class="muted">
          to <code>{url ?? 'a deleted endpoint'}</code>
        </span>
        {next_attempt_at !== null && (
          <span class="muted">
            next attempt <RelativeTime at={next_attempt_at} />
          </span>
        )}
        {url !== undefined && (
          <span class="buttons">
            <ActionButton
              aria-label={`Send again: ${type ?? event}`}
              run={async () => {
                const sent = await post<DeliveryRow>(`webhook_deliveries/${encodeURIComponent(id)}/retry`);
                const error = sent.attempts.at(-1)?.error ?? null;
                return error === null ? 'Sent, and the endpoint accepted it.' : `Sent, but ${error}.`;
              }}
            >
              Send again
            </ActionButton>
          </span>
        )}
      </p>
      <p class="muted">
        <code>{event}</code>
        <CopyButton text={event} what="the event's id" />
        {payment_intent !== null && (
          <>
            {' '}
            about{' '}
            <a href={`#/payments/${payment_intent}`}>
              <code>{payment_intent}</code>
            </a>
          </>
        )}
      </p>
      {body !== null && <Text of="Body" text={indented(body)} />}
      {attempts.length > 0 && (
        <ol class="attempts">
          {attempts.map((attempt, index) => (
            <li key={`${attempt.at} ${index}`}>
              <Badge
                text={attempt.http_status === null ? 'no response' : `HTTP ${attempt.http_status}`}
                tone={attempt.error === null ? 'good' : 'bad'}
              />
              <RelativeTime at={attempt.at} />
              <span class="muted">{formatDuration(attempt.duration_ms)}</span>
              {attempt.reason !== 'schedule' && (
                <span class="muted">{attempt.reason === 'manual' ? 'by hand' : 'copy'}</span>
              )}
              {attempt.error !== null && <span>{attempt.error}</span>}
              {attempt.response && <Text of="Answer" text={attempt.response} />}
            </li>
          ))}
        </ol>
      )}
    </li>
  );
};

/** A collapsed text, for debugging. */
const Text = ({ of, text }: { of: string; text: string }) => (
  <details class="text">
    <summary>{of}</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard has to reach it */}
    <section tabIndex={0} aria-label={of}>
      <pre>
        <code>{text}</code>
      </pre>
    </section>
  </details>
);

/** Indents JSON for reading. The signed text is the single line. */
const indented = (json: string): string => JSON.stringify(JSON.parse(json), null, 2);
