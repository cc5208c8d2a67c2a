import { describe, expect, it } from 'vitest';
import { acceptPattern, CODINGS, type Coding } from '../../api/served/codings.ts';
import { headerRules, headersAt, ORIGIN } from '../../api/served/headers.ts';
import { sandboxSigner } from '../../api/served/signature.ts';
import { caddyMoving, caddyRelease } from './caddy.ts';
import { cloudflareHeaders, cloudflareRedirects } from './cloudflare.ts';
import { nginxMoving, nginxRelease } from './nginx.ts';

const release = '0.1.0-abc';
const built = { release, codings: CODINGS, languages: ['ar', 'de', 'zh', 'zh-Hant', 'nb'] };
const signature = sandboxSigner().headersFor(Buffer.from('load()'));
const rules = headerRules({
  origin: ORIGIN,
  release,
  inline: { scripts: ['sha256-a+/='], styles: ['sha256-b'] },
  signature,
});
const ADDRESSES = [
  '/partner/v1/card-form.js',
  '/partner/v1/card-form/frame',
  `/partner/v1/card-form/${release}/frame.html`,
  `/partner/v1/card-form/${release}/frame.de.html`,
  `/partner/v1/card-form/${release}/frame.zh-Hant.html`,
  `/partner/v1/card-form/${release}/card-form.js`,
  `/partner/v1/card-form/${release}/assets/pay-1.js`,
  `/partner/v1/card-form/${release}/assets/form-1.css`,
  `/partner/v1/card-form/${release}/assets/de.json`,
  `/partner/v1/card-form/${release}/assets/inter-latin.woff2`,
  '/llms.txt',
];

/** True if a browser that sends this gets brotli. */
const CODING_CASES: readonly (readonly [string, boolean])[] = [
  ['br', true],
  ['gzip, deflate, br, zstd', true],
  ['gzip,br', true],
  ['br;q=1.0, gzip', true],
  ['br; q=0.5', true],
  ['br;q=0.001,gzip', true],
  ['br;q=1.000', true],
  ['br;q=.', false],
  ['br;q=0', false],
  ['br;q=0.00, gzip', false],
  ['gzip, deflate', false],
  ['brotli', false],
  ['identity', false],
  ['', false],
];

it.each(CODING_CASES)('Accept-Encoding: %s gets brotli: %s', (accepted, verdict) => {
  expect(new RegExp(acceptPattern('br'), 'i').test(accepted)).toBe(verdict);
  expect(acceptPattern('br')).not.toMatch(/\(\?[=!<]/); // Go, in which Caddy is written, has no lookaround
});

/** Implements Cloudflare's documented rules: every matching rule adds its headers, and equal names are joined. */
const readHeaders = (file: string, path: string): Record<string, string> => {
  const found: Record<string, string> = {};
  let applies = false;
  for (const line of file.split('\n')) {
    if (line.startsWith('#') || line === '') continue;
    if (!line.startsWith(' ')) {
      const [before = '', after] = line.split('*');
      applies =
        after === undefined
          ? line === path
          : path.startsWith(before) && path.slice(before.length).endsWith(after);
      continue;
    }
    const [name = '', ...value] = line.trim().split(': ');
    if (applies) found[name] = name in found ? `${found[name]}, ${value.join(': ')}` : value.join(': ');
  }
  return found;
};

describe('for Cloudflare', () => {
  const file = cloudflareHeaders(rules);

  it.each(ADDRESSES)('%s gets exactly its headers from one rule', (address) => {
    const { vary, ...expected } = headersAt(address, rules) ?? {};
    expect(vary).toBe('Accept-Encoding');
    expect(readHeaders(file, address)).toEqual(expected);
  });

  it.each([
    ['/partner/v1/card-form/frame.html', '/partner/v1/card-form/frame'],
    [`/partner/v1/card-form/${release}/frame`, `/partner/v1/card-form/${release}/frame.html`],
  ])('the alias %s has the same headers, with the policy', (alias, address) => {
    expect(readHeaders(file, alias)).toEqual(readHeaders(file, address));
    expect(readHeaders(file, alias)).toHaveProperty('content-security-policy');
  });

  it('stays within the limits: 100 rules, 2,000 characters per line, one star per rule', () => {
    const lines = file.split('\n');
    expect(lines.filter((line) => line.startsWith('/')).length).toBeLessThan(100);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(1900);
    expect(lines.filter((line) => line.startsWith('/') && line.split('*').length > 2)).toEqual([]);
  });

  it('serves the moving frame at its address without extension', () => {
    expect(cloudflareRedirects()).toBe('/partner/v1/card-form/frame /partner/v1/card-form/frame.html 200\n');
  });
});

const TAGS = new Map([
  ['/partner/v1/card-form.js', 'aaaa'],
  ['/partner/v1/card-form/frame', 'bbbb'],
]);
const SERVERS = {
  nginx: {
    moving: (fallback: string) => nginxMoving(rules, [release, '0.0.9-old'], fallback),
    fixed: nginxRelease(rules, built, TAGS),
    origin: '$card_form_origin',
    header: (name: string, value: string) =>
      name === 'content-type' ? `default_type "${value}";` : `add_header ${name} "${value}";`,
    accepts: `if ($http_accept_encoding ~* "${acceptPattern('br')}") {`,
    fallback: (name: string) => `set $card_form_release ${name};\n    if`,
  },
  Caddy: {
    moving: (fallback: string) => caddyMoving(rules, [release, '0.0.9-old'], fallback),
    fixed: caddyRelease(rules, built, TAGS),
    origin: '{vars.card_form_origin}',
    header: (name: string, value: string) => `\t${name} "${value}"\n`,
    accepts: `@br header_regexp Accept-Encoding "(?i)${acceptPattern('br')}"`,
    fallback: (name: string) => `vars @card_form_moving card_form_release "${name}"`,
  },
};

describe.each(Object.entries(SERVERS))('for %s', (_, { moving: movingTo, fixed, origin, ...server }) => {
  const moving = movingTo('0.0.9-old');

  it('has every header of every rule, with a variable for the origin', () => {
    for (const { address, headers } of rules)
      for (const [name, value] of Object.entries(headers)) {
        const written = value.replaceAll('"', '\\"').replaceAll(ORIGIN, origin);
        expect(address === '/llms.txt' ? moving : fixed).toContain(server.header(name, written));
      }
    expect(moving + fixed).not.toContain(ORIGIN);
    const ofFonts = fixed.split(/location|path_regexp/).find((part) => part.includes('woff2'));
    expect(ofFonts).toContain('"font/woff2"');
    expect(ofFonts).not.toMatch(/Content-Encoding|card_form_suffix/); // already compressed, so there is no copy
    expect(moving).not.toContain('immutable');
    expect(fixed.match(/cache-control "public, max-age=31536000, immutable"/g)).toHaveLength(11);
  });

  it('the file of the moving addresses has nothing that changes with the moving release but its fallback', () => {
    expect(moving).toContain(`/moving/${release}`);
    expect(movingTo(release).replaceAll(server.fallback(release), '')).toBe(
      moving.replaceAll(server.fallback('0.0.9-old'), ''),
    );
    expect(moving).not.toMatch(/etag|content-security-policy|signature/i);
  });

  it('the newest release is searched first, since a rename can hide a file only on the way forward', () => {
    expect(moving.indexOf(`/moving/${release}`)).toBeLessThan(moving.indexOf('/moving/0.0.9-old'));
  });

  it('chooses the coding by what a browser accepts', () => {
    expect(fixed).toContain(server.accepts);
  });
});

describe.each([
  ['nginx', nginxRelease],
  ['Caddy', caddyRelease],
])('for %s', (_, write) => {
  const rulesWith = (codings: readonly Coding[]) =>
    write(rules, { release, codings, languages: [] }, new Map());

  it('a release without a coding is never asked for its files, and of several the best one is the last', () => {
    const all = rulesWith(CODINGS);
    const first = (coding: Coding) => all.indexOf(acceptPattern(coding));
    expect(first('gzip')).toBeGreaterThan(0);
    expect(first('br')).toBeGreaterThan(first('gzip'));
    expect(rulesWith(['br'])).not.toMatch(/\.gz\b/);
  });
});

describe('for nginx', () => {
  const { fixed } = SERVERS.nginx;

  it('a withdrawn release is never the moving one, and answers with its document', () => {
    const withdrawn = nginxRelease(rules, built, TAGS, 'withdrawn');
    expect(withdrawn).not.toContain('/moving/');
    expect(withdrawn).toContain(
      `rewrite ^ /partner/v1/card-form/${release}/withdrawn.html$card_form_suffix break;`,
    );
  });

  it('threat-model 2.4: sends the signature at both addresses of the loader, with its quotes escaped', () => {
    const [, keyid = ''] = /keyid="([^"]+)"/.exec(signature['signature-input'] ?? '') ?? [];
    const line = `add_header signature-input "signature=(\\"unencoded-digest\\";sf);keyid=\\"${keyid}\\";tag=\\"ed25519-integrity\\"";`;
    expect(fixed.split(line)).toHaveLength(3);
    expect(fixed.match(/add_header signature "/g)).toHaveLength(2);
    expect(fixed).toContain('add_header etag "\\"aaaa$card_form_suffix\\"";');
  });

  it.each([
    ['.br "aaaa.br"', true],
    ['.br W/"aaaa.br"', true],
    ['.br "cccc", "aaaa.br"', true],
    ['.br "aaaa"', false],
    [' "aaaa"', true],
    [' "aaaa.br"', false],
    ['.gz "aaaa.gz"', true],
    ['.gz "aaaa.br"', false],
    ['.gz "aaaa"', false],
    ['.gz W/"aaaa.gz"', true],
    ['.br "aaaa.gz"', false],
    [' "aaaa.gz"', false],
    [' "cccc"', false],
    ['.br ', false],
    ['.de.br "aaaa.de.br"', true],
    ['.de.br "aaaa.br"', false],
    ['.de.br "aaaa.ar.br"', false],
    ['.de "aaaa.de"', true],
    ['.de "aaaa.de.br"', false],
    [' "aaaa.de"', false],
    ['.zh "aaaa.zh-Hant"', false],
    ['.zh-Hant "aaaa.zh-Hant"', true],
  ])('each coding and language has its own ETag: %s is known: %s', (known, verdict) => {
    const [, pattern = ''] = /if \(\$card_form_known ~ "(.*)"\) \{/.exec(fixed) ?? [];
    expect(new RegExp(pattern).test(known)).toBe(verdict);
  });

  it('allows inline scripts by hash', () => {
    expect(fixed.split("script-src 'sha256-a+/=' $card_form_origin/")).toHaveLength(4);
  });
});

describe('for Caddy', () => {
  const { fixed } = SERVERS.Caddy;

  it('headers are set when the response is sent, so that no error has them', () => {
    expect(fixed.match(/header (@\w+ )?\{\n\s*defer\n/g)).toHaveLength(
      fixed.match(/header (@\w+ )?\{/g)?.length ?? 0,
    );
  });

  it('a withdrawn release is never the moving one, and answers with its document', () => {
    const withdrawn = caddyRelease(rules, built, TAGS, 'withdrawn');
    expect(withdrawn).not.toContain('If-None-Match');
    expect(withdrawn).toContain(
      `rewrite * /partner/v1/card-form/${release}/withdrawn.html{vars.card_form_suffix}\n`,
    );
  });

  it('contract 2.1: the ETag of a moving address is made of its content and coding, and Caddy sees no condition', () => {
    expect(fixed).toContain('etag "\\"aaaa{vars.card_form_suffix}\\""');
    expect(fixed).toContain(
      '@known header If-None-Match "*\\"bbbb{vars.card_form_language}{vars.card_form_suffix}\\"*"',
    );
    expect(
      fixed.match(/request_header -If-None-Match\n\s*request_header -If-Modified-Since\n/g),
    ).toHaveLength(2);
  });

  it('a header with a brace is refused, because Caddy would take it for a placeholder', () => {
    const wrong = [{ address: '/llms.txt', headers: { 'report-to': '{"group":"a"}' } }];
    expect(() => caddyMoving(wrong, [release], release)).toThrow('without braces; got {"group":"a"}');
  });
});
