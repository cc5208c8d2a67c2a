/** Violation reports: off by default, received within limits, and dropped if they seem to contain private data. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { MAX_REPORTS } from '../core/report-log.ts';
import { createWorld } from '../sandbox.fixture.ts';

const FRAME = 'https://pay.example/partner/v1/card-form/frame';

/** A report as Chromium sends it. */
const violation = (body: Record<string, unknown> = {}) => ({
  age: 12,
  type: 'csp-violation',
  url: FRAME,
  user_agent: 'Mozilla/5.0',
  body: {
    blockedURL: 'https://elsewhere.example/collect?id=7#part',
    disposition: 'enforce',
    documentURL: FRAME,
    effectiveDirective: 'connect-src',
    lineNumber: 1,
    originalPolicy: "default-src 'none'",
    referrer: 'https://shop.example/',
    sample: '',
    statusCode: 200,
    ...body,
  },
});

const Kept = z.object({
  data: z.array(z.looseObject({ fields: z.optional(z.record(z.string(), z.string())) })),
});

const createReportingWorld = () => {
  const world = createWorld({ reports: true });
  return {
    ...world,
    report: (body: unknown, type = 'application/reports+json', address = '127.0.0.1') =>
      world.send('POST', '/reports', body, { headers: { 'content-type': type }, address }),
    kept: async () => Kept.parse((await world.control('reports')).body).data,
  };
};

describe('violation reports', () => {
  it('are off by default: there is no such route, and the control route says so', async () => {
    const world = createWorld();
    for (const method of ['POST', 'OPTIONS'])
      expect((await world.send(method, '/reports', undefined, {})).status).toBe(404);
    expect((await world.control('reports')).body).toEqual({ data: null });
  });

  it('are kept without queries, fragments, the policy and the browser', async () => {
    const world = createReportingWorld();
    const response = await world.report([violation()]);
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(await world.kept()).toEqual([
      {
        at: world.clock.now(),
        type: 'csp-violation',
        dropped: null,
        url: FRAME,
        fields: {
          blockedURL: 'https://elsewhere.example/collect',
          disposition: 'enforce',
          effectiveDirective: 'connect-src',
          lineNumber: '1',
          referrer: 'https://shop.example/',
          statusCode: '200',
        },
      },
    ]);
  });

  it('also arrive from browsers that only support report-uri', async () => {
    const world = createReportingWorld();
    const report = {
      'document-uri': FRAME,
      'violated-directive': 'img-src',
      'blocked-uri': 'data',
      'original-policy': '',
    };
    expect((await world.report({ 'csp-report': report }, 'application/csp-report')).status).toBe(204);
    expect(await world.kept()).toMatchObject([
      {
        type: 'csp-violation',
        url: FRAME,
        fields: { 'blocked-uri': 'data', 'violated-directive': 'img-src' },
      },
    ]);
  });

  it.each([
    ['card_number', { blockedURL: 'https://elsewhere.example/?n=4242%204242%204242%204242' }],
    ['card_number', { sample: 'Element innerHTML|4000 0566 5566 5556' }],
    ['card_number', { sample: '４２４２４２４２４２４２４２４２' }],
    ['card_number', { extra: { inside: ['6011 1111 1111 1117'] } }],
    ['secret', { blockedURL: 'https://elsewhere.example/lg_cs_abc' }],
    ['email', { blockedURL: 'https://elsewhere.example/?mail=ada%40example.com' }],
  ])('with what looks like a %s are dropped, and the inspector says so: %j', async (dropped, body) => {
    const world = createReportingWorld();
    await world.report([violation(body), violation()]);
    const [first, second] = await world.kept();
    expect(first).toEqual({ at: world.clock.now(), type: 'csp-violation', dropped });
    expect(second).toHaveProperty('fields');
  });

  it('a secret is found at any depth of nesting', async () => {
    const world = createReportingWorld();
    const deep = `${'['.repeat(15_000)}"sk_live_0a1b"${']'.repeat(15_000)}`;
    const response = await world.report(`[{"type":"csp-violation","body":{"sample":${deep}}}]`);
    expect(response.status).toBe(204);
    expect(await world.kept()).toMatchObject([{ dropped: 'secret' }]);
  });

  it.each([
    ['an address and its port', { blockedURL: 'https://192.168.100.100:40779/x.js' }],
    ['twelve digits', { sourceFile: 'https://pay.example/0.1.0-ab3456789012/x.js' }],
    ['hashes', { sample: 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' }],
  ])('with %s are kept', async (_, body) => {
    const world = createReportingWorld();
    await world.report([violation(body)]);
    expect(await world.kept()).toMatchObject([{ dropped: null }]);
  });

  it.each([
    [{ not: 'a list' }, 'application/reports+json', 'not in the format'],
    [Array.from({ length: 51 }, () => violation()), 'application/reports+json', 'not in the format'],
    [[violation()], 'application/csp-report', 'not in the format'],
    ['[{', 'application/reports+json', 'not readable as JSON'],
    [[violation()], 'application/json', 'application/reports+json or application/csp-report'],
    [[violation({ sample: 'x'.repeat(70_000) })], 'application/reports+json', 'at most 65536 bytes'],
  ])('of another shape, type or size are refused with 400', async (body, type, message) => {
    const world = createReportingWorld();
    const response = await world.report(body, type);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(message)]);
    expect(await world.kept()).toEqual([]);
  });

  it('are counted for each address, 60 a minute, and the latest 200 are kept', async () => {
    const world = createReportingWorld();
    const statuses = [];
    for (let sent = 0; sent < 61; sent += 1) statuses.push((await world.report([violation()])).status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(60);
    expect(statuses.at(-1)).toBe(429);
    expect((await world.report([violation()], undefined, '127.0.0.2')).status).toBe(204);
    await world.clock.advance(60_000);
    for (let batch = 0; batch < 5; batch += 1)
      await world.report(Array.from({ length: 50 }, () => violation({ lineNumber: batch })));
    const kept = await world.kept();
    expect(kept).toHaveLength(MAX_REPORTS);
    expect(kept[0]?.fields?.lineNumber).toBe('1');
  });

  it('may come from a document of another origin: the browser asks first', async () => {
    const world = createReportingWorld();
    const asked = await world.send('OPTIONS', '/reports', undefined, {
      headers: { origin: 'https://pay.example', 'access-control-request-method': 'POST' },
    });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe('*');
    expect(asked.headers.get('access-control-allow-headers')).toBe('content-type');
    expect((await world.report([violation()])).headers.get('access-control-allow-origin')).toBe('*');
  });
});
