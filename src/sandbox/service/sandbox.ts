/**
 * The whole payment service as a local, stateful function from `Request` to `Response`.
 *
 * This folder implements docs/contract.md. It imports nothing from the card form, so that it can prove the form wrong.
 * Time and randomness are arguments, and only `server.ts` uses sockets, so that tests can call the service without a
 * network.
 */

import type { AppScheme } from '../../api/served/app-schemes.ts';
import { createApp } from './app.ts';
import type { ControlGuard } from './core/loopback.ts';
import type { Service } from './http/service.ts';
import { type SandboxOptions, settingsOf } from './options.ts';
import { createService } from './service.ts';

export type { SandboxOptions } from './options.ts';
export type { Outgoing, OutgoingRequest } from './webhooks/outgoing.ts';

/**
 * The sender of a request. `guard` is the token that control routes require; without one, they accept only callers on
 * this machine. `repeatedHeaders` are the names of headers sent more than once, in lower case, since `Headers` joins
 * them into one.
 */
export type Peer = { address: string; guard?: ControlGuard; repeatedHeaders?: readonly string[] };

/** A running service. */
export type Sandbox = {
  /**
   * Answers one request. Rejects with an error named `ConnectionCut` if a server would destroy the socket, and with the
   * signal's reason if the request's signal aborts. An aborted request is still processed.
   */
  fetch(request: Request, peer?: Peer): Promise<Response>;
  /** Returns true if a new connection must be reset. Call it once per connection. */
  refusesConnection(): boolean;
  keys: { publishable: string; secret: string };
  /** True if a seed makes ids and client secrets predictable. For tests only. */
  isSeeded: boolean;
  /** True if it accepts browsers' violation reports, at `REPORTS`. */
  collectsReports: boolean;
  /** The URL schemes of apps whose pages may embed the form. */
  appSchemes: readonly AppScheme[];
  /** Ends all pending waits with a cut connection. Resolves when the state is saved. */
  close(): Promise<void>;
};

/** The address of callers in the same process. */
const IN_PROCESS: Peer = { address: '127.0.0.1' };

/** Creates a service with one account and no payments. */
export const createSandbox = (options: SandboxOptions = {}): Sandbox =>
  sandboxOver(createService(settingsOf(options)));

/**
 * Returns the first pair of keys of the first account. The keys of a state file may differ from those of the options.
 */
const firstKeys = ({ store }: Service): Sandbox['keys'] => {
  const [account] = store.accounts.keys();
  const keyOf = (kind: 'publishable' | 'secret') =>
    [...store.keys].find(([, key]) => key.account === account && key.kind === kind)?.[0] ?? '';
  return { publishable: keyOf('publishable'), secret: keyOf('secret') };
};

/** Creates a sandbox for an existing service. */
export const sandboxOver = (service: Service): Sandbox => {
  const app = createApp(service);
  return {
    fetch: async (request, peer = IN_PROCESS) => {
      request.signal.throwIfAborted();
      return unlessAborted(
        Promise.resolve(app.fetch(request, { guard: null, repeatedHeaders: [], ...peer })),
        request.signal,
      );
    },
    refusesConnection: service.faults.refusesConnection,
    keys: firstKeys(service),
    isSeeded: service.isSeeded,
    collectsReports: service.reportLog !== null,
    appSchemes: service.appSchemes,
    close: service.close,
  };
};

/** Rejects at once if the fetch is aborted, as in a browser. The service still finishes its work, as over a network. */
const unlessAborted = (response: Promise<Response>, signal: AbortSignal): Promise<Response> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    response.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
