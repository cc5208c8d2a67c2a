/** What an early frame costs while a share of visitors has the script of another release (docs/hosting.md). */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readManifest } from '../hosting/hosting.ts';
import { restamp } from '../hosting/restamp.ts';
import { type Contestant, cardForm, openShop } from './contestants.ts';
import { type BenchServer, startServer } from './server.ts';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

/** Runs with a server that has a second release: pages that load its script, and pages that load the moving one. */
export const withCanary = async (
  run: (server: BenchServer, contestants: readonly Contestant[]) => Promise<void>,
): Promise<void> => {
  const root = await mkdtemp(join(tmpdir(), 'card-form-canary-'));
  try {
    const { release } = await readManifest();
    const next = release.replace(/-\w+$/, '-00000000cafe');
    await cp(join(DIST, 'partner'), join(root, 'partner'), { recursive: true });
    await restamp(root, next);
    const server = await startServer(root);
    openShop(server);
    try {
      await run(server, [
        await cardForm(server, 'canary script alone', { release: next }),
        await cardForm(server, 'early frame and script of one release', { early: true, release }),
        await cardForm(server, 'early frame of the other release', { early: true, release: next }),
      ]);
    } finally {
      await server.stop();
    }
  } finally {
    await rm(root, { recursive: true });
  }
};
