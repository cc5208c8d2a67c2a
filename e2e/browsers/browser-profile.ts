/** A Chromium with a profile on disk, which a test can close and reopen. */
import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type BrowserType, expect, type LaunchOptions } from 'playwright/test';
import type { Secret } from '../security/secret-search.ts';

/** Creates the profile; `options` are the project's launch options. `remove` deletes it. */
export const createBrowserProfile = async (chromium: BrowserType, options: LaunchOptions) => {
  const folder = await mkdtemp(join(tmpdir(), 'profile-'));
  const open = async (...more: readonly string[]): Promise<BrowserContext> =>
    chromium.launchPersistentContext(folder, {
      ...options,
      args: [...(options.args ?? []), ...more],
      viewport: { width: 900, height: 1400 },
      locale: 'en-US',
    });
  return {
    open: () => open(),
    /** Restores the last session, as after a crash or with "Continue where you left off". */
    openAgain: () => open('--restore-last-session'),
    /** Kills the browser, like a power cut. Its process id is in the profile's lock. */
    kill: async (context: BrowserContext) => {
      const preferences = join(folder, 'Default', 'Preferences');
      const read = () => readFile(preferences, 'utf8').catch(() => '');
      await expect
        .poll(read, { message: 'the browser has written its preferences', timeout: 30_000 })
        .not.toBe('');
      const ended = new Promise((resolve) => context.once('close', resolve));
      const [pid] = /\d+$/.exec(await readlink(join(folder, 'SingletonLock'))) ?? [];
      process.kill(Number(pid), 'SIGKILL');
      await ended;
      // After a crash the browser asks before restoring tabs, and a test can't answer.
      const { profile, ...others } = JSON.parse(await read());
      await writeFile(
        preferences,
        JSON.stringify({ ...others, profile: { ...profile, exit_type: 'Normal', exited_cleanly: true } }),
      );
    },
    /** Every file of the profile, or of its folder `under`, that contains this text in UTF-8 or UTF-16. */
    filesWith: async (text: string | Secret, under = '.'): Promise<string[]> => {
      const isIn = (bytes: Buffer) =>
        typeof text === 'string'
          ? bytes.includes(text) || bytes.includes(text, 0, 'utf16le')
          : [bytes.toString('latin1'), bytes.toString('utf16le'), bytes.toString('utf16le', 1)].some(
              text.isIn,
            );
      const entries = await readdir(join(folder, under), { recursive: true, withFileTypes: true });
      const found: string[] = [];
      for (const entry of entries) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        // A running browser may remove files at any time.
        const bytes = await readFile(path).catch(() => Buffer.alloc(0));
        if (isIn(bytes)) found.push(path.slice(folder.length + 1));
      }
      return found;
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
};

export type BrowserProfile = Awaited<ReturnType<typeof createBrowserProfile>>;
