import { describe, expect, it } from 'vitest';
import type { Answer, Ask } from './ask.ts';
import { headersAt, ORIGIN, rulesOf, withoutHttps } from './headers.ts';
import { integrityOf } from './inline.ts';
import type { HeadersFile, IntegrityFile } from './manifest.ts';
import { differencesAt } from './served.ts';

const release = '0.1.0-abc';
const inline = { scripts: [], styles: [] };
const LOADER = '/partner/v1/card-form.js';
const FRAME = '/partner/v1/card-form/frame';
const PINNED = `/partner/v1/card-form/${release}/card-form.js`;
const CONTENT: Readonly<Record<string, string>> = { [LOADER]: 'load()', [FRAME]: '<p>', [PINNED]: 'load()' };
const manifest: HeadersFile = { release, rules: rulesOf({ origin: ORIGIN, release, inline }) };
const integrity: IntegrityFile = {
  release,
  files: Object.fromEntries(Object.entries(CONTENT).map(([address, text]) => [address, integrityOf(text)])),
};

type Asked = { url: string; headers: Readonly<Record<string, string>> };

/** A service that sends what it should, but for what `spoil` makes of it. */
const service = (spoil: (answer: Answer, asked: Asked) => Answer = (answer) => answer) => {
  const asked: Asked[] = [];
  const ask: Ask = async (url, headers) => {
    asked.push({ url, headers });
    const { origin, pathname } = new URL(url);
    const served = headersAt(pathname, rulesOf({ origin, release, inline }));
    const own = { server: 'any', date: 'now', etag: '"1"' };
    const known = headers['if-none-match'] === '"1"';
    const answer: Answer = served
      ? {
          status: known ? 304 : 200,
          headers: { ...(origin.startsWith('https:') ? served : withoutHttps(served)), ...own },
          body: Buffer.from(known ? '' : (CONTENT[pathname] ?? '')),
        }
      : { status: 404, headers: own, body: Buffer.from('') };
    return spoil(answer, { url, headers });
  };
  return { ask, asked };
};

const differences = (ask: Ask, origin = 'https://pay.example') =>
  differencesAt(origin, manifest, integrity, ask);

/** Spoils the answers of one address. */
const at =
  (address: string, spoil: (answer: Answer) => Answer) =>
  (answer: Answer, { url }: Asked): Answer =>
    url.endsWith(address) ? spoil(answer) : answer;

const withHeader = (name: string, value: string) => (answer: Answer) => ({
  ...answer,
  headers: { ...answer.headers, [name]: value },
});

const withoutHeader = (name: string) => (answer: Answer) => ({
  ...answer,
  headers: Object.fromEntries(Object.entries(answer.headers).filter(([known]) => known !== name)),
});

describe('research 79: what is served is what was built', () => {
  it.each(['https://pay.example', 'http://127.0.0.1:4010'])('finds nothing at %s', async (origin) => {
    expect(await differences(service().ask, origin)).toEqual([]);
  });

  it('asks as a browser does: the frame as a frame, a script as a script, each plain and compressed', async () => {
    const { ask, asked } = service();
    await differences(ask);
    const of = (url: string) =>
      asked
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
        [dest, 'cross-site', 'gzip, deflate, br'],
        [dest, 'cross-site', 'identity'],
      ]);
    }
    expect(asked.every(({ headers }) => /Mozilla/.test(headers['user-agent'] ?? ''))).toBe(true);
  });

  const spoilt: readonly [string, (answer: Answer, asked: Asked) => Answer, string][] = [
    [
      'another byte',
      at(PINNED, (answer) => ({ ...answer, body: Buffer.from('load();') })),
      `${PINNED}: content: expected ${integrityOf('load()')}; got ${integrityOf('load();')} (7 bytes)`,
    ],
    [
      'another byte for those alone who take compressed answers',
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
      'the placeholder in the place of the origin',
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
      'no tag at a moving address',
      at(LOADER, withoutHeader('etag')),
      `${LOADER}: expected an etag that is answered by 304; got none`,
    ],
    [
      'a tag that is not known again',
      at(LOADER, (answer) => ({ ...answer, status: 200, body: Buffer.from('load()') })),
      `${LOADER}: expected an etag that is answered by 304; it is not`,
    ],
    [
      'a source map',
      at(`${PINNED}.map`, (answer) => ({ ...answer, status: 200 })),
      `${PINNED}.map: a source map is served`,
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
    const found = await differences(service(spoil).ask);
    expect(found).toEqual([expect.stringContaining(message)]);
  });

  it('on plain http expects what the sandbox sends, not what only https can keep', async () => {
    const spoil = at(FRAME, withHeader('strict-transport-security', 'max-age=1'));
    expect(await differences(service(spoil).ask, 'http://localhost:4010')).toEqual([]);
    const closed = at(FRAME, (answer) =>
      withHeader(
        'content-security-policy',
        (answer.headers['content-security-policy'] ?? '').replace(' http://localhost:*', ''),
      )(answer),
    );
    expect(await differences(service(closed).ask, 'http://localhost:4010')).toHaveLength(1);
  });
});
