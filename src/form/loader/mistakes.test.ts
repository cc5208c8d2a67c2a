// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { explainOnConsole, explanationOf, type MistakeCode } from './mistakes.ts';

const SERVICE = 'https://pay.example';
const FRAME = `${SERVICE}/partner/v1/card-form/0.1.0-abc/frame.html`;
const facts = { isLate: false, protocol: 'https:', service: SERVICE };

afterEach(() => {
  vi.restoreAllMocks();
});

/** Each first-day mistake: the script's report, and words of the next step. */
const CASES: readonly [what: string, MistakeCode, detail: string, next: RegExp, changes?: object][] = [
  [
    'the key is missing',
    'invalid_option',
    'publishableKey: undefined',
    /got nothing\. Give the publishable key/,
  ],
  [
    'the client secret stands in for the key',
    'invalid_option',
    'publishableKey: lg_cs_ab',
    /two are swapped/,
  ],
  ['the key stands in for the client secret', 'invalid_option', 'clientSecret: pk_live_', /two are swapped/],
  ['the key is cut off', 'invalid_option', 'publishableKey: pk_live_', /exactly 40/],
  ['the key is something else', 'invalid_option', 'publishableKey: pk_test_', /begins with "pk_test_"/],
  [
    'the id stands in for the client secret',
    'invalid_option',
    'clientSecret: lg_pi_12',
    /id of a payment intent.*client_secret/,
  ],
  [
    'the client secret is missing',
    'invalid_option',
    'clientSecret: undefined',
    /got nothing\. Give the client_secret/,
  ],
  [
    'the signal is none',
    'invalid_option',
    'TypeError: Cannot read properties of undefined',
    /cannot be read \(TypeError.*Give signal an AbortSignal/,
  ],
  ['a whole answer stands in for the secret', 'invalid_option', 'clientSecret: [object', /got an object/],
  ['a secret key is in the browser', 'secret_key_exposed', '', /revoke it/],
  [
    'the element comes later',
    'target_not_found',
    '#nope',
    /yet when mount\(\) was called.*DOMContentLoaded/,
    { isLate: true },
  ],
  ['no element has the selector', 'target_not_found', '#nope', /Check the selector/],
  ['a misspelt event', 'unknown_event', 'amountChange', /Did you mean "amountchange"\?/],
  ['an event of another form', 'unknown_event', 'success', /The events are ready, .*result/],
  ['no handler', 'no_handler', 'result', /not a function/],
  ['a second form', 'already_mounted', '', /unmount\(\) on it first.*two payment intents/],
  ['the script was bundled', 'script_not_found', '', /do not bundle or inline/],
  [
    'the policy lacks a line',
    'csp',
    `frame-src ${SERVICE}`,
    /\nframe-src https:\/\/pay\.example\/partner\/v1\/card-form\/;/,
  ],
  ['the page has no https', 'insecure_context', FRAME, /http:\/\/localhost/],
  ['the page is a file', 'opaque_parent', FRAME, /allow-same-origin/],
  ['the browser is offline', 'offline', FRAME, /offline/],
  ['an extension blocks the frame', 'http', FRAME, /ad blocker/],
  ['nothing answers', 'timeout', FRAME, /ten seconds\. Open https:\/\/pay/],
  ['the frame is loaded again and again', 'blocked', FRAME, /again and again/],
  ['mixed content', 'timeout', FRAME, /blocks mixed content/, { service: 'http://pay.example' }],
  ['an altered script', 'integrity', `${FRAME}/form.js`, /arrived altered/],
  ['two releases', 'version_mismatch', '', /Reload without the cache/],
  ['a pinned release that was withdrawn', 'withdrawn', '', /pin another release/],
  ['a container without a height', 'cut_off', '#shop', /cuts it off: #shop\. Take off its height/],
  ['a container that is put back', 'put_back', '#shop', /^#shop was taken out.*Call mount\(\) again/],
  ['a method after unmount()', 'unmounted', 'update', /^update\(\) was called on a form that was unmounted/],
];

describe('promises 1.9: every first-day mistake answers with the next step', () => {
  it.each(CASES)('%s', (_, code, detail, next, changes = {}) => {
    expect(explanationOf(code, detail, { ...facts, ...changes })).toMatch(next);
  });

  it('once on the console, with the code and where all of them are', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    explainOnConsole('already_mounted', '', SERVICE);
    expect(warn.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^CardForm already_mounted: [\s\S]+First-day mistakes" in https:\/\/pay\.example\/llms\.txt$/,
        ),
      ],
    ]);
  });

  it('a method after unmount() once, and never messages that the script posts itself', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    for (const type of ['refresh', 'secret', 'covers', 'beforepay', 'diagnostics', 'refresh'])
      explainOnConsole('unmounted', type, SERVICE);
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('refresh() was called'));
  });

  it.each([
    ['#there', /yet when mount\(\) was called/],
    ['#nowhere', /Check the selector/],
    ['[object Object]', /Check the selector/],
  ])('an element that exists when the mistake is explained was only late: %s', (selector, next) => {
    document.body.innerHTML = '<div id="there"></div>';
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    explainOnConsole('target_not_found', selector, SERVICE);
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(next));
  });

  const page = readFileSync(join(import.meta.dirname, '../../../docs/errors.md'), 'utf8');
  const table = /## First-day mistakes([\s\S]*?)\n## /.exec(page)?.[1] ?? '';

  it('and has a row in the table of docs/errors.md', () => {
    const codes = new Set(CASES.map(([, code]) => code));
    for (const code of codes) expect(table, code).toContain(`\`${code}\``);
  });

  it('every row of the table is made in a browser by a test or a step that quotes it', () => {
    const spec = readFileSync(join(import.meta.dirname, '../../../e2e/developer/mistakes.spec.ts'), 'utf8');
    const rows = [...table.matchAll(/^\| (.+?) \| /gm)].map(([, mistake = '']) => mistake);
    const quoted = [...spec.matchAll(/(['"])First day: (.+?)\1/g)].map(([, , mistake = '']) => mistake);
    expect(quoted.sort()).toEqual(rows.filter((row) => row !== 'Mistake' && row !== '---').sort());
  });
});
