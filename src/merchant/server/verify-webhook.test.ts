import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifyWebhook, WebhookError, type WebhookErrorCode, type WebhookHeaders } from './verify-webhook.ts';

const pair = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('ed25519');
const pem = (key: { export(options: { type: 'spki'; format: 'pem' }): string | Buffer }) =>
  key.export({ type: 'spki', format: 'pem' }).toString();
const KEYS = [
  { kid: 'other', public_key_pem: pem(stranger.publicKey) },
  { kid: 'key', public_key_pem: pem(pair.publicKey) },
];

const NOW = 1_800_000_000;
const ENDPOINT = 'we_1';
const EVENT = {
  id: 'evt_1',
  object: 'event',
  type: 'payment_intent.succeeded',
  created: NOW - 5,
  data: { object: { id: 'lg_pi_1', buyer: { name: 'Zoë 日本' } } },
};
const BODY = JSON.stringify(EVENT);

/** Signs as contract 5.6 specifies, independently of the service's code. */
const headerFor = (
  body: string,
  { t = String(NOW), kid = 'key', endpoint = ENDPOINT, key = pair.privateKey } = {},
): string =>
  `t=${t},kid=${kid},v1=${sign(null, Buffer.from(`${t}.${endpoint}.${body}`), key).toString('base64')}`;

const GOOD = headerFor(BODY);

const codeOf = async (act: () => Promise<unknown>): Promise<WebhookErrorCode | 'accepted'> => {
  try {
    await act();
    return 'accepted';
  } catch (error) {
    if (error instanceof WebhookError) return error.code;
    throw error;
  }
};

const check = (header: string | undefined, body: Uint8Array | string = BODY, more = {}) =>
  codeOf(() => verifyWebhook(body, { 'service-signature': header }, KEYS, ENDPOINT, { now: NOW, ...more }));

describe('verifyWebhook returns the event', () => {
  it.each<[string, Uint8Array | ArrayBuffer | string]>([
    ['text', BODY],
    ['an ArrayBuffer', new TextEncoder().encode(BODY).buffer],
    ['a Buffer', Buffer.from(BODY)],
    ['bytes', new TextEncoder().encode(BODY)],
    [
      'a part of a larger buffer',
      new Uint8Array(Buffer.from(`xx${BODY}xx`)).subarray(2, 2 + Buffer.byteLength(BODY)),
    ],
  ])('from a raw body that is %s', async (_kind, body) => {
    expect(await verifyWebhook(body, { 'Service-Signature': GOOD }, KEYS, ENDPOINT, { now: NOW })).toEqual(
      EVENT,
    );
  });

  it.each<[string, WebhookHeaders]>([
    ['Headers', new Headers({ 'Service-Signature': GOOD })],
    ["Node's headers", { 'service-signature': GOOD, 'content-type': 'application/json' }],
    ['a record in any case', { 'SERVICE-Signature': GOOD }],
    ['a list of one', { 'service-signature': [GOOD] }],
  ])('with %s', async (_kind, headers) => {
    expect(await codeOf(() => verifyWebhook(BODY, headers, KEYS, ENDPOINT, { now: NOW }))).toBe('accepted');
  });

  it('against the system time by default', async () => {
    const t = String(Math.floor(Date.now() / 1000));
    expect(
      await codeOf(() =>
        verifyWebhook(BODY, { 'service-signature': headerFor(BODY, { t }) }, KEYS, ENDPOINT),
      ),
    ).toBe('accepted');
    expect(
      await codeOf(() =>
        verifyWebhook(BODY, { 'service-signature': headerFor(BODY, { t: '1' }) }, KEYS, ENDPOINT),
      ),
    ).toBe('timestamp_too_old');
  });

  it('with the header parts in any order, and with unknown parts', async () => {
    const [t, kid, v1] = GOOD.split(/,(?=kid=|v1=)/);
    expect(await check(`${v1},v2=x,${kid},${t}`)).toBe('accepted');
  });
});

describe('verifyWebhook refuses', () => {
  const flip = (text: string, at: number) =>
    text.slice(0, at) + (text.charAt(at) === 'A' ? 'B' : 'A') + text.slice(at + 1);

  it.each<[string, WebhookErrorCode, string | undefined, string]>([
    ['no header', 'signature_missing', undefined, BODY],
    ['an empty header', 'signature_missing', '', BODY],
    ['a header without time', 'signature_malformed', GOOD.replace(/^t=\d+,/, ''), BODY],
    ['a part twice', 'signature_malformed', `${GOOD},kid=other`, BODY],
    ['a time that is no number', 'signature_malformed', GOOD.replace(/t=\d+/, 't=soon'), BODY],
    ['a signature in base64url', 'signature_malformed', `t=${NOW},kid=key,v1=${'-'.repeat(86)}==`, BODY],
    ['a signature that is too short', 'signature_malformed', `t=${NOW},kid=key,v1=AAAA`, BODY],
    ['spaces', 'signature_malformed', GOOD.replaceAll(',', ', '), BODY],
    ['a key that is not listed', 'unknown_kid', headerFor(BODY, { kid: 'new' }), BODY],
    ['a kid of the prototype', 'unknown_kid', headerFor(BODY, { kid: '__proto__' }), BODY],
    ['the signature of a stranger', 'signature_invalid', headerFor(BODY, { key: stranger.privateKey }), BODY],
    ['the signature under another kid', 'signature_invalid', headerFor(BODY, { kid: 'other' }), BODY],
    ['a webhook for another endpoint', 'signature_invalid', headerFor(BODY, { endpoint: 'we_2' }), BODY],
    ['another time than was signed', 'signature_invalid', GOOD.replace(`t=${NOW}`, `t=${NOW + 1}`), BODY],
    ['a changed body', 'signature_invalid', GOOD, BODY.replace('lg_pi_1', 'lg_pi_2')],
    ['a body written anew', 'signature_invalid', GOOD, JSON.stringify(EVENT, null, 1)],
    ['a changed signature', 'signature_invalid', flip(GOOD, GOOD.length - 40), BODY],
    ['a signed text that is no JSON', 'not_an_event', headerFor('hello'), 'hello'],
    ['a signed list', 'not_an_event', headerFor('[]'), '[]'],
    ['a signed event without object', 'not_an_event', headerFor('{"id":"evt_1"}'), '{"id":"evt_1"}'],
  ])('%s: %s', async (_what, code, header, body) => {
    expect(await check(header, body)).toBe(code);
  });

  it.each<[string, unknown, string]>([
    ['a parsed body', JSON.parse(BODY), 'it has been parsed already'],
    ['a parsed body as text', `${JSON.parse(BODY)}`, 'parsed body that was turned into text'],
    ['an empty body', '', 'something has read it before'],
    ['a stream', new Blob([BODY]).stream(), 'a stream'],
    ['nothing', undefined, 'got undefined'],
    ['null', null, 'got null'],
  ])('%s instead of the raw body, and says what to do', async (_what, body, words) => {
    const call = () =>
      Reflect.apply(verifyWebhook, null, [body, { 'service-signature': GOOD }, KEYS, ENDPOINT, { now: NOW }]);
    expect(await codeOf(call)).toBe('raw_body_needed');
    await expect(call()).rejects.toThrow(words);
    await expect(call()).rejects.toThrow('before any JSON parser');
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'got undefined'],
    ['null', null, 'got null'],
    ['an empty text', '', 'got an empty text'],
    ['a secret key', 'sk_live_1', 'got a key (sk_…)'],
    ['the secret of another service', 'whsec_1', 'got a key (whsec_…)'],
    ['a URL', 'https://shop.example/webhooks', 'got a URL'],
  ])(
    '%s instead of the endpoint id, and names the given value and what we_… is',
    async (_what, id, words) => {
      const call = () =>
        Reflect.apply(verifyWebhook, null, [BODY, { 'service-signature': GOOD }, KEYS, id, { now: NOW }]);
      expect(await codeOf(call)).toBe('option_invalid');
      await expect(call()).rejects.toThrow(words);
      await expect(call()).rejects.toThrow('the webhook endpoint whose URL was called, we_…');
    },
  );

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'got undefined'],
    ['null', null, 'got null'],
    ['a signature', GOOD, 'pass all headers, not Service-Signature alone'],
  ])('%s instead of the headers, and names the given value', async (_what, headers, words) => {
    const call = () => Reflect.apply(verifyWebhook, null, [BODY, headers, KEYS, ENDPOINT, { now: NOW }]);
    expect(await codeOf(call)).toBe('option_invalid');
    await expect(call()).rejects.toThrow(words);
  });

  it('a key of another sandbox, and says so', async () => {
    const header = headerFor(BODY, { kid: 'new' });
    await expect(
      verifyWebhook(BODY, { 'service-signature': header }, KEYS, ENDPOINT, { now: NOW }),
    ).rejects.toThrow('as from another sandbox');
  });

  it.each(['not a pem', pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey)])(
    'a key that is none of the service: key_unusable',
    async (public_key_pem) => {
      const call = () =>
        verifyWebhook(BODY, { 'service-signature': GOOD }, [{ kid: 'key', public_key_pem }], ENDPOINT, {
          now: NOW,
        });
      expect(await codeOf(call)).toBe('key_unusable');
    },
  );

  it.each([
    [NOW + 300, 'accepted'],
    [NOW + 301, 'timestamp_too_old'],
    [NOW - 300, 'accepted'],
    [NOW - 301, 'timestamp_in_future'],
  ])('a time too far from ours: signed at 1800000000, read at %i, %s', async (now, code) => {
    expect(await check(GOOD, BODY, { now })).toBe(code);
  });

  it('a replay as soon as the merchant wants it, and a forgery before it looks at the time', async () => {
    expect(await check(GOOD, BODY, { now: NOW + 2, tolerance: 1 })).toBe('timestamp_too_old');
    expect(await check(GOOD, `${BODY} `, { now: NOW + 2, tolerance: 1 })).toBe('signature_invalid');
  });

  it.each([{ tolerance: Number.NaN }, { tolerance: -1 }, { now: Number.NaN }])(
    'a year-old webhook passes with no tolerance or time that is no number of seconds: %o',
    async (times) => {
      expect(await check(headerFor(BODY, { t: String(NOW - 31_536_000) }), BODY, times)).toBe(
        'option_invalid',
      );
    },
  );

  it('a tolerance in words is refused', async () => {
    const untyped: { tolerance?: number } = JSON.parse('{"tolerance":"5 min"}');
    expect(await check(GOOD, BODY, untyped)).toBe('option_invalid');
  });

  it('without repeating the input in the message', async () => {
    const forged = 'a-forged-header-with-lg_cs_secret';
    for (const header of [forged, `t=1,kid=${forged},v1=${'A'.repeat(86)}==`]) {
      await expect(verifyWebhook(forged, { 'service-signature': header }, KEYS, ENDPOINT)).rejects.toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('forged-header') }),
      );
    }
  });
});
