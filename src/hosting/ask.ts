import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

/** An answer as it came, decompressed. Of repeated headers the values are joined by `, `; names are lower case. */
export type Answer = { status: number; headers: Readonly<Record<string, string>>; body: Buffer };

/** Asks for one address. Rejects where no readable answer comes within ten seconds. */
export type Ask = (url: string, headers: Readonly<Record<string, string>>) => Promise<Answer>;

const WITHIN = 10_000;

/**
 * Asks over the network, with these headers and no others: `fetch` would write headers of its own, and whoever
 * serves something else to browsers than to programs must not be able to tell the two apart by them.
 */
export const ask: Ask = async (url, headers) => {
  const request = url.startsWith('https:') ? requestHttps : requestHttp;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { headers, signal: AbortSignal.timeout(WITHIN) }, resolve)
      .on('error', reject)
      .end();
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const joined = new Map<string, string>();
  for (const [name, values = []] of Object.entries(response.headersDistinct)) {
    joined.set(name, values.join(', '));
  }
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(joined),
    body: decoded(Buffer.concat(chunks), joined.get('content-encoding') ?? 'identity'),
  };
};

const decoded = (body: Buffer, coding: string): Buffer => {
  if (body.length === 0) return body;
  switch (coding) {
    case 'identity':
      return body;
    case 'br':
      return brotliDecompressSync(body);
    case 'gzip':
      return gunzipSync(body);
    case 'deflate':
      return inflateSync(body);
    default:
      throw new Error(`the content coding ${coding} is not known to any browser asked for`);
  }
};
