/**
 * The way between browser and service, in the hands of a test: a second address of the service whose connections
 * die when a test wants them to. It counts what arrives on the proxy, which no interception inside a browser sees:
 * a browser repeats a POST whose reused connection died before an answer, and tells nobody (research 0.1).
 */
import {
  createServer,
  request as forward,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** How the connection of one delivery ends instead of carrying an answer. */
export type Cut = {
  /** Whether the service gets the request: not at all, and its answer is lost, or while the connection dies. */
  acts: 'no' | 'first' | 'meanwhile';
  /** The browser learns of the end by a FIN or by a reset. */
  by: 'fin' | 'reset';
};

/** One arrival of a request at the proxy. */
export type Delivery = {
  route: string;
  /** It came on a connection that had carried a request before. */
  warm: boolean;
  /** What befell it; null when it was answered. */
  cut: Cut | null;
};

/** What befalls the deliveries of one payment, in order of arrival; null and those after the last get through. */
export type Fate = {
  confirm: readonly (Cut | null)[];
  /** Of the reads that come after a confirm. */
  retrieve: readonly (Cut | null)[];
};

type Answer = { status: number; headers: OutgoingHttpHeaders; body: Buffer };

type Watched = { confirm: (Cut | null)[]; retrieve: (Cut | null)[]; seen: Delivery[] };

/** Opens another way to the service at `service`. */
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
  // Longer than a buyer takes, so that a confirm travels on a connection that has been used.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => {
    server.listen(0, 'localhost', resolve);
  });

  return {
    url: `http://localhost:${portOf(server.address())}`,

    /** From now on this befalls the payment; returns what arrives, as it arrives. */
    watch(clientSecret: string, { confirm, retrieve }: Fate): readonly Delivery[] {
      const seen: Delivery[] = [];
      watched.set(clientSecret, { confirm: [...confirm], retrieve: [...retrieve], seen });
      return seen;
    },

    /** From now on a captive portal sends what the form asks to this address; null ends it. */
    redirect(to: string | null) {
      portal = to;
    },
    /** The routes that the portal was asked for. */
    redirected: (): readonly string[] => redirected,
    /** The path of every request so far. */
    arrived: (): readonly string[] => arrived,

    /** Until the service is through with all that arrived, also where nobody waits for the answer. */
    async settled() {
      await Promise.all(carried);
    },

    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
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

/** Asks the service on a connection of its own, so that nothing here is repeated or cut short. */
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

const portOf = (address: AddressInfo | string | null): number => {
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return address.port;
};
