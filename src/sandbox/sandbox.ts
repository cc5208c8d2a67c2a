/**
 * The whole payment service, locally: a function from `Request` to `Response` that remembers.
 *
 * This folder implements docs/contract.md. It knows nothing of the card
 * form: it is the other side, and must be able to prove the form wrong. Time and chance are arguments; sockets
 * and files are known to `server.ts` alone, so a test can call the service without a network.
 */
import { createApp } from './app.ts';
import type { Service } from './http/service.ts';
import { type SandboxOptions, settingsOf } from './options.ts';
import { createService, SANDBOX_KEYS } from './service.ts';

export type { SandboxOptions } from './options.ts';
export type { Outgoing, OutgoingRequest } from './webhooks/outgoing.ts';
export {
  verifyWebhook,
  WebhookError,
  type WebhookErrorCode,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookKey,
} from './webhooks/verify.ts';

/** A running service. */
export type Sandbox = {
  /**
   * Answers one request. Rejects with an error named `ConnectionCut` where a socket would be destroyed, and with
   * the request's own reason when its signal aborts, whatever the service then still does.
   */
  fetch(request: Request, peer?: { address: string }): Promise<Response>;
  /** Whether the connection that has just been made is to be reset. Asked once for each. */
  refusesConnection(): boolean;
  keys: { publishable: string; secret: string };
  /** Whether a seed makes its ids and client secrets repeatable, and so to be guessed. For tests alone. */
  isSeeded: boolean;
  /** Ends all pending waits; their callers see the connection cut. Resolves when its state is in its file. */
  close(): Promise<void>;
};

/** The address of callers in the same process. */
const IN_PROCESS = { address: '127.0.0.1' };

/** A service of its own with one account, empty otherwise. */
export const createSandbox = (options: SandboxOptions = {}): Sandbox =>
  sandboxOver(createService(settingsOf(options)));

/** A sandbox over a service that somebody has already furnished. */
export const sandboxOver = (service: Service): Sandbox => {
  const app = createApp(service);
  return {
    fetch: async (request, peer = IN_PROCESS) => {
      request.signal.throwIfAborted();
      return unlessAborted(Promise.resolve(app.fetch(request, { address: peer.address })), request.signal);
    },
    refusesConnection: service.faults.refusesConnection,
    keys: { ...SANDBOX_KEYS },
    isSeeded: service.isSeeded,
    close: service.close,
  };
};

/** An aborted fetch fails at once, as in a browser; the service goes on with what it has begun, as over a network. */
const unlessAborted = (answer: Promise<Response>, signal: AbortSignal): Promise<Response> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
