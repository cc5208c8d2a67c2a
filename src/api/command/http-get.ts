import { type IncomingMessage, request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { buffer } from 'node:stream/consumers';
import * as zlib from 'node:zlib';

/** A response. Header names are in lower case; repeated headers are joined with `, `. */
export type GetResponse = { status: number; headers: Readonly<Record<string, string>>; body: Buffer };

/** Sends one GET request and decompresses its body. Rejects if no readable response arrives within ten seconds. */
export type HttpGet = (url: string, headers: Readonly<Record<string, string>>) => Promise<GetResponse>;

type Headers = Readonly<Record<string, string>>;

const TIMEOUT_MS = 10_000;

/** This Node's decompressors by content coding. Node has zstd since 22.15; the types of Node 20 don't know it. */
const DECOMPRESSORS: ReadonlyMap<string, (body: Buffer) => unknown> = (() => {
  const zstd = new Map<string, unknown>(Object.entries(zlib)).get('zstdDecompressSync');
  return new Map<string, (body: Buffer) => unknown>([
    ['gzip', zlib.gunzipSync],
    ['deflate', zlib.inflateSync],
    ['br', zlib.brotliDecompressSync],
    ...(typeof zstd === 'function' ? [['zstd', (body: Buffer): unknown => zstd(body)] as const] : []),
  ]);
})();

/** Content codings that `HttpGet` can decode. */
export const READABLE_CODINGS: readonly string[] = [...DECOMPRESSORS.keys()];

/**
 * Sends one request with only the given headers, and returns the response unprocessed. `fetch` would follow redirects,
 * decompress, and add headers by which a server could treat this program differently from a browser. Like a browser,
 * repeats only a GET, and only if the server closed the reused connection.
 */
export const exchange = async (
  url: string,
  options: RequestOptions,
  sentBody?: Buffer,
): Promise<GetResponse> => {
  const send = (): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const request = url.startsWith('https:') ? requestHttps : requestHttp;
      const sent = request(url, options, resolve);
      sent.on('error', (error: NodeJS.ErrnoException) => {
        const isRepeated = sent.method === 'GET' && sent.reusedSocket && error.code === 'ECONNRESET';
        if (isRepeated) send().then(resolve, reject);
        else reject(error);
      });
      sent.end(sentBody);
    });
  const response = await send();
  const body = await buffer(response);
  const named = Object.entries(response.headersDistinct);
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(named.map(([name, values = []]) => [name, values.join(', ')])),
    body,
  };
};

export const httpGet: HttpGet = (url, headers) => getVia(null, url, headers);

/** Sends the requests to one node, such as `10.0.0.2` or `edge-a.example:8443`, under the host name in their URL. */
export const httpGetVia = (node: string): HttpGet => {
  const via = new URL(`http://${node}`);
  // Keeps an explicit port, even if it is the scheme's default.
  const [, port = ''] = /:(\d+)$/.exec(node) ?? [];
  const named = port === '80' ? new URL(`https://${node}`) : via;
  return (url, headers) => getVia(named, url, headers);
};

const getVia = async (via: URL | null, url: string, headers: Headers): Promise<GetResponse> => {
  const { hostname, host } = new URL(url);
  const node =
    via === null
      ? { headers }
      : {
          headers: { host, ...headers },
          hostname: via.hostname.replace(/^\[|\]$/g, ''),
          ...(via.port === '' ? {} : { port: via.port }),
          ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
        };
  const { body, ...answer } = await exchange(url, { ...node, signal: AbortSignal.timeout(TIMEOUT_MS) });
  return { ...answer, body: decompress(body, answer.headers['content-encoding'] ?? 'identity') };
};

const decompress = (body: Buffer, encoding: string): Buffer => {
  if (body.length === 0 || encoding === 'identity') return body;
  const content = DECOMPRESSORS.get(encoding)?.(body);
  if (Buffer.isBuffer(content)) return content;
  throw new Error(`the content encoding ${encoding} was not offered in Accept-Encoding`);
};
