/**
 * Serves the sandbox on real sockets; no other file uses them. A real socket can be destroyed after the service has
 * acted, which request interception in a browser cannot show.
 */
import { ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createAdaptorServer, type Http2Bindings, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { sandboxSigner } from '../hosting/signature.ts';
import { acceptsHost, exposureWarning } from './core/loopback.ts';
import { OptionError } from './core/option-error.ts';
import { json } from './core/response.ts';
import { readBuiltFiles } from './http/built-files.ts';
import { createInspectorFiles } from './http/inspector-files.ts';
import { createStaticFiles } from './http/static-files.ts';
import type { Sandbox } from './sandbox.ts';

/**
 * Serves a sandbox and the built files of the card form below `root`, which are read once at the start. `names` are
 * host names to accept besides those of this machine, for a proxy that passes the `Host` on.
 */
export const listen = async (
  sandbox: Sandbox,
  options: { port?: number; host?: string; root?: string; names?: readonly string[] } = {},
): Promise<{
  url: string;
  port: number;
  /** The value for `integrity` in a script tag: the public key with which the sandbox signs the loader. */
  integrity: string;
  close(): Promise<void>;
}> => {
  const { port = 4010, host = '127.0.0.1', root, names = [] } = options;
  const built = root === undefined ? null : await readBuiltFiles(root);
  const files = built && createStaticFiles(built);
  const inspector = built && createInspectorFiles(built);
  const warning = exposureWarning(host, sandbox.isSeeded);
  if (warning !== null) process.emitWarning(warning, 'SandboxWarning');

  const respond = async (request: Request, address: string): Promise<Response> => {
    if (!acceptsHost(request.headers.get('host'), { host, names })) return hostRefused();
    return (
      (await files?.(request)) ??
      (await inspector?.(request, address)) ??
      (await sandbox.fetch(request, { address }))
    );
  };

  const server = createAdaptorServer({
    // A test that starts a server must keep the platform's own Request and Response.
    overrideGlobalObjects: false,
    fetch: async (request: Request, { incoming, outgoing }: HttpBindings | Http2Bindings) => {
      try {
        return await sendResponse(await respond(request, incoming.socket.remoteAddress ?? ''), outgoing);
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
  });

  // A listening port cannot refuse connections; a reset before any byte is read comes closest.
  server.on('connection', (socket: Socket) => {
    if (sandbox.refusesConnection()) socket.resetAndDestroy();
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: Error & { code?: string }) => {
      reject(error.code === 'EADDRINUSE' ? new OptionError(portInUse(port, host)) : error);
    });
    server.listen(port, host, resolve);
  });

  const bound = portOf(server.address());
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    port: bound,
    integrity: sandboxSigner().integrity,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
};

/** The message does not repeat the Host, which an attacker may have chosen. */
const hostRefused = (): Response =>
  json(
    {
      error: {
        type: 'invalid_request_error',
        code: 'host_refused',
        message:
          'The sandbox answers to localhost and to loopback addresses; the Host was another. Use one of those, or start it with listen(…, { names }).',
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

/** Whether the connection is to be reset, as if it had been refused. */
const wasRefused = (error: unknown): boolean =>
  error instanceof Error && isCut(error) && 'refused' in error && error.refused === true;

const isCut = (error: unknown): boolean => error instanceof Error && error.name === 'ConnectionCut';

/** Whether the sandbox or the caller closed the connection, so that there is nobody to respond to. */
const isDisconnected = (error: unknown, request: Request): boolean => isCut(error) || request.signal.aborted;

const nameOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown reason');

const portOf = (address: AddressInfo | string | null): number => {
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
};

const portInUse = (port: number, host: string): string =>
  `Port ${port} on ${host} is in use. Stop the program that holds it, or choose another port with --port <n> (or the environment variable CARD_FORM_SANDBOX_PORT).`;
