/**
 * How a merchant's server verifies that the service sent a webhook (contract S12.3; contract 5.6). Depends
 * on Node only, so that it is easy to read, to copy and to port to another language.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';

/** A public key of `GET /partner/v1/webhook_signing_keys`, as its `data` lists them. */
export type WebhookKey = { kid: string; public_key_pem: string };

/** A verified event. Read its object again through the API: a later event may have arrived first. */
export type WebhookEvent = {
  id: string;
  object: 'event';
  type: string;
  /** Unix seconds. */
  created: number;
  data: { object: Readonly<Record<string, unknown>> };
};

/**
 * Why a webhook is refused. On `unknown_kid`, load the key list again and verify once more. Otherwise respond with 400
 * and do nothing else. `raw_body_needed` and `key_unusable` are mistakes in the merchant's code.
 */
export type WebhookErrorCode =
  | 'raw_body_needed'
  | 'signature_missing'
  | 'signature_malformed'
  | 'unknown_kid'
  | 'key_unusable'
  | 'signature_invalid'
  | 'timestamp_too_old'
  | 'timestamp_in_future'
  | 'not_an_event';

/** Thrown for a webhook that must not be trusted. `code` says why. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The headers of a `Request`, of Node's `IncomingMessage`, or any record. Names in any case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Seconds by which a webhook's time may differ from ours. Each attempt has a new signature, so retries pass. */
const TOLERANCE = 300;

/**
 * Verifies the signature of a webhook and returns its event, or throws a `WebhookError`.
 *
 * `rawBody` is the body exactly as received, before any parsing: bytes, or their text. `keys` are the service's public
 * keys. `endpointId` (`we_…`) names the endpoint whose URL was called: a webhook for another endpoint is refused.
 * `tolerance` and `now` are in seconds.
 *
 * Does not detect duplicates. Store the ids of the events that were processed.
 *
 * @example
 * ```ts
 * let keys = await loadKeys(); // GET /partner/v1/webhook_signing_keys -> data
 * const read = () => verifyWebhook(rawBody, request.headers, keys, endpointId);
 * let event: WebhookEvent;
 * try {
 *   event = read();
 * } catch (error) {
 *   if (!(error instanceof WebhookError && error.code === 'unknown_kid')) throw error;
 *   keys = await loadKeys(); // the service has a new key
 *   event = read();
 * }
 * if (await isKnown(event.id)) return; // answered 200 again, done once
 * ```
 */
export const verifyWebhook = (
  rawBody: Uint8Array | string,
  headers: WebhookHeaders,
  keys: readonly WebhookKey[],
  endpointId: string,
  { tolerance = TOLERANCE, now = Date.now() / 1000 }: { tolerance?: number; now?: number } = {},
): WebhookEvent => {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) {
    throw new WebhookError(
      'raw_body_needed',
      'The raw body is needed, as a string or bytes, since its bytes are what is signed; got something else. Verify before any JSON parser.',
    );
  }
  const { t, kid, v1 } = signatureIn(headers);
  const key = keys.find((one) => one.kid === kid);
  if (key === undefined) {
    throw new WebhookError(
      'unknown_kid',
      'No key has the kid of this signature. Load the key list again, once.',
    );
  }
  const signed = Buffer.concat([Buffer.from(`${t}.${endpointId}.`), Buffer.from(rawBody)]);
  if (!verify(null, signed, keyOf(key), Buffer.from(v1, 'base64'))) {
    throw new WebhookError(
      'signature_invalid',
      'The signature does not fit the body and the endpoint id. Check that the body is untouched and the id is the one of this URL; otherwise it is forged.',
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
  return eventIn(rawBody);
};

/** The parts of `Service-Signature: t=…,kid=…,v1=…`. Other parts may be added later and are ignored. */
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
      'Service-Signature must be t=<seconds>,kid=<id>,v1=<base64>; got another form.',
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
  // A repeated header is malformed. Joined values fail the check below.
  return values.length === 0 ? undefined : values.flatMap(([, value]) => value ?? []).join(',');
};

const keyOf = ({ kid, public_key_pem }: WebhookKey): KeyObject => {
  const unusable = () =>
    new WebhookError(
      'key_unusable',
      `The key ${kid} is no Ed25519 public key in PEM form. Load the key list again.`,
    );
  let key: KeyObject;
  try {
    key = createPublicKey(public_key_pem);
  } catch {
    throw unusable();
  }
  if (key.asymmetricKeyType !== 'ed25519') throw unusable();
  return key;
};

const eventIn = (rawBody: Uint8Array | string): WebhookEvent => {
  const notAnEvent = () =>
    new WebhookError(
      'not_an_event',
      'The body is signed but is no event of the documented form. Look for an update.',
    );
  let value: unknown;
  try {
    value = JSON.parse(
      typeof rawBody === 'string' ? rawBody : new TextDecoder('utf-8', { fatal: true }).decode(rawBody),
    );
  } catch {
    throw notAnEvent();
  }
  if (!isEvent(value)) throw notAnEvent();
  return value;
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEvent = (value: unknown): value is WebhookEvent =>
  isRecord(value) &&
  typeof value.id === 'string' &&
  value.object === 'event' &&
  typeof value.type === 'string' &&
  typeof value.created === 'number' &&
  isRecord(value.data) &&
  isRecord(value.data.object);
