/** `card-form verify`, run by owners, in a separate process. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listening } from '../../e2e/support/listening.ts';
import { buildRelease } from '../owner/release/site.fixture.ts';
import { buildProgram, type Program } from './program.fixture.ts';

let built: Program;
let folder: string;

beforeAll(async () => {
  built = await buildProgram();
  ({ folder } = built);
}, 60_000);

afterAll(() => built.close());

describe('card-form verify', () => {
  /** A service that serves nothing. */
  const serveNothing = async () => {
    const server = createServer((_, response) => response.writeHead(404).end());
    const { url, stop } = await listening(server, '127.0.0.1');
    return { verify: (...argv: string[]) => built.start('verify', '--base-url', url, ...argv).ended, stop };
  };

  it('--json prints a line for each fault, and the result in the last line', async () => {
    const release = await buildRelease(join(folder, 'dist'), '1.0.0');
    const { verify, stop } = await serveNothing();
    const { code, out } = await verify('--json');
    await stop();
    const lines: Record<string, unknown>[] = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const result = lines.pop();
    expect(lines).toContainEqual(
      expect.objectContaining({ release, problem: expect.stringContaining('expected status 200; got 404') }),
    );
    expect(result).toMatchObject({ ok: false });
    expect(code).toBe(1);
  });

  it('exits with 2 and names the fault if the build to compare with is damaged', async () => {
    const dist = join(folder, 'dist');
    await buildRelease(dist, '1.0.0');
    writeFileSync(join(dist, 'headers.json'), '{"release"');
    const { verify, stop } = await serveNothing();
    const problem = 'headers.json was expected to be as the build writes it; it is not. Build again.';
    expect(await verify()).toEqual({ code: 2, signal: null, out: '', err: `${problem}\n` });
    expect(await verify('--json')).toMatchObject({
      code: 2,
      out: `${JSON.stringify({ ok: false, problem })}\n`,
    });
    await stop();
  });
});
