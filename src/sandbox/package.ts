/**
 * The payment service for a shop's own tests: as a function from `Request` to `Response`, and as a server that also
 * hosts the card form. The types are spelled out here, so that the package has no type dependency.
 */
import { fileURLToPath } from 'node:url';
import type { WallClock } from './service/core/clock.ts';
import { createSandbox as create } from './service/sandbox.ts';
import { listen as listenAt } from './service/server.ts';
import type { Outgoing, OutgoingRequest } from './service/webhooks/outgoing.ts';

export { createManualWallClock as createManualClock } from './service/core/manual-clock.ts';
export type { Outgoing, OutgoingRequest, WallClock as Clock };

/** All optional. */
export type SandboxOptions = {
  /** The party that pays the fees. Default `merchant`. */
  feeBearer?: 'merchant' | 'buyer';
  /** Payment attempts allowed per intent, 1 to 20. Default 5. */
  attempts?: number;
  /** Keeps an intent locked after a failed attempt until it is released. */
  holdFailedAttempts?: boolean;
  /** Time until an attempt's outcome is known, in seconds. Default 0. */
  attemptSeconds?: number;
  /** Status of an intent while an attempt runs. Default `processing`. */
  runningAttempts?: 'processing' | 'pending';
  /** Browser requests per minute, per address and route. Default 60. */
  clientRateLimit?: number;
  /** Server requests per minute, per account and route. Default 1200. */
  serverRateLimit?: number;
  /** Makes random values and ids repeatable, and so predictable. For tests only. */
  seed?: number;
  /** A file that stores all data, created if missing. Only one sandbox may use it at a time. */
  state?: string;
  /** Default: the system clock. */
  clock?: WallClock;
  /** Sends the webhooks. Default: by HTTP requests to their URLs. */
  outgoing?: Outgoing;
  /** Allows webhook endpoints at loopback addresses, on any port and without TLS. Default true. */
  allowLocalWebhooks?: boolean;
  /** Host names allowed for webhook endpoints, whatever they resolve to, on any port and without TLS. Default: none. */
  webhookHosts?: readonly string[];
  /** Has browsers send violation reports of the form's document to the sandbox. Default false. */
  reports?: boolean;
  /** Apps whose own pages may embed the form (docs/apps.md). Default none. */
  appSchemes?: readonly ('capacitor' | 'ionic' | 'tauri' | 'app')[];
};

/** An independent service with one account. */
export type Sandbox = {
  /** Answers a request like `fetch`. Rejects if the connection should be cut. */
  fetch(request: Request, peer?: { address: string }): Promise<Response>;
  /**
   * Returns true if a connection that was just opened should be reset. For running the sandbox behind your own server.
   */
  refusesConnection(): boolean;
  /** The account's API keys. */
  keys: { publishable: string; secret: string };
  /** True if a seed makes ids and client secrets repeatable. */
  isSeeded: boolean;
  /** True if it accepts browsers' violation reports, at `/reports`. */
  collectsReports: boolean;
  /** Schemes of apps whose pages may embed the form. */
  appSchemes: readonly ('capacitor' | 'ionic' | 'tauri' | 'app')[];
  /** Cancels all scheduled work. Resolves when the data is in the `state` file. */
  close(): Promise<void>;
};

/**
 * A running server. `url` is the `baseUrl` for `loadCardForm`. The control routes require `controlToken` as
 * `Authorization: Bearer …`; it is `null` if only this machine can reach the sandbox.
 */
export type RunningSandbox = {
  url: string;
  port: number;
  controlToken: string | null;
  close(): Promise<void>;
};

/**
 * Creates an empty service. Throws if an option is invalid; the message says what was expected.
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

/** Folder of the built files, stored by address. */
const files = fileURLToPath(new URL('..', import.meta.url));

/**
 * Serves a sandbox together with the card form. `port` defaults to 4010; 0 picks a free one. Listens on the loopback
 * interface unless `host` is given. `names` are further host names it answers to, for use behind a proxy. With `host`
 * or `names`, the control routes require `token`, or a random one.
 *
 * @example
 * const service = await listen(createSandbox(), { port: 0 });
 */
export const listen = (
  sandbox: Sandbox,
  options: { port?: number; host?: string; names?: readonly string[]; token?: string } = {},
): Promise<RunningSandbox> => listenAt(sandbox, { ...options, root: files });
