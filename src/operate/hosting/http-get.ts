import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import * as zlib from 'node:zlib';

/** A response with its body decompressed. Header names are in lower case; repeated headers are joined with `, `. */
export type GetResponse = { status: number; headers: Readonly<Record<string, string>>; body: Buffer };

/** Sends one GET request. Rejects if no readable response arrives within ten seconds. */
export type HttpGet = (url: string, headers: Readonly<Record<string, string>>) => Promise<GetResponse>;

type Headers = Readonly<Record<string, string>>;

const TIMEOUT_MS = 10_000;

/** The decompressors of this Node by content coding. Node has zstd from 22.15 on; the types of Node 20 do not know it. */
const DECOMPRESSORS: ReadonlyMap<string, (body: Buffer) => unknown> = (() => {
  const zstd = new Map<string, unknown>(Object.entries(zlib)).get('zstdDecompressSync');
  return new Map<string, (body: Buffer) => unknown>([
    ['gzip', zlib.gunzipSync],
    ['deflate', zlib.inflateSync],
    ['br', zlib.brotliDecompressSync],
    ...(typeof zstd === 'function' ? [['zstd', (body: Buffer): unknown => zstd(body)] as const] : []),
  ]);
})();

/** The content codings that `HttpGet` reads. */
export const READABLE_CODINGS: readonly string[] = [...DECOMPRESSORS.keys()];

/** The response to one request. Like a browser, asks again if the server has closed the connection that was reused. */
const send = (
  url: string,
  headers: Readonly<Record<string, string>>,
  via: URL | null,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? requestHttps : requestHttp;
    const { hostname, host } = new URL(url);
    const node =
      via === null
        ? {}
        : {
            hostname: via.hostname.replace(/^\[|\]$/g, ''),
            ...(via.port === '' ? {} : { port: via.port }),
            ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
          };
    const sent = request(
      url,
      {
        headers: via === null ? headers : { host, ...headers },
        ...node,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      },
      resolve,
    );
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (sent.reusedSocket && error.code === 'ECONNRESET') send(url, headers, via).then(resolve, reject);
      else reject(error);
    });
    sent.end();
  });

/**
 * Sends only the given headers. `fetch` would add its own, by which a server could tell this program from a browser
 * and send it something else.
 */
export const httpGet: HttpGet = (url, headers) => getVia(null, url, headers);

/** Sends the requests to one node, such as `10.0.0.2` or `edge-a.example:8443`, under the name in their URL. */
export const httpGetVia = (node: string): HttpGet => {
  const via = new URL(`http://${node}`);
  // A port that is written stays, even if it is that of the scheme.
  const [, port = ''] = /:(\d+)$/.exec(node) ?? [];
  const named = port === '80' ? new URL(`https://${node}`) : via;
  return (url, headers) => getVia(named, url, headers);
};

const getVia = async (via: URL | null, url: string, headers: Headers): Promise<GetResponse> => {
  const response = await send(url, headers, via);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const responseHeaders = Object.fromEntries(
    Object.entries(response.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
  );
  return {
    status: response.statusCode ?? 0,
    headers: responseHeaders,
    body: decompress(Buffer.concat(chunks), responseHeaders['content-encoding'] ?? 'identity'),
  };
};

const decompress = (body: Buffer, encoding: string): Buffer => {
  if (body.length === 0 || encoding === 'identity') return body;
  const content = DECOMPRESSORS.get(encoding)?.(body);
  if (Buffer.isBuffer(content)) return content;
  throw new Error(`the content encoding ${encoding} was not offered in Accept-Encoding`);
};
