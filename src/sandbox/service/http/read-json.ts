import { ConnectionCut, RefusedRequest } from '../core/errors.ts';

/**
 * Our own limit; the API description has none. The largest valid create is about 0.4 MB: a hundred items with names of
 * 500 four-byte characters, and full metadata.
 */
const MAX_BODY_BYTES = 1024 * 1024;

/** Reads a request's JSON of any structure, or throws 400 (contract S1.6 and S16.3). */
export const readJsonBody = async (request: Request): Promise<unknown> => {
  assertJsonType(request);
  return parseJson(await readBytes(request));
};

/** A body, or the reason why it cannot be read. */
export type Body = { value: unknown } | { error: RefusedRequest };

/**
 * Reads the body before the other checks, so that the log has the payment even if the request fails one of them, and so
 * that a fault can deliver the request again after its sender has gone.
 */
export const readBody = async (request: Request): Promise<Body> => {
  try {
    return { value: await readJsonBody(request) };
  } catch (error) {
    if (error instanceof RefusedRequest) return { error };
    throw error;
  }
};

/** Returns the value of a body, or throws the reason why it could not be read. */
export const valueIn = (body: Body): unknown => {
  if ('error' in body) throw body.error;
  return body.value;
};

/**
 * Like `readJsonBody`, but treats a missing body as an empty object. Over a socket the stream exists even without a
 * body, so only its length distinguishes the two.
 */
export const readJsonOrNothing = async (request: Request): Promise<unknown> => {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return {};
  assertJsonType(request);
  return parseJson(bytes);
};

const assertJsonType = (request: Request): void => {
  const type = request.headers.get('content-type') ?? '';
  if (type.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    throw new RefusedRequest(
      'validation_error',
      `The body must be JSON with "Content-Type: application/json"; got ${type === '' ? 'no' : 'another'} content type.`,
    );
  }
};

/** Parses the bytes of a body, or throws 400. */
export const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // Not the parser's message, which quotes the body and so may contain card data.
    throw new RefusedRequest(
      'validation_error',
      'The body is not readable as JSON. Send one JSON object in UTF-8.',
    );
  }
};

const tooLarge = (most: number) =>
  new RefusedRequest('validation_error', `The body must be at most ${most} bytes. Send less.`);

/** Reads the body of a request, or throws 400 if it has more than `most` bytes. */
export const readBytes = async (request: Request, most = MAX_BODY_BYTES): Promise<Uint8Array> => {
  if (Number(request.headers.get('content-length')) > most) throw tooLarge(most);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new ConnectionCut('the caller went away while sending');
    });
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel().catch(() => {});
      throw tooLarge(most);
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
};
