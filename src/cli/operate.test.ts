/** What an owner runs, as a process of its own: `card-form verify`. */
import { writeFileSync } from 'node:fs';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCertificate } from '../../e2e/hosting/certificate.ts';
import { freePort } from '../../e2e/support/free-port.ts';
import { buildRelease } from '../operate/release/site.fixture.ts';
import { buildProgram, type Program } from './program.fixture.ts';

let built: Program;
let folder: string;

beforeAll(async () => {
  built = await buildProgram();
  ({ folder } = built);
}, 60_000);

afterAll(() => built.close());

describe('card-form verify', () => {
  /** A service that serves nothing as it was built, and a wrong security.txt. */
  const serveBadly = async () => {
    const { key, certificate } = createCertificate();
    const authority = join(folder, 'authority.pem');
    writeFileSync(authority, certificate);
    const server = createSecureServer({ key, cert: certificate }, ({ url }, response) => {
      const isText = url === '/.well-known/security.txt';
      response.writeHead(isText ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(isText ? 'Contact: nobody\nExpires: 2001-01-01T00:00:00Z\n' : '');
    });
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const url = `https://127.0.0.1:${port}`;
    const verify = (...argv: string[]) =>
      built.startWith({ NODE_EXTRA_CA_CERTS: authority }, 'verify', '--base-url', url, ...argv).ended;
    const close = () => {
      server.closeAllConnections();
      server.close();
    };
    return { verify, close };
  };

  it('--json prints a line for each fault, those of security.txt too, and the result in the last line', async () => {
    const release = await buildRelease(join(folder, 'dist'), '1.0.0');
    const { verify, close } = await serveBadly();
    const { code, out } = await verify('--json');
    close();
    const lines: Record<string, unknown>[] = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const result = lines.pop();
    const about = {
      edge: null,
      release: null,
      address: '/.well-known/security.txt',
      addresses: 1,
      askedAs: null,
    };
    expect(lines.filter((line) => line.release === null)).toEqual([
      { ...about, problem: expect.stringMatching(/^Contact must begin with mailto:/) },
      { ...about, problem: expect.stringMatching(/^it expired at 2001-01-01T00:00:00Z/) },
    ]);
    expect(lines).toContainEqual(
      expect.objectContaining({ release, problem: expect.stringContaining('expected status 200; got 404') }),
    );
    expect(result).toMatchObject({ ok: false, securityTxt: [expect.any(String), expect.any(String)] });
    expect(code).toBe(1);
  });

  it('exits with 2 and says what is wrong if the build with which it compares is damaged', async () => {
    const dist = join(folder, 'dist');
    await buildRelease(dist, '1.0.0');
    writeFileSync(join(dist, 'headers.json'), '{"release"');
    const { verify, close } = await serveBadly();
    const problem = 'headers.json was expected to be as the build writes it; it is not. Build again.';
    expect(await verify()).toEqual({ code: 2, signal: null, out: '', err: `${problem}\n` });
    expect(await verify('--json')).toMatchObject({
      code: 2,
      out: `${JSON.stringify({ ok: false, problem })}\n`,
    });
    close();
  });
});
