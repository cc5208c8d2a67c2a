import { describe, expect, it } from 'vitest';
import { cloudflareHeaders, cloudflareRedirects } from './cloudflare.ts';
import { headerRules, headersAt, ORIGIN } from './headers.ts';
import { nginxMoving, nginxRelease } from './nginx.ts';
import { sandboxSigner } from './signature.ts';

const release = '0.1.0-abc';
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
  `/partner/v1/card-form/${release}/card-form.js`,
  `/partner/v1/card-form/${release}/assets/pay-1.js`,
  `/partner/v1/card-form/${release}/assets/form-1.css`,
  `/partner/v1/card-form/${release}/assets/inter-latin.woff2`,
  '/llms.txt',
];

/** What Cloudflare documents: every rule that matches adds its headers, and equal names are joined. */
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

describe('for nginx', () => {
  const tags = new Map([
    ['/partner/v1/card-form.js', 'aaaa'],
    ['/partner/v1/card-form/frame', 'bbbb'],
    ['/llms.txt', 'cccc'],
  ]);
  const moving = nginxMoving(rules, tags);
  const fixed = nginxRelease(rules, release);

  it('has every header of every rule, with a variable for the origin', () => {
    for (const { address, headers } of rules) {
      const text = tags.has(address) ? moving : fixed;
      for (const [name, value] of Object.entries(headers)) {
        const written = value.replaceAll('"', '\\"').replaceAll(ORIGIN, '$card_form_origin');
        expect(text).toContain(
          name === 'content-type' ? `default_type "${written}";` : `add_header ${name} "${written}";`,
        );
      }
    }
    expect(moving + fixed).not.toContain(ORIGIN);
    const ofFonts = fixed.split('location').find((part) => part.includes('woff2'));
    expect(ofFonts).toContain('default_type "font/woff2"');
    expect(ofFonts).not.toMatch(/Content-Encoding|card_form_suffix/); // compressed by itself, without a copy
    expect(moving).not.toContain('immutable');
    expect(fixed.match(/add_header cache-control "public, max-age=31536000, immutable";/g)).toHaveLength(6);
  });

  it('threat-model 2.4: sends the signature at both addresses of the loader, with its quotes escaped', () => {
    const [, keyid = ''] = /keyid="([^"]+)"/.exec(signature['signature-input'] ?? '') ?? [];
    for (const text of [moving, fixed]) {
      expect(text).toContain(
        `add_header signature-input "signature=(\\"unencoded-digest\\";sf);keyid=\\"${keyid}\\";tag=\\"ed25519-integrity\\"";`,
      );
      expect(text.match(/add_header signature "/g)).toHaveLength(1);
    }
    expect(moving).toContain('add_header etag "W/\\"aaaa\\"";');
  });

  it('allows inline scripts by hash', () => {
    for (const text of [moving, fixed]) expect(text).toContain("script-src 'sha256-a+/=' $card_form_origin/");
  });

  it.each([
    ['br', true],
    ['gzip, deflate, br, zstd', true],
    ['gzip,br', true],
    ['br;q=1.0, gzip', true],
    ['br; q=0.5', true],
    ['br;q=0', false],
    ['br;q=0.00, gzip', false],
    ['gzip, deflate', false],
    ['brotli', false],
    ['identity', false],
    ['', false],
  ])('Accept-Encoding: %s gets brotli: %s', (accepted, verdict) => {
    const [, pattern = ''] = /if \(\$http_accept_encoding ~\* "(.*)"\) \{/.exec(moving) ?? [];
    expect(new RegExp(pattern, 'i').test(accepted)).toBe(verdict);
  });
});
