/** Finds the Playwright of the project that starts the probe. The package doesn't include one. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import type * as Playwright from 'playwright';
import { ProbeError } from './probe-error.ts';

/** The part of Playwright used here. */
export type Browsers = Pick<typeof Playwright, 'chromium'>;

const NAMES = ['playwright', '@playwright/test', 'playwright-core'];

const SYSTEM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const SYSTEM_FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome'];

/** Path of a Chromium installed on the system; null if none is found. */
export const systemChromium = (path = process.env.PATH ?? ''): string | null =>
  [...path.split(delimiter).filter((folder) => folder !== ''), ...SYSTEM_FOLDERS]
    .flatMap((folder) => SYSTEM_NAMES.map((name) => join(folder, name)))
    .find((file) => existsSync(file)) ?? null;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';

/**
 * Finds Playwright from the given folder, then from the package's own. Throws a `ProbeError` with the command that
 * installs it.
 */
export const findPlaywright = (folder: string, own: string): Browsers => {
  for (const from of [join(folder, 'any.js'), own]) {
    const require = createRequire(from);
    for (const name of NAMES) {
      try {
        const found: Browsers = require(name);
        return found;
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    }
  }
  throw new ProbeError(
    'card-form probe needs Playwright, which is not installed here. Install it: npm install --save-dev playwright && npx playwright install chromium',
  );
};
