import { useSignal } from '@preact/signals';
import type { WebhookEndpoint } from '../webhook-endpoints.ts';
import { post, remove } from './ask.ts';
import { Badge } from './Badge.tsx';
import { Copy } from './Copy.tsx';
import { useModel } from './context.ts';
import { Moment } from './Moment.tsx';
import type { DeliveryRow } from './model.ts';
import { lengthText } from './words.ts';

/** Where events go, and how they got there. */
export const Webhooks = () => {
  const { endpoints, deliveries, rows } = useModel();
  const urls = new Map(endpoints.value.map(({ id, url }) => [id, url]));
  return (
    <>
      <section aria-label="Endpoints">
        <div class="section-head">
          <h2>Endpoints</h2>
          <NewEndpoint />
        </div>
        {endpoints.value.length === 0 ? (
          <p class="empty">No endpoint yet: nobody is told of events. A server on this machine will do.</p>
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
          <p class="note">Failed ones are repeated seven times over two days. Move the clock to see it.</p>
        </div>
        {deliveries.value.length === 0 ? (
          <p class="empty">Nothing was sent yet. A payment that succeeds is an event.</p>
        ) : (
          <ul class="cards">
            {deliveries.value.map((delivery) => (
              <Delivery key={delivery.id} delivery={delivery} url={urls.get(delivery.endpoint)} />
            ))}
          </ul>
        )}
        {deliveries.value.length >= rows.value && (
          <button type="button" onClick={() => (rows.value += 200)}>
            Show more
          </button>
        )}
      </section>
    </>
  );
};

const NewEndpoint = () => {
  const { act } = useModel();
  const url = useSignal('');
  return (
    <form
      class="act"
      onSubmit={(event) => {
        event.preventDefault();
        void act(async () => {
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
      <button type="submit" class="strong">
        Add an endpoint
      </button>
    </form>
  );
};

const Endpoint = ({ endpoint: { id, url, enabled, event_types } }: { endpoint: WebhookEndpoint }) => {
  const { act } = useModel();
  return (
    <li>
      <p class="card-head">
        <code>{url}</code>
        <Badge text={enabled ? 'enabled' : 'disabled'} tone={enabled ? 'good' : 'plain'} />
        <span class="buttons">
          <button
            type="button"
            class="small"
            aria-label={`${enabled ? 'Disable' : 'Enable'} ${url}`}
            onClick={() =>
              void act(async () => {
                await post(`webhook_endpoints/${id}`, { enabled: !enabled });
                return enabled ? 'Disabled: it gets no new events.' : 'Enabled.';
              })
            }
          >
            {enabled ? 'Disable' : 'Enable'}
          </button>
          <button
            type="button"
            class="small danger"
            aria-label={`Delete ${url}`}
            onClick={() =>
              void act(async () => {
                await remove(`webhook_endpoints/${id}`);
                return 'Deleted; what was on its way to it is canceled.';
              })
            }
          >
            Delete
          </button>
        </span>
      </p>
      <p class="soft">
        <code>{id}</code>
        <Copy text={id} what="the endpoint's id" />{' '}
        {event_types.length === 0 ? 'all events' : event_types.join(', ')}
      </p>
    </li>
  );
};

const Delivery = ({ delivery, url }: { delivery: DeliveryRow; url: string | undefined }) => {
  const { act } = useModel();
  const { id, type, event, status, attempts, next_attempt_at } = delivery;
  return (
    <li>
      <p class="card-head">
        <Badge text={status} />
        <span class="mono">{type ?? 'an event of long ago'}</span>
        <span class="soft">
          to <code>{url ?? 'a deleted endpoint'}</code>
        </span>
        {next_attempt_at !== null && (
          <span class="soft">
            next attempt <Moment at={next_attempt_at} />
          </span>
        )}
        {url !== undefined && (
          <span class="buttons">
            <button
              type="button"
              class="small"
              aria-label={`Send again: ${type ?? event}`}
              onClick={() =>
                void act(async () => {
                  const sent = await post<DeliveryRow>(`webhook_deliveries/${encodeURIComponent(id)}/retry`);
                  const error = sent.attempts.at(-1)?.error ?? null;
                  return error === null ? 'Sent; the endpoint took it.' : `Sent, but ${error}.`;
                })
              }
            >
              Send again
            </button>
          </span>
        )}
      </p>
      <p class="soft">
        <code>{event}</code>
        <Copy text={event} what="the event's id" />
      </p>
      {attempts.length > 0 && (
        <ol class="attempts">
          {attempts.map((attempt, index) => (
            <li key={`${attempt.at} ${index}`}>
              <Badge
                text={attempt.http_status === null ? 'no answer' : `HTTP ${attempt.http_status}`}
                tone={attempt.error === null ? 'good' : 'bad'}
              />
              <Moment at={attempt.at} />
              <span class="soft">{lengthText(attempt.duration_ms)}</span>
              {attempt.reason !== 'schedule' && (
                <span class="soft">{attempt.reason === 'manual' ? 'by hand' : 'copy'}</span>
              )}
              {attempt.error !== null && <span>{attempt.error}</span>}
            </li>
          ))}
        </ol>
      )}
    </li>
  );
};
