/**
 * The payment service for a shop's own tests: a function from `Request` to `Response`, and the same on a port
 * with the card form. The types are spelled out here, so that they need no package.
 */
import { fileURLToPath } from 'node:url';
import type { Clock } from '../sandbox/core/clock.ts';
import { createSandbox as create } from '../sandbox/sandbox.ts';
import { listen as listenAt } from '../sandbox/server.ts';
import type { Outgoing, OutgoingRequest } from '../sandbox/webhooks/outgoing.ts';

export { createManualClock } from '../sandbox/core/clock.ts';
export {
  verifyWebhook,
  WebhookError,
  type WebhookErrorCode,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookKey,
} from '../sandbox/webhooks/verify.ts';
export type { Clock, Outgoing, OutgoingRequest };

/** What a sandbox can be asked to be; everything may be left out. */
export type SandboxOptions = {
  /** Who pays the fees. Default `merchant`. */
  feeBearer?: 'merchant' | 'buyer';
  /** Payment attempts an intent allows, 1 to 20. Default 5. */
  attempts?: number;
  /** Whether a failed attempt holds its intent until it is released. */
  holdFailedAttempts?: boolean;
  /** Requests of the browser a minute, by address and route. Default 60. */
  clientRateLimit?: number;
  /** Requests of the server a minute, by account and route. Default 1200. */
  serverRateLimit?: number;
  /** Makes chance and ids repeatable, and so to be guessed. For tests alone. */
  seed?: number;
  /** A file that keeps everything; begun where it does not exist. One sandbox at a time. */
  state?: string;
  /** Time. Default: the machine's own. */
  clock?: Clock;
  /** Where webhooks go. Default: over sockets, to their URLs. */
  outgoing?: Outgoing;
  /** Whether a webhook endpoint may be on this machine, by any port and without TLS. Default true. */
  allowLocalWebhooks?: boolean;
};

/** A service of its own, with one account. */
export type Sandbox = {
  /** Answers one request, as `fetch` would. Rejects where a connection would be cut. */
  fetch(request: Request, peer?: { address: string }): Promise<Response>;
  /** Whether the connection that has just been made is to be reset; for who brings a server of his own. */
  refusesConnection(): boolean;
  /** The account's. */
  keys: { publishable: string; secret: string };
  /** Whether a seed makes its ids and client secrets repeatable. */
  isSeeded: boolean;
  /** Ends all that waits. Resolves when its state is in its file. */
  close(): Promise<void>;
};

/** A service that listens. `url` is what `loadCardForm` takes. */
export type RunningSandbox = { url: string; port: number; close(): Promise<void> };

/**
 * A service, empty. An option that is wrong throws and says what was expected.
 *
 * @example
 * const sandbox = createSandbox({ attempts: 2 });
 * const response = await sandbox.fetch(new Request('http://sandbox.invalid/partner/v1/payment_intents', {
 *   method: 'POST',
 *   headers: { Authorization: `Bearer ${sandbox.keys.secret}`, 'Content-Type': 'application/json' },
 *   body: JSON.stringify(order),
 * }));
 */
export const createSandbox: (options?: SandboxOptions) => Sandbox = create;

/** Built files lie beside this program's folder, in folders that mirror their addresses. */
const files = fileURLToPath(new URL('..', import.meta.url));

/**
 * Serves a sandbox together with the card form. Port 0 takes any that is free; default 4010. Only this machine is
 * let in unless `host` says otherwise; `names` are hosts it answers to besides, as behind a proxy.
 *
 * @example
 * const service = await listen(createSandbox(), { port: 0 });
 */
export const listen = (
  sandbox: Sandbox,
  options: { port?: number; host?: string; names?: readonly string[] } = {},
): Promise<RunningSandbox> => listenAt(sandbox, { ...options, root: files });
