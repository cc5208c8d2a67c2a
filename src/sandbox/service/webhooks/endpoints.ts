import { RefusedRequest } from '../core/errors.ts';
import type { EventRecord, EventType, WebhookEndpoint } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { parsedUrl, webhookUrlProblem } from './url.ts';

/** contract S17.15. */
export const ENDPOINTS_PER_ACCOUNT = 16;

/** The settings that a merchant can edit on the dashboard. */
export type EndpointSettings = { url: string; event_types: EventType[]; enabled: boolean };

/** `isCallerLocal` is true if the caller who creates or edits the endpoint is on this machine. */
type Endpoints = {
  store: Store;
  allowLocalWebhooks: boolean;
  webhookHosts: readonly string[];
  isCallerLocal: boolean;
};

const assertUrl = ({ allowLocalWebhooks, webhookHosts, isCallerLocal }: Endpoints, url: string): void => {
  const allowLocal = allowLocalWebhooks && isCallerLocal;
  const found = webhookUrlProblem(url, { allowLocal, hosts: webhookHosts });
  if (found === null) return;
  // Callers on other machines must not have requests sent to programs on this machine, nor learn of them.
  const isElsewhere = allowLocalWebhooks && webhookUrlProblem(url, { allowLocal: true }) === null;
  const problem = isElsewhere
    ? 'name a public host: localhost is the machine of the sandbox, and only callers there may name it'
    : found + hostHint(allowLocalWebhooks, url);
  throw new RefusedRequest('validation_error', `"url" must ${problem}.`, { param: 'url' });
};

/** Explains how to start a sandbox that sends webhooks to this host, if it is in the local network. */
const hostHint = (allowLocalWebhooks: boolean, url: string): string => {
  const problem = (hosts: readonly string[]) => webhookUrlProblem(url, { allowLocal: true, hosts });
  const { hostname = '' } = parsedUrl(url) ?? {};
  return allowLocalWebhooks && problem([hostname]) === null
    ? `. A sandbox started with --webhook-host ${hostname} sends there`
    : '';
};

/** Returns the endpoints of one account or of all accounts, newest first. */
export const endpointsOf = ({ store }: { store: Store }, account?: string): WebhookEndpoint[] =>
  [...store.webhookEndpoints.values()]
    .reverse()
    .filter((one) => account === undefined || one.account === account);

/** Creates an endpoint (contract S13.1 and S13.2). */
export const createEndpoint = (
  service: Endpoints,
  made: { id: string; account: string; created: number } & EndpointSettings,
): WebhookEndpoint => {
  assertUrl(service, made.url);
  if (endpointsOf(service, made.account).length >= ENDPOINTS_PER_ACCOUNT) {
    throw new RefusedRequest(
      'validation_error',
      `This account already has ${ENDPOINTS_PER_ACCOUNT} webhook endpoints, the maximum. Edit or delete one of them.`,
    );
  }
  const endpoint: WebhookEndpoint = {
    id: made.id,
    account: made.account,
    url: made.url,
    event_types: [...new Set(made.event_types)],
    enabled: made.enabled,
    created: made.created,
  };
  service.store.webhookEndpoints.set(endpoint.id, endpoint);
  return endpoint;
};

/** Applies all changes or none. Retries of pending deliveries go to the new URL. */
export const editEndpoint = (
  service: Endpoints,
  endpoint: WebhookEndpoint,
  change: Partial<EndpointSettings>,
): void => {
  if (change.url !== undefined) assertUrl(service, change.url);
  service.store.webhookEndpoints.change(endpoint.id, {
    url: change.url ?? endpoint.url,
    event_types: change.event_types === undefined ? endpoint.event_types : [...new Set(change.event_types)],
    enabled: change.enabled ?? endpoint.enabled,
  });
};

/** Returns the endpoints that get an event. A disabled endpoint gets no new events. */
export const endpointsFor = (store: Store, event: EventRecord): WebhookEndpoint[] =>
  [...store.webhookEndpoints.values()].filter(
    ({ account, enabled, event_types }) =>
      account === event.account && enabled && (event_types.length === 0 || event_types.includes(event.type)),
  );
