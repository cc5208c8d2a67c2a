/**
 * Verifies on a merchant's server that the service sent a webhook (contract S12.3; contract 5.6). It uses WebCrypto
 * alone, so it runs in Node, Deno, Bun and edge runtimes.
 *
 * Nothing here compares secrets: the platform verifies the signature with a public key, in a time that doesn't depend
 * on how much of it is correct. The description puts one signature in a header, so a second one is refused.
 */
import type { PaymentIntentEvent, RefundEvent, WebhookSigningKey } from './api-types.ts';
import { isRecord } from './json.ts';

/**
 * A verified event, by `type`. More types may be added: give `switch` statements a default branch. Retrieve the object
 * through the API, because a later event may have arrived first.
 */
export type WebhookEvent = PaymentIntentEvent | RefundEvent;

/**
 * Reasons to refuse a webhook. On `unknown_kid`, reload the key list and verify once more. Otherwise respond with 400
 * and do nothing else. `raw_body_needed`, `option_invalid` and `key_unusable` are mistakes in the merchant's code.
 */
export type WebhookErrorCode =
  | 'raw_body_needed'
  | 'option_invalid'
  | 'signature_missing'
  | 'signature_malformed'
  | 'unknown_kid'
  | 'key_unusable'
  | 'signature_invalid'
  | 'timestamp_too_old'
  | 'timestamp_in_future'
  | 'not_an_event';

/** Thrown for a webhook that must not be trusted. `code` gives the reason. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Headers of a `Request`, of Node's `IncomingMessage`, or any record. Names are case-insensitive. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Maximum difference in seconds between a webhook's time and ours. Each attempt has a new signature, so retries pass.
 */
const TOLERANCE = 300;

/**
 * Verifies the signature of a webhook and returns its event, or rejects with a `WebhookError`. The client's
 * `verifyWebhook` does the same and loads the keys.
 *
 * `rawBody` is the body exactly as received, before any parsing: bytes, an `ArrayBuffer`, or their text. `keys` are the
 * service's public keys. `endpointId` (`we_…`) names the endpoint whose URL was called: a webhook for another endpoint
 * is refused. `tolerance` (default 300) and `now` (default: this machine's clock) are in seconds.
 *
 * Doesn't detect duplicates: store the ids of processed events.
 */
export const verifyWebhook = async (
  rawBody: Uint8Array | ArrayBuffer | string,
  headers: WebhookHeaders,
  keys: readonly WebhookSigningKey[],
  endpointId: string,
  {
    tolerance = TOLERANCE,
    now = Date.now() / 1000,
  }: { tolerance?: number | undefined; now?: number | undefined } = {},
): Promise<WebhookEvent> => {
  checkTimes({ tolerance, now });
  checkEndpointId(endpointId);
  checkHeaders(headers);
  const body = bytesOf(rawBody);
  const { t, kid, v1 } = signatureIn(headers);
  const key = keys.find((one) => one.kid === kid);
  if (key === undefined) {
    throw new WebhookError(
      'unknown_kid',
      'No key has the kid of this signature. Load the key list again, once. If it is still missing, the webhook comes from a different service than the keys, as from another sandbox.',
    );
  }
  const prefix = new TextEncoder().encode(`${t}.${endpointId}.`);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  if (!(await crypto.subtle.verify('Ed25519', await keyOf(key), bytesOfBase64(v1), signed))) {
    throw new WebhookError(
      'signature_invalid',
      'The signature does not match the body and the endpoint id. Check that the body is unchanged (parsing and serialising it again changes it) and that the id belongs to this URL; otherwise the webhook is forged.',
    );
  }
  const age = now - Number(t);
  if (age > tolerance) {
    throw new WebhookError(
      'timestamp_too_old',
      `The webhook was signed ${Math.floor(age)} seconds ago, ${tolerance} are allowed. It is a replay, or a clock is wrong.`,
    );
  }
  if (-age > tolerance) {
    throw new WebhookError(
      'timestamp_in_future',
      `The webhook was signed ${Math.floor(-age)} seconds from now, ${tolerance} are allowed. A clock is wrong.`,
    );
  }
  return eventIn(body);
};

/** Rejects NaN, which compares false with every age and would let every replay through. */
const checkTimes = (times: Readonly<Record<string, unknown>>): void => {
  for (const [name, seconds] of Object.entries(times)) {
    if (Number.isFinite(seconds) && Number(seconds) >= 0) continue;
    const got = typeof seconds === 'number' ? seconds : typeof seconds;
    throw new WebhookError('option_invalid', `${name} must be a number of seconds from 0; got ${got}.`);
  }
};

/** A wrong id would make every webhook look forged. The value may be a secret, so the message gives only its kind. */
const checkEndpointId = (id: unknown): void => {
  if (typeof id === 'string' && /^we_./.test(id)) return;
  throw new WebhookError(
    'option_invalid',
    `endpointId must be the id of the webhook endpoint whose URL was called, we_…, which the service returned when the endpoint was added; got ${kindOf(id)}.`,
  );
};

const kindOf = (id: unknown): string => {
  if (typeof id !== 'string') return id === null ? 'null' : typeof id;
  if (id === '') return 'an empty text';
  if (/^https?:/.test(id)) return 'a URL';
  const [prefix] = /^(?:sk|pk|whsec)_/.exec(id) ?? [];
  return prefix === undefined ? 'another text' : `a key (${prefix}…)`;
};

const checkHeaders = (headers: unknown): void => {
  if (isRecord(headers)) return;
  const got =
    typeof headers === 'string' ? 'a text: pass all headers, not Service-Signature alone' : kindOf(headers);
  throw new WebhookError(
    'option_invalid',
    `headers must be the headers of the request: Headers, or a record such as request.headers of Node; got ${got}.`,
  );
};

/** Advice for frameworks that have already read the body. */
const READ_RAW =
  "Read the raw body before any JSON parser: express.raw({ type: '*/*' }) on this route of Express, await request.text() of a Request, bodyParser: false in a Next.js API route.";

/** The bytes of a raw body. The error explains what is wrong with one that was already parsed or read. */
const bytesOf = (rawBody: unknown): Uint8Array => {
  const refuse = (got: string) =>
    new WebhookError(
      'raw_body_needed',
      `The raw body is needed, as a string or bytes; got ${got}. ${READ_RAW}`,
    );
  if (rawBody instanceof Uint8Array || typeof rawBody === 'string') {
    if (rawBody.length === 0) throw refuse('an empty one: something has read it before');
    if (rawBody === '[object Object]') throw refuse('a parsed body that was turned into text');
    return typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody;
  }
  if (rawBody instanceof ArrayBuffer) return bytesOf(new Uint8Array(rawBody));
  if (isRecord(rawBody) && typeof rawBody.getReader === 'function') throw refuse('a stream');
  if (isRecord(rawBody) || Array.isArray(rawBody)) throw refuse('an object: it has been parsed already');
  throw refuse(rawBody === null ? 'null' : typeof rawBody);
};

/** Decodes base64 into a buffer that WebCrypto accepts. */
const bytesOfBase64 = (text: string): Uint8Array<ArrayBuffer> => {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
};

/** The parts of `Service-Signature: t=…,kid=…,v1=…`. Ignores other parts, which may be added later. */
const signatureIn = (headers: WebhookHeaders): { t: string; kid: string; v1: string } => {
  const header = headerOf(headers, 'service-signature');
  if (header === undefined || header === '') {
    throw new WebhookError(
      'signature_missing',
      'There is no Service-Signature header: the service did not send this.',
    );
  }
  const malformed = () =>
    new WebhookError(
      'signature_malformed',
      'Service-Signature must be t=<seconds>,kid=<id>,v1=<base64>; got something else.',
    );
  const parts = new Map<string, string>();
  for (const part of header.split(',')) {
    const [, name, value] = /^([a-z0-9]+)=(\S+)$/.exec(part) ?? [];
    if (name === undefined || value === undefined || parts.has(name)) throw malformed();
    parts.set(name, value);
  }
  const [t, kid, v1] = [parts.get('t'), parts.get('kid'), parts.get('v1')];
  if (t === undefined || kid === undefined || v1 === undefined) throw malformed();
  // 64 bytes in canonical base64.
  if (!/^\d{1,12}$/.test(t) || !/^[A-Za-z0-9+/]{85}[AQgw]==$/.test(v1)) throw malformed();
  return { t, kid, v1 };
};

const headerOf = (headers: WebhookHeaders, wanted: string): string | undefined => {
  if (headers instanceof Headers) return headers.get(wanted) ?? undefined;
  const values = Object.entries(headers).filter(([name]) => name.toLowerCase() === wanted);
  // A repeated header is malformed: the joined values fail the check below.
  return values.length === 0 ? undefined : values.flatMap(([, value]) => value ?? []).join(',');
};

const keyOf = async ({ kid, public_key_pem }: WebhookSigningKey): Promise<CryptoKey> => {
  try {
    const [, base64 = ''] =
      /^-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----\s*$/.exec(public_key_pem) ?? [];
    const der = bytesOfBase64(base64.replace(/\s/g, ''));
    return await crypto.subtle.importKey('spki', der, 'Ed25519', false, ['verify']);
  } catch {
    throw new WebhookError(
      'key_unusable',
      `The key ${kid} is no Ed25519 public key in PEM form. Load the key list again.`,
    );
  }
};

const eventIn = (body: Uint8Array): WebhookEvent => {
  const notAnEvent = () =>
    new WebhookError('not_an_event', 'The body is signed but is not a documented event. Update the package.');
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw notAnEvent();
  }
  if (!isEvent(value)) throw notAnEvent();
  return value;
};

const isEvent = (value: unknown): value is WebhookEvent =>
  isRecord(value) &&
  typeof value.id === 'string' &&
  value.object === 'event' &&
  typeof value.type === 'string' &&
  typeof value.created === 'number' &&
  isRecord(value.data) &&
  isRecord(value.data.object);
