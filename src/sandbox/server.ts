/**
 * The sandbox on real sockets: the only file that knows them. It exists because a socket can be destroyed after
 * the service acted, which no interception inside a browser can show.
 */
import { ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createAdaptorServer, type Http2Bindings, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { sandboxSigner } from '../hosting/signature.ts';
import { json } from './core/answer.ts';
import { acceptsHost, exposureWarning } from './core/loopback.ts';
import { OptionError } from './core/option-error.ts';
import { readBuiltFiles } from './http/built-files.ts';
import { createInspectorFiles } from './http/inspector-files.ts';
import { createStaticFiles } from './http/static-files.ts';
import type { Sandbox } from './sandbox.ts';

/**
 * Serves a sandbox, and the built files of the card form as they lie below `root` at its start, until it is closed.
 * `names` are hosts it answers to besides those of this machine, as behind a proxy that passes the `Host` on.
 */
export const listen = async (
  sandbox: Sandbox,
  options: { port?: number; host?: string; root?: string; names?: readonly string[] } = {},
): Promise<{
  url: string;
  port: number;
  /** What a script tag can name as `integrity`: the sandbox signs the loader with a key of its own. */
  integrity: string;
  close(): Promise<void>;
}> => {
  const { port = 4010, host = '127.0.0.1', root, names = [] } = options;
  const built = root === undefined ? null : await readBuiltFiles(root);
  const files = built && createStaticFiles(built);
  const inspector = built && createInspectorFiles(built);
  const warning = exposureWarning(host, sandbox.isSeeded);
  if (warning !== null) process.emitWarning(warning, 'SandboxWarning');

  const answer = async (request: Request, address: string): Promise<Response> => {
    if (!acceptsHost(request.headers.get('host'), { host, names })) return hostRefused();
    return (
      (await files?.(request)) ??
      (await inspector?.(request, address)) ??
      (await sandbox.fetch(request, { address }))
    );
  };

  const server = createAdaptorServer({
    // A test that runs a server keeps the platform's own Request and Response.
    overrideGlobalObjects: false,
    fetch: async (request: Request, { incoming, outgoing }: HttpBindings | Http2Bindings) => {
      try {
        return await delivered(await answer(request, incoming.socket.remoteAddress ?? ''), outgoing);
      } catch (error) {
        if (hasGone(error, request)) {
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

  // A port that listens cannot refuse; a connection reset before a byte of it is read is the nearest to it.
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

/** The name is not repeated: it is whatever a stranger chose. */
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
 * Passes an answer on. One whose body breaks off is sent up to there and the socket closed: its length then
 * promises more than came, as when a network fails in the middle.
 */
const delivered = async (
  answer: Response,
  outgoing: HttpBindings['outgoing'] | Http2Bindings['outgoing'],
): Promise<Response> => {
  if (answer.body === null || !answer.headers.has('content-length')) return answer;
  const chunks: Uint8Array[] = [];
  const reader = answer.body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
  } catch (error) {
    if (!isCut(error) || !(outgoing instanceof ServerResponse)) throw error;
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    outgoing.flushHeaders();
    if (chunks.length > 0) outgoing.write(Buffer.concat(chunks));
    outgoing.socket?.destroySoon();
    return RESPONSE_ALREADY_SENT;
  }
  return new Response(Buffer.concat(chunks), answer);
};

/** The connection is to end as if it had never been made. */
const wasRefused = (error: unknown): boolean =>
  error instanceof Error && isCut(error) && 'refused' in error && error.refused === true;

const isCut = (error: unknown): boolean => error instanceof Error && error.name === 'ConnectionCut';

/** The sandbox cut the connection, or the caller did: either way nobody gets an answer. */
const hasGone = (error: unknown, request: Request): boolean => isCut(error) || request.signal.aborted;

const nameOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown reason');

const portOf = (address: AddressInfo | string | null): number => {
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
};

const portInUse = (port: number, host: string): string =>
  `Port ${port} on ${host} is in use. Stop the program that holds it, or choose another port with --port <n> (or the environment variable CARD_FORM_SANDBOX_PORT).`;
