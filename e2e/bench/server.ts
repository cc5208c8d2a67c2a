/**
 * One server for every host name: TLS 1.3, HTTP/2, brotli. The service's host has the built files and the sandbox's
 * client routes; other hosts have the files of a contestant.
 */
import { createHash, X509Certificate } from 'node:crypto';
import { request as ask } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type ServerHttp2Session } from 'node:http2';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { createCertificate } from '../hosting/certificate.ts';
import { createSandbox, listen } from '../support/built-modules.mjs';

/** Two sites, and therefore two processes, like shop and service (contract 2). */
export const SHOP = 'shop.test';
export const PAY = 'pay.test';

export type Answer = { status?: number; headers?: Record<string, string>; body?: string };

/** The response of a host at a path. */
export type Site = (path: string, method: string) => Answer | undefined;

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

/** Answers every request and records those without a response. */
export const startServer = async () => {
  const sandbox = createSandbox({ clientRateLimit: 1_000_000, serverRateLimit: 1_000_000 });
  const service = await listen(sandbox, { port: 0, root: DIST, names: [PAY] });
  const sites = new Map<string, Site>();
  const compressed = new Map<string, Buffer>();
  const missed: string[] = [];
  const sessions = new Set<ServerHttp2Session>();
  let holds: ((path: string) => boolean) | null = null;
  let release: () => void = () => undefined;
  let released = Promise.resolve();

  const brotli = (text: string): Buffer => {
    const known = compressed.get(text) ?? brotliCompressSync(text);
    compressed.set(text, known);
    return known;
  };

  const answerOf = async (request: Http2ServerRequest, host: string): Promise<Response> => {
    const { method, url: path } = request;
    if (host === PAY) return passOn(service.port, request, await bodyOf(request));
    const answer = sites.get(host)?.(path, method);
    if (!answer) {
      missed.push(`${method} https://${host}${path}`);
      return new Response(null, { status: 404 });
    }
    const { status = 200, headers = {}, body } = answer;
    if (body === undefined) return new Response(null, { status, headers });
    return new Response(new Uint8Array(brotli(body)), {
      status,
      headers: { ...headers, 'content-encoding': 'br' },
    });
  };

  const { key, certificate } = createCertificate();
  const server = createSecureServer(
    { key, cert: certificate, minVersion: 'TLSv1.3', maxSessionMemory: 100 },
    async (request, response) => {
      const host = request.authority.replace(/:\d+$/, '');
      try {
        if (holds?.(request.url)) await released;
        const answer = await answerOf(request, host);
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        response.end(Buffer.from(await answer.arrayBuffer()));
      } catch (error) {
        missed.push(`${host}${request.url} failed: ${error}`);
        response.stream.close();
      }
    },
  );
  server.on('secureConnection', (socket) => socket.setMaxSendFragment(4096)); // as docs/hosting.md advises
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The server has no port.');
  const publicKey = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });

  return {
    port: address.port,
    /** The fingerprint by which a browser trusts this server's certificate and no other. */
    trust: createHash('sha256').update(publicKey).digest('base64'),
    publishableKey: sandbox.keys.publishable,
    /** Requests without a response. */
    missed,
    put: (host: string, site: Site) => sites.set(host, site),
    hosts: () => [PAY, ...sites.keys()],
    /** Holds every request whose path matches, until the returned function is called. */
    hold(which: (path: string) => boolean): () => void {
      holds = which;
      released = new Promise((resolve) => {
        release = resolve;
      });
      return () => {
        holds = null;
        release();
      };
    },
    /** Creates an intent as the merchant's server does, and returns the client secret. */
    async createIntent(order: object): Promise<string> {
      const answer = await fetch(`${service.url}/partner/v1/payment_intents`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${sandbox.keys.secret}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(order),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`The sandbox made no intent: ${answer.status} ${text}`);
      return JSON.parse(text).client_secret;
    },
    async stop() {
      release();
      for (const session of sessions) session.destroy();
      await new Promise((resolve) => server.close(resolve));
      sandbox.close();
      await service.close();
    },
  };
};

export type BenchServer = Awaited<ReturnType<typeof startServer>>;

const bodyOf = async (request: Http2ServerRequest): Promise<Uint8Array<ArrayBuffer>> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return new Uint8Array(Buffer.concat(parts));
};

/** Passes a request to the sandbox under the service's host name, like a proxy that terminates TLS. */
const passOn = (
  port: number,
  { method, url, headers }: Http2ServerRequest,
  body: Uint8Array,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const plain = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':')));
    const asked = ask(
      { port, host: '127.0.0.1', method, path: url, headers: { ...plain, host: PAY } },
      async (answer) => {
        const parts: Buffer[] = [];
        for await (const part of answer) parts.push(part);
        const own = ['connection', 'keep-alive', 'transfer-encoding'];
        const kept = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
          own.includes(name) || value === undefined ? [] : [[name, String(value)]],
        );
        const status = answer.statusCode ?? 502;
        const text = new Uint8Array(Buffer.concat(parts));
        resolve(new Response(status === 204 || status === 304 ? null : text, { status, headers: kept }));
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
