import { describe, expect, it } from 'vitest';
import { cloudflareHeaders } from '../../owner/hosting/cloudflare.ts';
import { nginxRelease } from '../../owner/hosting/nginx.ts';
import { addressPattern, headerRules, headersAt, ORIGIN, withoutHttps } from './headers.ts';
import { isReportsTo, withoutEndpoints, withReports } from './reports.ts';

const release = '0.1.0-abc';
const inline = { scripts: [`sha256-${'a'.repeat(44)}`], styles: [`sha256-${'b'.repeat(44)}`] };
const rules = headerRules({ origin: ORIGIN, release, inline });
const DOCUMENTS = [
  '/partner/v1/card-form/frame',
  `/partner/v1/card-form/${release}/frame.html`,
  `/partner/v1/card-form/${release}/frame.de.html`,
];

describe('violation reports', () => {
  it('are off unless an address is given: every rule stays the same to the byte', () => {
    expect(JSON.stringify(withReports(rules, null))).toBe(JSON.stringify(rules));
    expect(JSON.stringify(rules)).not.toMatch(/report/);
  });

  it.each(DOCUMENTS)('%s names one endpoint, and each policy sends its reports there', (address) => {
    const before = headersAt(address, rules) ?? {};
    const headers = headersAt(address, withReports(rules, '/reports')) ?? {};
    expect(headers).toEqual({
      ...before,
      'reporting-endpoints': 'default="{origin}/reports"',
      'content-security-policy': `${before['content-security-policy']}; report-uri {origin}/reports; report-to default`,
      'integrity-policy': 'blocked-destinations=(script), endpoints=(default)',
      'cross-origin-embedder-policy': 'require-corp; report-to="default"',
    });
  });

  it('concern only the documents, and never quote a script', () => {
    const changed = withReports(rules, 'https://reports.pay.example/card-form');
    const others = (all: typeof rules) =>
      all.filter(({ address }) => !DOCUMENTS.some((one) => new RegExp(addressPattern(address)).test(one)));
    expect(others(changed)).toEqual(others(rules));
    expect(JSON.stringify(changed)).toContain('report-uri https://reports.pay.example/card-form;');
    expect(JSON.stringify(changed)).not.toContain('report-sample');
  });

  it('use only the policy over plain http, where browsers know no endpoint', () => {
    const headers = headersAt('/partner/v1/card-form/frame', withReports(rules, '/reports')) ?? {};
    const plain = withoutEndpoints(withoutHttps(headers));
    expect(plain).not.toHaveProperty('reporting-endpoints');
    expect(plain['content-security-policy']).toMatch(/; report-uri {origin}\/reports$/);
  });

  it('reach the configuration of nginx and Cloudflare', () => {
    const changed = withReports(rules, '/reports');
    expect(nginxRelease(changed, { release, codings: [], languages: [] }, new Map())).toContain(
      String.raw`add_header reporting-endpoints "default=\"$card_form_origin/reports\"";`,
    );
    const file = cloudflareHeaders(changed);
    expect(file).toContain('  reporting-endpoints: default="{origin}/reports"');
  });

  it.each(['/reports', '/a/b-c_d.e~f', 'https://reports.pay.example/x', 'https://pay.example:8443/'])(
    '%s can be their address',
    (address) => expect(isReportsTo(address)).toBe(true),
  );

  it.each([
    '',
    'off',
    'reports',
    '//elsewhere.example/x',
    'http://pay.example/x',
    'https://pay.example',
    'https://user@pay.example/x',
    '/x?key=1',
    '/x#y',
    '/x;y',
    '/x,y',
    '/x"y',
    '/$card_form_root',
    '/x y',
    '/x\ny',
  ])('%j cannot: it would end a directive, or carry more than an address', (address) =>
    expect(isReportsTo(address)).toBe(false),
  );
});
