import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type GetResponse, type HttpGet, READABLE_CODINGS } from '../../api/command/http-get.ts';
import { headerRules, headersAt, ORIGIN, withoutHttps } from '../../api/served/headers.ts';
import { integrityOf } from '../../api/served/inline.ts';
import { parseSigningKey, sandboxSigner } from '../../api/served/signature.ts';
import { AS_EVERYBODY } from './requesters.ts';
import { type Comparison, compareServed, describeDifference } from './served.ts';

const release = '0.1.0-abc';
const inline = { scripts: [], styles: [] };
const LOADER = '/partner/v1/card-form.js';
const FRAME = '/partner/v1/card-form/frame';
const PINNED = `/partner/v1/card-form/${release}/card-form.js`;
const CONTENT: Readonly<Record<string, string>> = { [LOADER]: 'load()', [FRAME]: '<p>', [PINNED]: 'load()' };
const BUILT = {
  release,
  rules: headerRules({ origin: ORIGIN, release, inline }),
  files: Object.fromEntries(Object.entries(CONTENT).map(([address, text]) => [address, integrityOf(text)])),
};

/** The differences when Chrome requests the files, one sentence each. */
const differences = async (
  get: HttpGet,
  origin = 'https://pay.example',
  expected: Pick<Comparison, 'keys' | 'rules'> = BUILT,
) => (await compareServed({ ...BUILT, ...expected, origin, get })).map(describeDifference);

type Sent = { url: string; headers: Readonly<Record<string, string>> };

/** A service that sends the built files, with its responses changed by `spoil`. */
const service = (spoil: (answer: GetResponse, sent: Sent) => GetResponse = (answer) => answer) => {
  const sent: Sent[] = [];
  const get: HttpGet = async (url, headers) => {
    sent.push({ url, headers });
    const { origin, pathname } = new URL(url);
    const served = headersAt(pathname, headerRules({ origin, release, inline }));
    const own = { server: 'any', date: 'now', etag: '"1"' };
    const known = headers['if-none-match'] === '"1"';
    const answer: GetResponse = served
      ? {
          status: known ? 304 : 200,
          headers: { ...(origin.startsWith('https:') ? served : withoutHttps(served)), ...own },
          body: Buffer.from(known ? '' : (CONTENT[pathname] ?? '')),
        }
      : { status: 404, headers: own, body: Buffer.from('') };
    return spoil(answer, { url, headers });
  };
  return { get, sent };
};

/** Changes the responses of one address. */
const at =
  (address: string, spoil: (answer: GetResponse) => GetResponse) =>
  (answer: GetResponse, { url }: Sent): GetResponse =>
    url.endsWith(address) ? spoil(answer) : answer;

const withHeader = (name: string, value: string) => (answer: GetResponse) => ({
  ...answer,
  headers: { ...answer.headers, [name]: value },
});

const withoutHeader = (name: string) => (answer: GetResponse) => ({
  ...answer,
  headers: Object.fromEntries(Object.entries(answer.headers).filter(([known]) => known !== name)),
});

describe('threat-model C79: the service sends the built files', () => {
  it.each(['https://pay.example', 'http://127.0.0.1:4010'])('finds no difference at %s', async (origin) => {
    expect(await differences(service().get, origin)).toEqual([]);
  });

  it('sends the headers of a browser: for a frame, for a script, each plain and compressed', async () => {
    const { get, sent } = service();
    await differences(get);
    const of = (url: string) =>
      sent
        .filter((one) => one.url === url && !('if-none-match' in one.headers))
        .map(({ headers }) => [
          headers['sec-fetch-dest'],
          headers['sec-fetch-site'],
          headers['accept-encoding'],
        ]);
    for (const [url, dest] of [
      [`https://pay.example${FRAME}`, 'iframe'],
      [`https://pay.example${LOADER}`, 'script'],
    ] as const) {
      expect(of(url)).toEqual([
        [dest, 'cross-site', READABLE_CODINGS.join(', ')],
        [dest, 'cross-site', 'identity'],
      ]);
    }
    expect(sent.every(({ headers }) => /Mozilla/.test(headers['user-agent'] ?? ''))).toBe(true);
  });

  const spoilt: readonly [string, (answer: GetResponse, sent: Sent) => GetResponse, string][] = [
    [
      'another byte',
      at(PINNED, (answer) => ({ ...answer, body: Buffer.from('load();') })),
      `${PINNED}: content: expected ${integrityOf('load()')}; got ${integrityOf('load();')} (7 bytes)`,
    ],
    [
      'another byte in the compressed response alone',
      (answer, { url, headers }) =>
        url.endsWith(PINNED) && headers['accept-encoding'] !== 'identity'
          ? { ...answer, body: Buffer.from('steal()') }
          : answer,
      `${PINNED}: content: expected`,
    ],
    [
      'a dropped header',
      at(FRAME, withoutHeader('referrer-policy')),
      `${FRAME}: referrer-policy: expected "no-referrer"; got none`,
    ],
    [
      'a file that pages cannot measure',
      at(PINNED, withoutHeader('timing-allow-origin')),
      `${PINNED}: timing-allow-origin: expected "*"; got none`,
    ],
    [
      'a weaker policy',
      at(FRAME, withHeader('content-security-policy', "default-src 'self'")),
      `${FRAME}: content-security-policy: expected "default-src 'none'`,
    ],
    [
      'a policy of another release',
      at(FRAME, (answer) =>
        withHeader(
          'content-security-policy',
          (answer.headers['content-security-policy'] ?? '').replaceAll(release, '0.0.9-old'),
        )(answer),
      ),
      `${FRAME}: content-security-policy:`,
    ],
    [
      'a placeholder that was not replaced by the origin',
      at(FRAME, (answer) =>
        withHeader(
          'content-security-policy',
          (answer.headers['content-security-policy'] ?? '').replaceAll('https://pay.example', ORIGIN),
        )(answer),
      ),
      `${FRAME}: content-security-policy:`,
    ],
    [
      'a cookie',
      at(PINNED, withHeader('set-cookie', 'a=1')),
      `${PINNED}: set-cookie: expected none; got "a=1"`,
    ],
    [
      'X-Frame-Options',
      at(FRAME, withHeader('x-frame-options', 'DENY')),
      `${FRAME}: x-frame-options: expected none; got "DENY"`,
    ],
    [
      'a redirect',
      at(LOADER, (answer) => ({ ...answer, status: 302 })),
      `${LOADER}: expected status 200; got 302`,
    ],
    [
      'no ETag at a moving address',
      at(LOADER, withoutHeader('etag')),
      `${LOADER}: expected an etag that revalidates with 304; got none`,
    ],
    [
      'an ETag that does not revalidate',
      at(LOADER, (answer) => ({ ...answer, status: 200, body: Buffer.from('load()') })),
      `${LOADER}: expected an etag that revalidates with 304; it does not`,
    ],
    [
      'a source map',
      at(`${PINNED}.map`, (answer) => ({ ...answer, status: 200 })),
      `${PINNED}.map: a source map is served`,
    ],
    [
      'a cache that keeps the loader longer than it may',
      at(LOADER, withHeader('age', '301')),
      `${LOADER}: age: a cache may keep it for 300 seconds; it was kept for 301`,
    ],
    [
      'a broken connection',
      at(FRAME, () => {
        throw new Error('socket hang up');
      }),
      `${FRAME}: no readable answer (socket hang up)`,
    ],
  ];
  it.each(spoilt)('finds %s, and nothing else', async (_, spoil, message) => {
    const found = await differences(service(spoil).get);
    expect(found).toEqual([expect.stringContaining(message)]);
  });

  it('on plain http expects the headers that the sandbox sends, without those that need https', async () => {
    const spoil = at(FRAME, withHeader('strict-transport-security', 'max-age=1'));
    expect(await differences(service(spoil).get, 'http://localhost:4010')).toEqual([]);
    const closed = at(FRAME, (answer) =>
      withHeader(
        'content-security-policy',
        (answer.headers['content-security-policy'] ?? '').replace(' http://localhost:*', ''),
      )(answer),
    );
    expect(await differences(service(closed).get, 'http://localhost:4010')).toHaveLength(1);
  });
});

describe('threat-model C79: the same for every browser and every coding', () => {
  const compare = async (spoil?: (answer: GetResponse, sent: Sent) => GetResponse) => {
    const { get, sent } = service(spoil);
    const found = await compareServed({
      ...BUILT,
      origin: 'https://pay.example',
      get,
      requesters: AS_EVERYBODY,
    });
    return { found: found.map(describeDifference), sent };
  };

  it('asks as Chrome, Safari, Firefox, Googlebot and curl, and for each coding that can be read', async () => {
    const { found, sent } = await compare();
    expect(found).toEqual([]);
    const asked = sent.filter(({ url, headers }) => url.endsWith(PINNED) && !('if-none-match' in headers));
    const agents = asked.map(({ headers }) => headers['user-agent'] ?? '');
    for (const agent of [/Chrome\/\d/, /iPhone.*Safari/, /Firefox/, /Googlebot/, /^curl/])
      expect(agents.filter((one) => agent.test(one)).length).toBeGreaterThan(0);
    expect(asked.map(({ headers }) => headers['accept-encoding'])).toEqual(
      expect.arrayContaining(['identity', 'gzip', 'br']),
    );
    // A crawler and curl don't pretend to be pages.
    expect(asked.filter(({ headers }) => 'sec-fetch-dest' in headers)).toHaveLength(asked.length - 2);
  });

  it.each([
    [
      'other bytes for one user agent',
      (answer: GetResponse, { url, headers }: Sent) =>
        url.endsWith(PINNED) && /Googlebot/.test(headers['user-agent'] ?? '')
          ? { ...answer, body: Buffer.from('load( )') }
          : answer,
      `${PINNED}: content: expected ${integrityOf('load()')}; got ${integrityOf('load( )')} (7 bytes) (asked as Googlebot)`,
    ],
    [
      'a header that phones do not get',
      (answer: GetResponse, sent: Sent) =>
        sent.url.endsWith(FRAME) && /iPhone/.test(sent.headers['user-agent'] ?? '')
          ? withoutHeader('referrer-policy')(answer)
          : answer,
      `${FRAME}: referrer-policy: expected "no-referrer"; got none (asked as Safari on iOS)`,
    ],
    [
      'other bytes in one coding',
      (answer: GetResponse, { url, headers }: Sent) =>
        url.endsWith(PINNED) && headers['accept-encoding'] === 'gzip'
          ? { ...answer, body: Buffer.from('load( )') }
          : answer,
      `${PINNED}: content: expected ${integrityOf('load()')}; got ${integrityOf('load( )')} (7 bytes) (asked as Chrome with gzip only)`,
    ],
  ])('names who got %s', async (_, spoil, message) => {
    expect((await compare(spoil)).found).toEqual([message]);
  });
});

describe('threat-model 2.4: every loader is signed with the key that pages pin', () => {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  const signer = parseSigningKey(pem.toString());
  const signed = signer.headersFor(Buffer.from('load()'));
  const rules = headerRules({ origin: ORIGIN, release, inline, signature: signed });

  /**
   * Differences for loaders with these headers. `rules` have the same headers, so only the signature itself can be
   * wrong.
   */
  const found = (signature: Readonly<Record<string, string>>) =>
    differences(
      service((answer, { url }) =>
        url.endsWith('/card-form.js') ? { ...answer, headers: { ...answer.headers, ...signature } } : answer,
      ).get,
      undefined,
      { keys: [signer.integrity], rules: headerRules({ origin: ORIGIN, release, inline, signature }) },
    );

  it('accepts a valid one', async () => {
    expect(rules.some(({ headers }) => 'signature' in headers)).toBe(true);
    expect(await found(signed)).toEqual([]);
  });

  it.each([
    ['none', {}, `signature: expected one of the key ${signer.integrity}; got none`],
    [
      'one of another key',
      sandboxSigner().headersFor(Buffer.from('load()')),
      `signature: expected one of the key ${signer.integrity}; got one of ${sandboxSigner().integrity}`,
    ],
    [
      'one of another content',
      signer.headersFor(Buffer.from('steal()')),
      `unencoded-digest: expected ${signed['unencoded-digest']}, the content's; got sha-256=:`,
    ],
    [
      'one that does not verify',
      { ...signed, signature: `signature=:${Buffer.alloc(64).toString('base64')}:` },
      `signature: expected one of the key ${signer.integrity}; it is not valid`,
    ],
    [
      'one that covers something else',
      { ...signed, 'signature-input': `${signed['signature-input']};created=1` },
      `signature: expected one of the key ${signer.integrity}; it is not valid`,
    ],
  ])('at both addresses names %s', async (_, signature, message) => {
    expect(await found(signature)).toEqual([
      expect.stringContaining(`${LOADER}: ${message}`),
      expect.stringContaining(`${PINNED}: ${message}`),
    ]);
  });
});
