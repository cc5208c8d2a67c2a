/**
 * The payment service for a shop's own tests: as a function from `Request` to `Response`, and as a server that also
 * hosts the card form. The types are spelled out here, so that the package has no type dependency.
 */
import { fileURLToPath } from 'node:url';
import type { WallClock } from '../sandbox/core/clock.ts';
import { createSandbox as create } from '../sandbox/sandbox.ts';
import { listen as listenAt } from '../sandbox/server.ts';
import type { Outgoing, OutgoingRequest } from '../sandbox/webhooks/outgoing.ts';

export { createManualWallClock as createManualClock } from '../sandbox/core/manual-clock.ts';
export type { Outgoing, OutgoingRequest, WallClock as Clock };

/** All options are optional. */
export type SandboxOptions = {
  /** Who pays the fees. Default `merchant`. */
  feeBearer?: 'merchant' | 'buyer';
  /** Payment attempts an intent allows, 1 to 20. Default 5. */
  attempts?: number;
  /** Whether a failed attempt keeps its intent locked until it is released. */
  holdFailedAttempts?: boolean;
  /** How long an attempt runs before its outcome is known, in seconds (0 by default). */
  attemptSeconds?: number;
  /** The status of an intent while an attempt runs: `processing` by default. */
  runningAttempts?: 'processing' | 'pending';
  /** Browser requests per minute, address and route. Default 60. */
  clientRateLimit?: number;
  /** Server requests per minute, account and route. Default 1200. */
  serverRateLimit?: number;
  /** Makes random values and ids repeatable, and therefore predictable. For tests only. */
  seed?: number;
  /** A file that keeps all data, created if it does not exist. Only one sandbox may use it at a time. */
  state?: string;
  /** Default: the system clock. */
  clock?: WallClock;
  /** Sends the webhooks. Default: by HTTP requests to their URLs. */
  outgoing?: Outgoing;
  /** Whether webhook endpoints may be loopback addresses, on any port and without TLS. Default true. */
  allowLocalWebhooks?: boolean;
  /** Host names at which webhook endpoints may be, wherever they lead, on any port and without TLS. Default: none. */
  webhookHosts?: readonly string[];
  /** Whether browsers send violation reports of the form's document to the sandbox. Default false. */
  reports?: boolean;
  /** Apps whose own pages may embed the form (docs/apps.md). Default none. */
  appSchemes?: readonly ('capacitor' | 'ionic' | 'tauri' | 'app')[];
};

/** An independent service with one account. */
export type Sandbox = {
  /** Answers a request, as `fetch` would. Rejects if the connection is to be cut. */
  fetch(request: Request, peer?: { address: string }): Promise<Response>;
  /** Whether to reset a connection that was just opened. For those who run it behind a server of their own. */
  refusesConnection(): boolean;
  /** The API keys of the account. */
  keys: { publishable: string; secret: string };
  /** Whether a seed makes its ids and client secrets repeatable. */
  isSeeded: boolean;
  /** Whether it takes violation reports of browsers, at `/reports`. */
  collectsReports: boolean;
  /** The schemes of apps whose pages may embed the form. */
  appSchemes: readonly ('capacitor' | 'ionic' | 'tauri' | 'app')[];
  /** Cancels everything scheduled. Resolves when the data is in the `state` file. */
  close(): Promise<void>;
};

/**
 * A running server. `url` is the `baseUrl` for `loadCardForm`. `controlToken` is what the control routes require as
 * `Authorization: Bearer …`; `null` if only this machine can reach the sandbox.
 */
export type RunningSandbox = {
  url: string;
  port: number;
  controlToken: string | null;
  close(): Promise<void>;
};

/**
 * Creates an empty service. Throws if an option is invalid and says what was expected.
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

/** The folder of the built files, which are stored by their addresses. */
const files = fileURLToPath(new URL('..', import.meta.url));

/**
 * Serves a sandbox together with the card form. `port` defaults to 4010; 0 picks a free one. Listens on the loopback
 * interface unless `host` is given. `names` are further host names it answers to, for use behind a proxy. With either,
 * the control routes require `token`, or a random one.
 *
 * @example
 * const service = await listen(createSandbox(), { port: 0 });
 */
export const listen = (
  sandbox: Sandbox,
  options: { port?: number; host?: string; names?: readonly string[]; token?: string } = {},
): Promise<RunningSandbox> => listenAt(sandbox, { ...options, root: files });
