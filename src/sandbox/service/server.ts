/**
 * Serves the sandbox on real sockets. No other file uses sockets. A real socket can be destroyed after the service has
 * acted, which request interception in a browser cannot simulate.
 */
import { createServer, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { getRequestListener, type Http2Bindings, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { OptionError } from '../../api/command/option-error.ts';
import { sandboxSigner } from '../../api/served/signature.ts';
import { randomControlToken } from './core/control-token.ts';
import { RefusedRequest } from './core/errors.ts';
import { acceptsHost, type ControlGuard, exposureWarning, isLoopbackOnly } from './core/loopback.ts';
import { SERVICE_PORT } from './core/ports.ts';
import { errorResponse, json } from './core/response.ts';
import { readBuiltFiles } from './http/built-files.ts';
import { createInspectorFiles } from './http/inspector-files.ts';
import { createPlaygroundFiles } from './http/playground-files.ts';
import { REPORTS } from './http/report-routes.ts';
import { createStartPage } from './http/start-page.ts';
import { createStaticFiles } from './http/static-files.ts';
import type { Sandbox } from './sandbox.ts';
import { addressUnreadable, answerUnreadable, hostMissing } from './unreadable.ts';

/**
 * How long an idle connection is kept, in ms: the same as in nginx. Node's default of five seconds may end a connection
 * just as a busy merchant's server sends a request over it, which is then reset.
 */
const KEEP_ALIVE = 75_000;

/**
 * How long a request's head and the whole request may take to arrive, and how often this is checked, in ms. Without a
 * limit, a caller that sends a byte now and then could hold a connection forever.
 */
export const SLOWEST_REQUEST = { head: 15_000, request: 60_000, look: 5_000 };

/**
 * Serves a sandbox and the built files of the card form below `root`, which are read once at startup. `names` are host
 * names to accept in addition to this machine's, for a proxy that passes the `Host` on, or for another machine. With a
 * `host` beyond loopback, or with `names`, the control routes require `token` (contract 6.3).
 */
export const listen = async (
  sandbox: Sandbox,
  options: {
    port?: number;
    host?: string;
    root?: string;
    names?: readonly string[];
    token?: string;
    /** Returns the URL of the demo shop, if there is one. Called for each request. */
    shop?: () => string | undefined;
    slowest?: typeof SLOWEST_REQUEST;
  } = {},
): Promise<{
  url: string;
  port: number;
  /** The `integrity` value for a script tag: the public key with which the sandbox signs the loader. */
  integrity: string;
  /** The token that control routes require; `null` if only this machine can reach the sandbox. */
  controlToken: string | null;
  /** The URLs at which other machines can reach the sandbox, as far as this machine knows. */
  elsewhere: readonly string[];
  close(): Promise<void>;
}> => {
  const { port = SERVICE_PORT, host = '127.0.0.1', root, names = [], token = randomControlToken() } = options;
  const { shop = () => undefined, slowest = SLOWEST_REQUEST } = options;
  const guard: ControlGuard = isLoopbackOnly(host) && names.length === 0 ? null : { token };
  const built = root === undefined ? null : await readBuiltFiles(root);
  const files =
    built &&
    createStaticFiles(built, {
      reportsTo: sandbox.collectsReports ? REPORTS : null,
      appSchemes: sandbox.appSchemes,
    });
  const inspector = built && createInspectorFiles(built);
  const playground = built && createPlaygroundFiles(built, sandbox.keys.publishable);
  const startPage = built && createStartPage({ keys: sandbox.keys, shop });
  const warning = exposureWarning(host, sandbox.isSeeded);
  if (warning !== null) process.emitWarning(warning, 'SandboxWarning');

  const respond = async (
    request: Request,
    incoming: HttpBindings['incoming'] | Http2Bindings['incoming'],
  ): Promise<Response> => {
    const requested = request.headers.get('host');
    if (requested === null) return hostMissing();
    if (hasUnclearBody(incoming)) return codingRefused();
    const isAccepted = (name: string) => acceptsHost(name, { host, names });
    // A request target may contain a host, which takes precedence over the header (RFC 9112, 3.2.2).
    if (!isAccepted(requested) || !isAccepted(new URL(request.url).host)) return hostRefused();
    const address = incoming.socket.remoteAddress ?? '';
    return (
      (await files?.(request)) ??
      (await inspector?.(request, address, guard)) ??
      (await playground?.(request, address, guard)) ??
      startPage?.(request, address, guard) ??
      (await sandbox.fetch(request, { address, guard, repeatedHeaders: repeatedIn(incoming.rawHeaders) }))
    );
  };

  const listener = getRequestListener(
    async (request: Request, { incoming, outgoing }: HttpBindings | Http2Bindings) => {
      try {
        return await sendResponse(await respond(request, incoming), outgoing);
      } catch (error) {
        if (isDisconnected(error, request)) {
          if (wasRefused(error)) incoming.socket.resetAndDestroy();
          else incoming.socket.destroy();
          return RESPONSE_ALREADY_SENT;
        }
        return json(
          {
            error: {
              type: 'api_error',
              code: 'internal_error',
              message: `The sandbox failed: ${nameOf(error)}.`,
            },
          },
          500,
        );
      }
    },
    {
      // A test that starts a server must keep the platform's own Request and Response.
      overrideGlobalObjects: false,
      // For requests without `Host`, so that they reach `respond`.
      hostname: 'localhost',
      errorHandler: addressUnreadable,
    },
  );
  const server = createServer(
    {
      requireHostHeader: false,
      headersTimeout: slowest.head,
      requestTimeout: slowest.request,
      connectionsCheckingInterval: slowest.look,
    },
    listener,
  );
  answerUnreadable(server);
  server.keepAliveTimeout = KEEP_ALIVE;

  // A listening port cannot refuse connections. A reset before any byte is read comes closest.
  server.on('connection', (socket: Socket) => {
    if (sandbox.refusesConnection()) socket.resetAndDestroy();
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: Error & { code?: string }) => {
      const problem = problemOfListening(error.code, port, host);
      reject(problem === null ? error : new OptionError(problem));
    });
    server.listen(port, host, resolve);
  });

  const bound = portOf(server.address());
  return {
    url: urlAt(EVERY_ADDRESS[host] ?? host, bound),
    port: bound,
    integrity: sandboxSigner().integrity,
    controlToken: guard?.token ?? null,
    elsewhere:
      EVERY_ADDRESS[host] === undefined ? [] : ownAddresses().map((address) => urlAt(address, bound)),
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
};

/** The addresses that stand for all addresses of this machine, each with the one that local programs use. */
const EVERY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

const urlAt = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** This machine's IPv4 addresses in its networks. */
const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.flatMap(({ family, internal, address }) => (family === 'IPv4' && !internal ? [address] : [])),
  );

/** Returns the names of the headers that a request has more than once. `raw` alternates names and values. */
const repeatedIn = (raw: readonly string[]): string[] => {
  const names = raw.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  return names.filter((name, index) => names.indexOf(name) !== index);
};

/**
 * Returns true if a proxy may read the body differently: HTTP/1.0 has no chunks, and Node does not decode a coding that
 * precedes them. Node itself refuses other ambiguous bodies.
 */
const hasUnclearBody = ({
  headers,
  httpVersion,
}: HttpBindings['incoming'] | Http2Bindings['incoming']): boolean => {
  const coding = headers['transfer-encoding'];
  return coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0');
};

/** Closes the connection, since the start of the next request is unknown. */
const codingRefused = (): Response => {
  const response = errorResponse(
    new RefusedRequest(
      'validation_error',
      'Transfer-Encoding must be "chunked", in HTTP/1.1; got another. Send Content-Length.',
      { param: 'Transfer-Encoding' },
    ),
  );
  response.headers.set('connection', 'close');
  return response;
};

/** The message omits the Host, which an attacker may have chosen. */
const hostRefused = (): Response =>
  json(
    {
      error: {
        type: 'invalid_request_error',
        code: 'host_refused',
        message:
          'The sandbox does not answer to this Host, which may be the name of any site (DNS rebinding). Use localhost or an address, or start the sandbox with --allow-host <name>, or listen(…, { names }).',
      },
    },
    403,
  );

/**
 * Sends a response. If its body breaks off, sends what there is and closes the socket, so that Content-Length promises
 * more than arrives, as when a network fails midway.
 */
const sendResponse = async (
  response: Response,
  outgoing: HttpBindings['outgoing'] | Http2Bindings['outgoing'],
): Promise<Response> => {
  if (response.body === null || !response.headers.has('content-length')) return response;
  const chunks: Uint8Array[] = [];
  const reader = response.body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
  } catch (error) {
    if (!isCut(error) || !(outgoing instanceof ServerResponse)) throw error;
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.flushHeaders();
    if (chunks.length > 0) outgoing.write(Buffer.concat(chunks));
    outgoing.socket?.destroySoon();
    return RESPONSE_ALREADY_SENT;
  }
  return new Response(Buffer.concat(chunks), response);
};

/** Returns true if the connection must be reset, as if it had been refused. */
const wasRefused = (error: unknown): boolean =>
  error instanceof Error && isCut(error) && 'refused' in error && error.refused === true;

const isCut = (error: unknown): boolean => error instanceof Error && error.name === 'ConnectionCut';

/** Returns true if the sandbox or the caller closed the connection, so that nobody is left to respond to. */
const isDisconnected = (error: unknown, request: Request): boolean => isCut(error) || request.signal.aborted;

const nameOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown reason');

const portOf = (address: AddressInfo | string | null): number => {
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
};

/** Returns a message for an error that an option can avoid, or `null` for any other error. */
const problemOfListening = (code: string | undefined, port: number, host: string): string | null => {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use. Stop the program that holds it, or choose another port with --port <n> (or the environment variable CARD_FORM_SANDBOX_PORT).`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address ${host} to listen on. Use --host 0.0.0.0 for all of its addresses.`;
    default:
      return null;
  }
};
