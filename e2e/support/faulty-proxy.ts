/**
 * A proxy in front of the service that cuts connections as a test specifies. It counts the requests that arrive, which
 * interception in the browser can't do: a browser silently repeats a POST if a reused connection dies before the answer
 * (outcomes 1.1).
 */
import {
  createServer,
  request as forward,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { listening } from './listening.ts';

/** How the connection of one delivery is cut before its answer. */
export type Cut = {
  /** When the service acts: not at all, before the cut (its answer is lost), or while the connection is being cut. */
  acts: 'no' | 'first' | 'meanwhile';
  /** The browser learns of the end through a FIN or a reset. */
  by: 'fin' | 'reset';
};

/** One request arriving at the proxy. */
export type Delivery = {
  route: string;
  /** It came on a connection that had already carried a request. */
  warm: boolean;
  /** How it was cut; null if it was answered. */
  cut: Cut | null;
};

/** Cuts for the deliveries of one payment, in order of arrival. Null entries, and all later deliveries, get through. */
export type Fate = {
  confirm: readonly (Cut | null)[];
  /** Cuts for the retrieves that follow a confirm. */
  retrieve: readonly (Cut | null)[];
};

type Answer = { status: number; headers: OutgoingHttpHeaders; body: Buffer };

type Watched = { confirm: (Cut | null)[]; retrieve: (Cut | null)[]; seen: Delivery[] };

/** Starts the proxy in front of `service`. */
export const startFaultyProxy = async (service: string) => {
  const watched = new Map<string, Watched>();
  const used = new WeakSet<Socket>();
  const carried = new Set<Promise<void>>();
  const arrived: string[] = [];
  const redirected: string[] = [];
  let portal: string | null = null;

  const carry = async (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const warm = used.has(socket);
    used.add(socket);
    const body = await bodyOf(request);
    const path = request.url ?? '';
    arrived.push(path);
    const route = path.replace(/^.*\//, '');
    if (portal !== null && path.includes('/client/')) {
      redirected.push(route);
      // 307 keeps method and body, and with them the secret.
      response.writeHead(307, { Location: portal }).end();
      return;
    }
    const payment = watched.get(secretIn(body));
    const cut = payment ? nextCut(payment, route) : null;
    payment?.seen.push({ route, warm, cut });

    if (!cut) {
      const answer = await ask(service, request, body);
      response.writeHead(answer.status, answer.headers).end(answer.body);
      return;
    }
    const acted = cut.acts === 'no' ? null : ask(service, request, body);
    if (cut.acts === 'first') await acted;
    if (cut.by === 'reset') socket.resetAndDestroy();
    else socket.destroy();
    await acted;
  };

  const server = createServer((request, response) => {
    const one = carry(request, response)
      .catch(() => {
        response.destroy();
      })
      .finally(() => carried.delete(one));
    carried.add(one);
  });
  // Keep-alive outlasts the buyer's typing, so that the confirm reuses a connection.
  server.keepAliveTimeout = 120_000;
  const { url, stop } = await listening(server);

  return {
    url,

    /** Cuts this payment's deliveries from now on. The returned list grows as they arrive. */
    watch(clientSecret: string, { confirm, retrieve }: Fate): readonly Delivery[] {
      const seen: Delivery[] = [];
      watched.set(clientSecret, { confirm: [...confirm], retrieve: [...retrieve], seen });
      return seen;
    },

    /** Redirects the form's requests to this address, like a captive portal, until called with null. */
    redirect(to: string | null) {
      portal = to;
    },
    /** The routes that were redirected. */
    redirected: (): readonly string[] => redirected,
    /** The path of every request so far. */
    arrived: (): readonly string[] => arrived,

    /** Resolves once the service has handled every request that arrived, including those whose client has gone. */
    async settled() {
      await Promise.all(carried);
    },

    stop,
  };
};

export type FaultyProxy = Awaited<ReturnType<typeof startFaultyProxy>>;

const nextCut = ({ confirm, retrieve, seen }: Watched, route: string): Cut | null => {
  if (route === 'confirm') return confirm.shift() ?? null;
  const pressed = seen.some((delivery) => delivery.route === 'confirm');
  return (route === 'retrieve' && pressed && retrieve.shift()) || null;
};

const bodyOf = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const secretIn = (body: Buffer): string => /"client_secret":"([^"]+)"/.exec(body.toString())?.[1] ?? '';

/** Forwards on a separate connection, so that Node neither repeats nor shortens the request. */
const ask = (service: string, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Answer> =>
  new Promise((resolve, reject) => {
    forward(`${service}${url}`, { method, headers: { ...headers, connection: 'close' }, agent: false })
      .on('error', reject)
      .on('response', async (answer) => {
        const { connection, 'keep-alive': _, ...rest } = answer.headers;
        resolve({ status: answer.statusCode ?? 502, headers: rest, body: await bodyOf(answer) });
      })
      .end(body);
  });
