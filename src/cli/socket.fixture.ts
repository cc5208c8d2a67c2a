/** For tests over real connections: a client that reports how much of a response arrived. */
import { type Agent, request } from 'node:http';

/** Result of a request; `whole` is true if the body was complete. */
export type SocketResult =
  | { status: number; retryAfter: string | undefined; type: string | undefined; text: string; whole: boolean }
  | { failed: string };

/** Sends a request over a new connection, or one of the agent's. Never rejects. */
export const sendOverSocket = (
  url: string,
  {
    method,
    key,
    body,
    headers = {},
    agent = false,
    signal,
  }: {
    method: string;
    key?: string;
    body?: unknown;
    headers?: Readonly<Record<string, string>>;
    agent?: Agent | false;
    signal?: AbortSignal;
  },
): Promise<SocketResult> =>
  new Promise((resolve) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const sending = request(url, {
      agent,
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        ...headers,
      },
      ...(signal ? { signal } : {}),
    });
    sending.on('error', (error: Error & { code?: string }) => resolve({ failed: error.code ?? error.name }));
    sending.on('response', (response) => {
      let heard = '';
      response.on('data', (chunk) => {
        heard += chunk;
      });
      response.on('error', () => undefined); // `complete` reports it
      response.on('close', () =>
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'],
          type: response.headers['content-type'],
          text: heard,
          whole: response.complete,
        }),
      );
    });
    sending.end(text);
  });
