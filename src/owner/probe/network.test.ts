import { describe, expect, it } from 'vitest';
import { CLIENT_ROUTES, STATIC_ROUTES } from '../../api/routes.ts';
import { networkIn } from './network.ts';

const ORIGIN = 'https://pay.example';
const entry = (path: string, status: number, more: object = {}, method = 'GET') => ({
  request: { method, url: path.startsWith('/') ? ORIGIN + path : path },
  response: { status, headers: [], content: {}, ...more },
});
const network = (...entries: object[]) =>
  networkIn(JSON.stringify({ log: { entries } }), ORIGIN, STATIC_ROUTES.loader);
const FILE = `${STATIC_ROUTES.release('1')}assets/form.js`;

describe('the network in the HAR of a probe', () => {
  it('has the last answer of the script, the document in any language, and the read with its code alone', () => {
    const text = '{"error":{"code":"internal_error","message":"lg_cs_1"}}';
    const found = network(
      entry(STATIC_ROUTES.loader, -1, { _failureText: 'net::ERR_FAILED' }),
      entry(`${STATIC_ROUTES.release('1')}frame.html?de`, 404),
      entry(CLIENT_ROUTES.retrieve, 429),
      entry(CLIENT_ROUTES.retrieve, 500, { content: { text } }, 'POST'),
    );
    expect(found.loader).toEqual({ url: ORIGIN + STATIC_ROUTES.loader, status: 0, why: 'net::ERR_FAILED' });
    expect(found.frame).toMatchObject({ status: 404 });
    expect(found.read).toEqual({
      url: ORIGIN + CLIENT_ROUTES.retrieve,
      status: 500,
      why: 'internal_error',
    });
    expect(found.files).toEqual([]);
  });

  it('names files that failed, and none that the browser itself canceled', () => {
    const { files } = network(
      entry(FILE, 404),
      entry(FILE, -1, { _failureText: 'net::ERR_CONNECTION_RESET' }),
      entry(FILE, -1, { _failureText: 'net::ERR_ABORTED' }),
      entry('https://other.example/a.js', 500),
    );
    expect(files).toEqual([
      `${ORIGIN}${FILE} answered 404`,
      `${ORIGIN}${FILE} got no answer (net::ERR_CONNECTION_RESET)`,
    ]);
  });

  it('names what set a cookie, without its query', () => {
    const headers = [{ name: 'Set-Cookie', value: 'a=1' }];
    expect(network(entry(`${FILE}?x`, 200, { headers })).cookies).toEqual([ORIGIN + FILE]);
  });
});
