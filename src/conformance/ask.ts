/**
 * How the suite speaks to a service: with the headers it names and no others, and it hears what came, byte by byte.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** One request below the service's base address. */
export type Asked = {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
};

/** An answer as it came. Names of headers are lower case; repeated ones are joined by `, `. */
export type Heard = { status: number; headers: Readonly<Record<string, string>>; text: string };

/** Rejects where no readable answer came. */
export type Ask = (asked: Asked) => Promise<Heard>;

/** A confirm may wait for a bank: longer than any form would (milliseconds). */
const WITHIN = 60_000;

/**
 * Asks over the network. Not with `fetch`, which writes headers of its own and follows redirects, unpacks and
 * forgets what it unpacked.
 */
export const askAt =
  (baseUrl: string): Ask =>
  async ({ method, path, headers, body }) => {
    const request = baseUrl.startsWith('https:') ? requestHttps : requestHttp;
    const bytes = body === null ? null : Buffer.from(body);
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(
        baseUrl + path,
        {
          method,
          headers: { ...headers, ...(bytes === null ? {} : { 'content-length': bytes.length }) },
          signal: AbortSignal.timeout(WITHIN),
        },
        resolve,
      )
        .on('error', reject)
        .end(bytes ?? undefined);
    });
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    return {
      status: response.statusCode ?? 0,
      headers: Object.fromEntries(
        Object.entries(response.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
      ),
      text: Buffer.concat(chunks).toString('utf8'),
    };
  };
