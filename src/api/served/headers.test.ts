import { describe, expect, it } from 'vitest';
import {
  addressPattern,
  contentSecurityPolicy,
  headerRules,
  headersAt,
  isPlainOrigin,
  ORIGIN,
  withoutHttps,
} from './headers.ts';
import { inlineHashes } from './inline.ts';
import { sandboxSigner } from './signature.ts';

const NOTHING_INLINE = { scripts: [], styles: [] };
const hosted = { origin: 'https://pay.example', release: '0.1.0-abc', inline: NOTHING_INLINE };
const rules = headerRules(hosted);
const frame = headersAt('/partner/v1/card-form/frame', rules) ?? {};

describe('threat-model 1.8: the frame document', () => {
  it('may load its own release and call the client routes, and nothing else', () => {
    expect(contentSecurityPolicy(hosted)).toBe(
      "default-src 'none'; " +
        'script-src https://pay.example/partner/v1/card-form/0.1.0-abc/; ' +
        'style-src https://pay.example/partner/v1/card-form/0.1.0-abc/; ' +
        'connect-src https://pay.example/partner/v1/client/ https://pay.example/partner/v1/card-form/0.1.0-abc/; ' +
        "font-src 'self'; worker-src 'none'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors https:; " +
        "require-trusted-types-for 'script'; trusted-types 'none'; upgrade-insecure-requests",
    );
  });

  it('may run inline scripts and styles only by hash', () => {
    const html =
      '<style>a{}</style><script type="module">run()</script><script src="/x.js"></script><SCRIPT\n>x\r\ny</SCRIPT >';
    const inline = inlineHashes(html);
    expect(inline).toEqual({
      scripts: [
        'sha256-AvyuiL0SD1mVY3NNxR+V2uo+lhk6RMFrytWmRt6CrJQ=',
        'sha256-mrneJXaKwXIjXhGbdjYuzdrTOHj+mneSzd2+RyNvmoc=',
      ],
      styles: ['sha256-X1RutGBrXCt9KkSaXMK7tHftWiRscFHOhxsS8tv8hBk='],
    });
    const policy = contentSecurityPolicy({ ...hosted, inline });
    expect(policy).toContain(
      `script-src '${inline.scripts[0]}' '${inline.scripts[1]}' https://pay.example/partner/v1/card-form/0.1.0-abc/;`,
    );
    expect(policy).toContain(
      `style-src '${inline.styles[0]}' https://pay.example/partner/v1/card-form/0.1.0-abc/;`,
    );
    expect(policy).not.toContain('unsafe');
  });

  it('threat-model 2.3: loads no script without a hash', () => {
    for (const address of ['/partner/v1/card-form/frame', '/partner/v1/card-form/0.1.0-abc/frame.html']) {
      expect(headersAt(address, rules)?.['integrity-policy']).toBe('blocked-destinations=(script)');
    }
  });

  it('has HSTS and may be embedded by https pages; on plain http also by pages of this machine, without HSTS', () => {
    expect(frame).toHaveProperty('strict-transport-security');
    const local = withoutHttps(frame);
    expect(local).not.toHaveProperty('strict-transport-security');
    expect(local['content-security-policy']).toMatch(
      /; frame-ancestors https: http:\/\/localhost:\* http:\/\/127\.0\.0\.1:\*; .*; trusted-types 'none'$/,
    );
    expect({ ...local, 'content-security-policy': '', 'strict-transport-security': '' }).toEqual({
      ...frame,
      'content-security-policy': '',
      'strict-transport-security': '',
    });
  });
});

describe('contract 2: addresses', () => {
  const CACHE: readonly [string, string | undefined][] = [
    ['/partner/v1/card-form.js', 'public, max-age=300, must-revalidate'],
    ['/partner/v1/card-form/frame', 'no-cache'],
    ['/partner/v1/card-form/0.1.0-abc/frame.html', 'public, max-age=31536000, immutable'],
    ['/partner/v1/card-form/0.1.0-abc/card-form.js', 'public, max-age=31536000, immutable'],
    ['/partner/v1/card-form/0.1.0-abc/assets/pay-1.js', 'public, max-age=31536000, immutable'],
    ['/partner/v1/card-form/0.1.0-abc/assets/form-1.css', 'public, max-age=31536000, immutable'],
    ['/partner/v1/card-form/0.1.0-abc/assets/inter-latin.woff2', 'public, max-age=31536000, immutable'],
    ['/partner/v1/card-form/0.1.0-abc/inter-latin.woff2', undefined],
    ['/partner/v1/card-form/0.1.0-abc/assets/pay-1.js.map', undefined],
    ['/partner/v1/card-form/0.1.0-abc/assets/pay-1.js.br', undefined],
    ['/partner/v1/card-form/0.1.0-abc/page.js', 'public, max-age=31536000, immutable'],
    ['/partner/v1/card-form/0.1.0-abc/mistakes.js', 'public, max-age=31536000, immutable'],
    ['/partner/v1/card-form/0.1.0-abc/page-gives.js', 'public, max-age=31536000, immutable'],
    ['/partner/v1/card-form/0.1.0-abc/page-look.js', 'public, max-age=31536000, immutable'],
    ['/partner/v1/card-form/0.1.0-abc/other.js', undefined],
    ['/partner/v1/card-form/0.1.0-abc/other.html', undefined],
    ['/partner/v1/card-form/0.1.0-abc/.hidden.js', undefined],
    ['/partner/v1/card-form/0.1.0-abc/../x.js', undefined],
    ['/partner/v1/card-form/0x1.0-abc/card-form.js', undefined],
    ['/partner/v1/card-form/frame.html', undefined],
    ['/partner/v1/card-form.js/', undefined],
    ['/sandbox/start.js', undefined],
    ['/llms.txt', 'public, max-age=300, must-revalidate'],
    ['/llms.txt.br', undefined],
  ];
  it.each(CACHE)('%s has Cache-Control: %s', (path, cacheControl) => {
    expect(headersAt(path, rules)?.['cache-control']).toBe(cacheControl);
  });

  it('in a rule, a star matches any path below, and a dot only a dot', () => {
    expect(new RegExp(addressPattern('/a.b/*.js')).test('/a.b/c/d.js')).toBe(true);
    expect(new RegExp(addressPattern('/a.b/*.js')).test('/axb/c/d.js')).toBe(false);
  });
});

it('threat-model 1.8: every page may measure the static files', () => {
  expect(rules.map(({ headers }) => headers['timing-allow-origin'])).toEqual(rules.map(() => '*'));
});

it('every header fits every host: no dollar sign, no line break, at most 1,900 characters', () => {
  const signature = sandboxSigner().headersFor(Buffer.from('load()'));
  for (const { headers } of headerRules({ ...hosted, origin: ORIGIN, signature })) {
    for (const [name, value] of Object.entries(headers)) {
      expect(`${name}: ${value}`).toMatch(/^[^$\\\n]{1,1900}$/);
    }
  }
});

it.each([
  ['http://localhost:4010', true],
  ['https://pay.example.com', true],
  ['http://[::1]:4010', true],
  ["http://a;script-src'*'", false],
  ['http://a,b', false],
])('%s is safe inside a policy: %s', (origin, verdict) => {
  expect(isPlainOrigin(origin)).toBe(verdict);
});
