import { describe, expect, it } from 'vitest';
import { contentSecurityPolicy, frameHeaders, isPlainOrigin } from './headers.ts';

const place = { origin: 'http://localhost:4010', release: '0.1.0-abc' };

describe('research §1.8: the frame document', () => {
  it('may run and style its own release, call the client routes, and nothing else', () => {
    expect(contentSecurityPolicy(place)).toBe(
      "default-src 'none'; " +
        'script-src http://localhost:4010/partner/v1/card-form/0.1.0-abc/; ' +
        'style-src http://localhost:4010/partner/v1/card-form/0.1.0-abc/; ' +
        'connect-src http://localhost:4010/partner/v1/client/; ' +
        "img-src 'none'; font-src 'none'; frame-src 'none'; worker-src 'none'; object-src 'none'; " +
        "base-uri 'none'; form-action 'none'; " +
        'frame-ancestors https: http://localhost:* http://127.0.0.1:*; ' +
        "require-trusted-types-for 'script'; trusted-types 'none'",
    );
  });

  it('upgrades and pins https only where it is https', () => {
    const secure = { ...place, origin: 'https://pay.example.com' };
    expect(contentSecurityPolicy(secure)).toMatch(/; upgrade-insecure-requests$/);
    expect(frameHeaders(secure)).toHaveProperty('strict-transport-security');
    expect(frameHeaders(place)).not.toHaveProperty('strict-transport-security');
  });

  it('carries the other headers', () => {
    expect(frameHeaders(place)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'referrer-policy': 'no-referrer',
      'origin-agent-cluster': '?1',
      'x-content-type-options': 'nosniff',
      'permissions-policy': expect.stringMatching(
        /^accelerometer=\(\), .*camera=\(\), .*payment=\(\), .*xr-spatial-tracking=\(\)$/,
      ),
    });
  });
});

it.each([
  ['http://localhost:4010', true],
  ['https://pay.example.com', true],
  ['http://[::1]:4010', true],
  ["http://a;script-src'*'", false],
  ['http://a,b', false],
])('%s can stand in a policy: %s', (origin, verdict) => {
  expect(isPlainOrigin(origin)).toBe(verdict);
});
