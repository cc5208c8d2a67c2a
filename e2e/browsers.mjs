/**
 * Which Chromium the end-to-end tests use. `npm run test:e2e` runs this file first: it names the browser and,
 * where there is none, installs one. The configuration of Playwright imports the search alone.
 *
 * Plain JavaScript, since Node must run it before any tool is there to strip types.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** Where a browser usually is when it is not on PATH. */
const usualPlaces = () => {
  switch (process.platform) {
    case 'darwin':
      return [
        '/Applications/Chromium.app/Contents/MacOS/Chromium',
        '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      ];
    case 'win32':
      return [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA]
        .filter((folder) => folder !== undefined)
        .flatMap((folder) => [
          join(folder, 'Google/Chrome/Application/chrome.exe'),
          join(folder, 'Chromium/Application/chrome.exe'),
        ]);
    default:
      return [
        ...['/usr/bin', '/usr/local/bin', '/snap/bin'].flatMap((folder) =>
          NAMES.map((name) => join(folder, name)),
        ),
        '/opt/google/chrome/chrome',
      ];
  }
};

const systemBrowsers = () => {
  const names = process.platform === 'win32' ? NAMES.map((name) => `${name}.exe`) : NAMES;
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...usualPlaces()];
};

/** A file may be there and lack a library: only one that says its version counts. */
const starts = (path) => {
  if (!existsSync(path)) return false;
  // Chrome for Windows opens a window instead of saying its version.
  if (process.platform === 'win32') return true;
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
};

/**
 * The first Chromium that starts: the one of CHROMIUM_PATH, Playwright's own, the system's. Null where there is
 * none. A CHROMIUM_PATH that does not start throws: whoever set it wants that one and no other.
 */
export const findChromium = () => {
  const asked = process.env.CHROMIUM_PATH;
  if (asked) {
    if (starts(asked)) return { path: asked, source: 'CHROMIUM_PATH' };
    throw new Error(
      `CHROMIUM_PATH must name a Chromium that starts; ${asked} does not. Correct or unset it.`,
    );
  }
  const own = chromium.executablePath();
  if (starts(own)) return { path: own, source: "Playwright's own" };
  const path = systemBrowsers().find(starts);
  return path ? { path, source: 'system' } : null;
};

const run = (command, args) => {
  console.log(`e2e: ${command} ${args.join(' ')}`);
  const shell = process.platform === 'win32';
  return spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], shell }).status === 0;
};

const isDebian = () => {
  try {
    return /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
};

/** Tries each way to get one until one works. */
const installChromium = () => {
  if (run('npx', ['playwright', 'install', '--with-deps', 'chromium'])) return;
  if (process.getuid?.() === 0 && isDebian()) {
    if (run('apt-get', ['update'])) run('apt-get', ['install', '-y', 'chromium']);
  } else {
    // Without the right to install system libraries; they may be there.
    run('npx', ['playwright', 'install', 'chromium']);
  }
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    if (findChromium() === null) installChromium();
    const found = findChromium();
    if (found === null) {
      throw new Error(
        'No Chromium was found and none could be installed. Install Chromium or Chrome, or set CHROMIUM_PATH to the file of one.',
      );
    }
    console.log(`e2e: Chromium ${found.path} (${found.source})`);
  } catch (error) {
    console.error(`e2e: ${error.message}`);
    process.exit(1);
  }
}
