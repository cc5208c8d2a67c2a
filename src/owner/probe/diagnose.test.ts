import { describe, expect, it } from 'vitest';
import { diagnose, type Observed, type ProbeReason } from './diagnose.ts';
import type { PageFinding } from './page.ts';

const READY: PageFinding = {
  end: 'ready',
  times: { loader: 1, typeable: 2, ready: 3 },
  release: '1.0.0-a',
  hasTotal: true,
  detail: '',
  codes: [],
};
const seen = (status: number, why = '') => ({ url: 'https://pay.example/x', status, why });
const GOOD: Observed = {
  finding: READY,
  loader: seen(200),
  frame: seen(200),
  read: seen(200),
  stopped: [],
  policies: [],
  cookies: [],
  files: [],
  thrown: [],
  typing: null,
};
const found = (finding: Partial<PageFinding>, more: Partial<Observed> = {}): Observed => ({
  ...GOOD,
  ...more,
  finding: { ...READY, hasTotal: false, ...finding },
});

describe('a probe says why a form was not ready', () => {
  it('accepts a form that shows a total', () => {
    expect(diagnose(GOOD)).toBeNull();
  });

  const cases: readonly [string, Observed, ProbeReason, RegExp][] = [
    ['a script with 404', found({ end: 'no_loader' }, { loader: seen(404) }), 'loader', /x answered 404$/],
    [
      'a script without an answer',
      found({ end: 'no_loader' }, { loader: seen(0, 'net::ERR_CERT_DATE_INVALID') }),
      'loader',
      /got no answer \(net::ERR_CERT_DATE_INVALID\)$/,
    ],
    [
      'a script that is another one',
      found({ end: 'threw', detail: 'no CardForm' }),
      'mount',
      /^no CardForm$/,
    ],
    [
      'a frame with 404',
      found({ end: 'loaderror', detail: 'http: it is no form' }, { frame: seen(404) }),
      'frame',
      /x answered 404; http: it is no form$/,
    ],
    [
      'a frame that says so',
      found({ end: 'loaderror', detail: 'withdrawn: gone' }),
      'frame',
      /^withdrawn: gone$/,
    ],
    [
      'what threw, and not only that the form was not there in time',
      found(
        { end: 'loaderror', detail: 'timeout: the form did not load' },
        { thrown: ['TypeError: x is undefined at https://pay.example/form.js:1:5'] },
      ),
      'script',
      /^TypeError: x is undefined at .*form\.js:1:5; timeout: the form did not load$/,
    ],
    [
      'the file that failed, before what threw because of it',
      found(
        { end: 'timeout' },
        { files: ['https://pay.example/form.js answered 404'], thrown: ['TypeError: failed to fetch'] },
      ),
      'file',
      /^https:\/\/pay\.example\/form\.js answered 404$/,
    ],
    [
      'an error that a script throws although the form is there',
      { ...GOOD, thrown: ['RangeError: x'] },
      'script',
      /^RangeError: x$/,
    ],
    [
      'a file that failed although the form is there',
      { ...GOOD, files: ['https://pay.example/a.woff2 answered 404'] },
      'file',
      /a\.woff2 answered 404$/,
    ],
    [
      'a form in which nobody can type',
      { ...GOOD, typing: 'the field "Card number" is missing' },
      'typing',
      /^the field "Card number" is missing$/,
    ],
    [
      'a policy, before what follows from it',
      found(
        { end: 'loaderror', detail: 'timeout: x' },
        { policies: ["Framing 'x' violates …"], frame: seen(0) },
      ),
      'csp',
      /^Framing/,
    ],
    [
      'a key that is refused',
      found({ end: 'ready' }, { read: seen(401, 'invalid_api_key') }),
      'key',
      /401 invalid_api_key$/,
    ],
    [
      'a key that is refused by an answer whose body the browser did not keep',
      found({ end: 'ready', codes: ['invalid_api_key'] }, { read: seen(401, '') }),
      'key',
      /401 invalid_api_key$/,
    ],
    [
      'a read with 500',
      found({ end: 'ready' }, { read: seen(500, 'internal_error') }),
      'read',
      /500 internal_error$/,
    ],
    ['a read that is lost until the end', found({ end: 'timeout' }, { read: seen(0) }), 'read', /no answer$/],
    [
      'a payment that is over',
      found({ end: 'ready', codes: ['already_paid'] }),
      'payment',
      /said already_paid/,
    ],
    [
      'a form that is never ready',
      found({ end: 'timeout' }, { read: null }),
      'timeout',
      /the payment had not been read$/,
    ],
  ];
  it.each(cases)('%s', (_, observed, reason, message) => {
    expect(diagnose(observed)).toEqual({ reason, message: expect.stringMatching(message) });
  });

  it('contract 3.4: a form that is ready, but an answer of the service set a cookie', () => {
    expect(diagnose({ ...GOOD, cookies: ['https://pay.example/x'] })).toEqual({
      reason: 'cookie',
      message: 'https://pay.example/x set a cookie',
    });
  });

  it('a form that is ready, but tried to send something else', () => {
    expect(diagnose({ ...GOOD, stopped: ['POST https://pay.example/confirm'] })).toEqual({
      reason: 'hostile',
      message:
        'a request was stopped that no form sends before a press, such as POST https://pay.example/confirm',
    });
  });
});
