/** The server's answers to messages that never become a `Request`: errors as JSON, like all others (contract S16.1). */
import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { RefusedRequest } from './core/errors.ts';
import { errorResponse } from './core/response.ts';
import { noSuchRoute } from './http/client-routes.ts';

/** The response to a request whose target cannot be parsed, such as `OPTIONS *`: it names no route. */
export const addressUnreadable = (): Response => errorResponse(noSuchRoute());

/** The response to a request without `Host`, which may be meant for any site. */
export const hostMissing = (): Response =>
  errorResponse(
    new RefusedRequest('validation_error', 'The request must have a Host header; got none.', {
      param: 'Host',
    }),
  );

/** Answers the requests that Node would answer without a body or not at all. */
export const answerUnreadable = (server: Server): void => {
  /** Connections with an unanswered request. */
  const answering = new WeakSet<Duplex>();
  server.on('request', ({ socket }, outgoing) => {
    answering.add(socket);
    outgoing.on('close', () => answering.delete(socket));
  });

  server.on('clientError', (_error, socket) => {
    // The caller would take this answer for the one to its earlier request, so don't send it.
    if (answering.has(socket) || !socket.writable) socket.destroy();
    else
      void end(
        socket,
        new RefusedRequest(
          'validation_error',
          'The request must be readable as HTTP/1.1 and arrive in time.',
        ),
      );
  });

  server.on('connect', (_request, socket) => void end(socket, noSuchRoute()));

  server.on('checkExpectation', async (_request, outgoing) => {
    const refusal = errorResponse(
      new RefusedRequest(
        'validation_error',
        'The Expect header must be "100-continue"; got something else.',
        {
          param: 'Expect',
        },
      ),
    );
    const text = await refusal.text();
    outgoing.writeHead(refusal.status, { ...Object.fromEntries(refusal.headers), connection: 'close' });
    outgoing.end(text);
  });
};

/** Answers on the bare connection and closes it. */
const end = async (socket: Duplex, error: RefusedRequest): Promise<void> => {
  socket.on('error', () => socket.destroy());
  const response = errorResponse(error);
  const text = await response.text();
  const head = [
    `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}`,
    ...[...response.headers].map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
};
