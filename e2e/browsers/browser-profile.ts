/** A Chromium with a profile on disk, which can be closed and opened again as a buyer does. */
import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type BrowserType, expect, type LaunchOptions } from 'playwright/test';

/** `options` are those of the project; the folder lives as long as the test. */
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
    /** As after a crash or with "Continue where you left off". */
    openAgain: () => open('--restore-last-session'),
    /** As a power cut does. The browser that runs on the profile has left its process id there. */
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
      // A browser that knows of a crash asks before it opens tabs again, and nobody is there to answer.
      const { profile, ...others } = JSON.parse(await read());
      await writeFile(
        preferences,
        JSON.stringify({ ...others, profile: { ...profile, exit_type: 'Normal', exited_cleanly: true } }),
      );
    },
    /** Every file of the profile that holds this text, in either writing the browser uses. */
    filesWith: async (text: string): Promise<string[]> => {
      const wide = Buffer.from(text, 'utf16le');
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const found: string[] = [];
      for (const entry of entries) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        // A browser that runs removes files as it likes.
        const bytes = await readFile(path).catch(() => Buffer.alloc(0));
        if (bytes.includes(text) || bytes.includes(wide)) found.push(path.slice(folder.length + 1));
      }
      return found;
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
};

export type BrowserProfile = Awaited<ReturnType<typeof createBrowserProfile>>;
