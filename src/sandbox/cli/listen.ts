/** Prints the webhooks that a running sandbox sends to one URL, as it sends them. */
import { OptionError } from '../../api/command/option-error.ts';
import { listOf, type Remote } from './remote.ts';

/** The URL and event types to listen for. No types means all of them. */
export type ListenOptions = { forwardTo: string; eventTypes: readonly string[] };

/** `log` prints a line. The listener ends when `signal` aborts; `wait` must end then as well. */
export type ListenEnvironment = {
  log(line: string): void;
  wait(ms: number, signal: AbortSignal): Promise<void>;
  signal: AbortSignal;
};

const POLL_MS = 500;

/**
 * Makes the sandbox send its webhooks to a URL, and prints every attempt. The sandbox itself sends them, so signature,
 * retries and faults are those of any endpoint. An endpoint created for this is removed at the end.
 */
export const listenToWebhooks = async (
  remote: Remote,
  { forwardTo, eventTypes }: ListenOptions,
  environment: ListenEnvironment,
): Promise<void> => {
  const { data } = await remote.control('GET', 'webhook_endpoints');
  const existing = listOf(data).find(({ url, enabled }) => url === forwardTo && enabled === true);
  const endpoint = existing ?? (await makeEndpoint(remote, forwardTo, eventTypes));
  const id = `${endpoint.id}`;
  environment.log(`Webhooks go to ${forwardTo}, signed for the endpoint ${id}.`);
  try {
    await printAttempts(remote, id, environment);
  } finally {
    if (existing === undefined) await remote.control('DELETE', `webhook_endpoints/${id}`);
  }
};

const makeEndpoint = (remote: Remote, url: string, event_types: readonly string[]) =>
  remote.control('POST', 'webhook_endpoints', { url, event_types }).catch((error: unknown) => {
    if (!(error instanceof OptionError) || !error.message.includes('"url"')) throw error;
    throw new OptionError(
      `${error.message} A sandbox that was started with --strict-webhooks sends to no URL on this machine.`,
    );
  });

/** Prints new attempts until the signal aborts. */
const printAttempts = async (
  remote: Remote,
  endpoint: string,
  { log, wait, signal }: ListenEnvironment,
): Promise<void> => {
  const printed = new Map<string, number>();
  const deliveries = async () => {
    const { data } = await remote.control('GET', `webhook_deliveries?endpoint=${endpoint}&limit=1000`);
    return listOf(data).toReversed();
  };
  // Skips attempts made earlier to an existing endpoint.
  for (const { id, attempts } of await deliveries()) printed.set(`${id}`, listOf(attempts).length);
  while (!signal.aborted) {
    for (const { id, event, type, attempts } of await deliveries()) {
      const made = listOf(attempts);
      for (const attempt of made.slice(printed.get(`${id}`) ?? 0))
        log(lineOf(`${type}`, `${event}`, attempt));
      printed.set(`${id}`, made.length);
    }
    await wait(POLL_MS, signal);
  }
};

/** One attempt, such as `12:00:05  payment_intent.succeeded  evt_1  204 in 12 ms`. */
const lineOf = (type: string, event: string, attempt: Readonly<Record<string, unknown>>): string => {
  const { at, reason, http_status, duration_ms, error } = attempt;
  const time = new Date(Number(at)).toISOString().slice(11, 19);
  const result = error === null ? `${http_status} in ${duration_ms} ms` : `${error}`;
  const why = reason === 'schedule' ? '' : ` (${reason})`;
  return `${time}  ${type}  ${event}  ${result}${why}`;
};
