/**
 * Finds the browsers for the end-to-end tests. `npm run test:e2e` runs this file first: it names each browser, and
 * installs required ones that are missing. Chromium is required; with `--all` or `CI=true`, so are Firefox and WebKit.
 * The tests import only the searches.
 *
 * Plain JavaScript, because Node must run it before any tool for stripping types is installed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, firefox, webkit } from 'playwright';

/** File names of each browser on PATH, and its usual locations. */
const CHROMIUM = {
  names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'],
  mac: ['Chromium.app/Contents/MacOS/Chromium', 'Google Chrome.app/Contents/MacOS/Google Chrome'],
  windows: ['Google/Chrome/Application/chrome.exe', 'Chromium/Application/chrome.exe'],
  linux: ['/opt/google/chrome/chrome'],
};
const HEADLESS_SHELL = {
  names: ['chromium-headless-shell', 'chrome-headless-shell'],
  mac: [],
  windows: [],
  linux: [],
};
const FIREFOX = {
  names: ['firefox', 'firefox-esr'],
  mac: ['Firefox.app/Contents/MacOS/firefox'],
  windows: ['Mozilla Firefox/firefox.exe'],
  linux: [],
};

const usualPlaces = ({ names, mac, windows, linux }) => {
  switch (process.platform) {
    case 'darwin':
      return mac.map((app) => join('/Applications', app));
    case 'win32':
      return [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA]
        .filter((folder) => folder !== undefined)
        .flatMap((folder) => windows.map((file) => join(folder, file)));
    default:
      return [
        ...['/usr/bin', '/usr/local/bin', '/snap/bin'].flatMap((folder) =>
          names.map((name) => join(folder, name)),
        ),
        ...linux,
      ];
  }
};

const onPath = (names) => {
  const files = process.platform === 'win32' ? names.map((name) => `${name}.exe`) : names;
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => files.map((name) => join(folder, name)));
};

/** A file may exist but lack a library, so only one that answers counts; by default, the question is its version. */
const starts = (path, question = '--version') => {
  if (!existsSync(path)) return false;
  // On Windows, browsers open a window instead of printing their version.
  if (process.platform === 'win32') return true;
  return spawnSync(path, [question], { stdio: 'ignore', timeout: 20_000 }).status === 0;
};

/**
 * The file named by an environment variable, if it is set. Throws if it doesn't start, because whoever set the variable
 * wants exactly that browser.
 */
const askedFor = (variable, browser) => {
  const path = process.env[variable];
  if (!path) return null;
  if (starts(path)) return { path, source: variable };
  throw new Error(`${variable} must name a ${browser} that starts; ${path} does not. Correct or unset it.`);
};

const systemBrowser = (kind) => {
  const path = [...onPath(kind.names), ...usualPlaces(kind)].find((file) => starts(file));
  return path ? { path, source: 'system' } : null;
};

/** The first Chromium that starts: that of CHROMIUM_PATH, Playwright's own, the system's. Null if there is none. */
export const findChromium = () => {
  const asked = askedFor('CHROMIUM_PATH', 'Chromium');
  if (asked) return asked;
  const own = chromium.executablePath();
  if (starts(own)) return { path: own, source: "Playwright's own" };
  return systemBrowser(CHROMIUM);
};

/** Where Playwright puts the headless shell that it installs beside its Chromium. */
const ownShell = () =>
  chromium.executablePath().replace(/\bchromium-(\d+)\b.*$/, 'chromium_headless_shell-$1');

/**
 * Chromium's headless shell, which has no tabs, clipboard or autofill and needs half the time of the whole browser:
 * Playwright's own, or the system's. Null if there is none, or if CHROMIUM_PATH names the browser to use.
 */
export const findHeadlessShell = () => {
  if (process.env.CHROMIUM_PATH) return null;
  if (existsSync(ownShell()) && starts(chromium.executablePath()))
    return { path: ownShell(), source: "Playwright's own", launchOptions: {} };
  const found = systemBrowser(HEADLESS_SHELL);
  return found && { ...found, launchOptions: { executablePath: found.path } };
};

/**
 * A Firefox driven by WebDriver BiDi passes input into a cross-site frame only if the frame shares its page's process.
 */
const ONE_PROCESS = { 'fission.autostart': false, 'fission.webContentIsolationStrategy': 0 };

const asReleased = ({ path, source }) => ({
  path,
  source,
  launchOptions: { channel: 'moz-firefox', executablePath: path, firefoxUserPrefs: ONE_PROCESS },
});

/**
 * The first Firefox that starts: that of FIREFOX_PATH, Playwright's own, the system's; with the launch options for
 * Playwright, because Mozilla's release builds are driven differently from Playwright's own. Null if there is none.
 */
export const findFirefox = () => {
  const asked = askedFor('FIREFOX_PATH', 'Firefox');
  if (asked) return asReleased(asked);
  const own = firefox.executablePath();
  if (starts(own)) {
    return { path: own, source: "Playwright's own", launchOptions: { executablePath: own } };
  }
  const found = systemBrowser(FIREFOX);
  return found && asReleased(found);
};

/** Playwright's own WebKit has no command-line check that works everywhere, so it is launched once. */
const ownWebKitStarts = () => {
  if (!existsSync(webkit.executablePath())) return false;
  const script = "import('playwright').then(({ webkit }) => webkit.launch()).then((it) => it.close())";
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  return spawnSync(process.execPath, ['-e', script], { cwd, stdio: 'ignore', timeout: 60_000 }).status === 0;
};

/** Where distributions put WebKitGTK's MiniBrowser, newest first. */
const miniBrowsers = () => {
  const within = (folder) => {
    try {
      return readdirSync(folder).map((name) => join(folder, name));
    } catch {
      return [];
    }
  };
  return [...within('/usr/lib'), '/usr/lib', '/usr/lib64', '/usr/libexec']
    .flatMap((folder) =>
      ['webkitgtk-6.0', 'webkit2gtk-4.1', 'webkit2gtk-4.0'].map((api) => join(folder, api, 'MiniBrowser')),
    )
    .filter((path) => existsSync(path));
};

/**
 * The first WebKit that starts: Playwright's own, or else the system's WebKitGTK (driver, its small browser, and an
 * invisible screen). Null if there is none.
 */
export const findWebKit = () => {
  const own = webkit.executablePath();
  if (ownWebKitStarts()) return { kind: 'playwright', path: own, source: "Playwright's own" };
  const driver = onPath(['WebKitWebDriver']).find((path) => starts(path, '--help'));
  const screen = onPath(['Xvfb']).find((path) => existsSync(path));
  const [browser] = miniBrowsers();
  if (!driver || !screen || !browser) return null;
  return { kind: 'webdriver', path: browser, source: 'system', driver, screen };
};

/** True if this run must use all browsers, and may install missing ones. */
export const allRequired = () => !['', '0', 'false'].includes(process.env.CI ?? '');

/** Messages for a missing browser; each begins with its name. */
export const MISSING = {
  chromium:
    'No Chromium was found. Install Chromium or Chrome, or set CHROMIUM_PATH to the file of one that starts.',
  firefox:
    'No Firefox was found. Run "npm run test:engines", which installs one, or install Firefox, or set FIREFOX_PATH to the file of one that starts.',
  webkit:
    'No WebKit was found. Run "npm run test:engines", which installs one; on Debian that is "apt-get install webkit2gtk-driver xvfb", elsewhere "npx playwright install --with-deps webkit".',
};

const run = (command, args) => {
  console.log(`e2e: ${command} ${args.join(' ')}`);
  const shell = process.platform === 'win32';
  return spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], shell }).status === 0;
};

/** Debian itself: derivatives may have different packages under these names. */
const isDebian = () => {
  try {
    return /^ID="?debian"?$/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
};

const BROWSERS = {
  chromium: { name: 'Chromium', find: findChromium, packages: ['chromium'] },
  firefox: { name: 'Firefox', find: findFirefox, packages: ['firefox-esr'] },
  webkit: { name: 'WebKit', find: findWebKit, packages: ['webkit2gtk-driver', 'xvfb'] },
};

const isRootOnDebian = () => process.getuid?.() === 0 && isDebian();

/** Tries each way to install a browser until one works; null if none did. */
const install = (browser) => {
  const { find, packages } = BROWSERS[browser];
  const ways = [
    ...(isRootOnDebian()
      ? [() => run('apt-get', ['update']) && run('apt-get', ['install', '-y', ...packages])]
      : []),
    () => run('npx', ['playwright', 'install', '--with-deps', browser]),
    // Without permission to install system libraries, which may already be installed.
    () => run('npx', ['playwright', 'install', browser]),
  ];
  for (const way of ways) {
    const found = way() ? find() : null;
    if (found) return found;
  }
  return null;
};

/** Prints where the headless shell is. A run that may install browsers gets it, but none fails without it. */
const nameHeadlessShell = (mayInstall) => {
  if (process.env.CHROMIUM_PATH) return;
  if (!findHeadlessShell() && mayInstall && isRootOnDebian())
    run('apt-get', ['install', '-y', 'chromium-headless-shell']);
  const shell = findHeadlessShell();
  console.log(
    shell
      ? `e2e: Chromium's headless shell ${shell.path} (${shell.source})`
      : "e2e: The tests take longer without Chromium's headless shell: on Debian chromium-headless-shell, elsewhere npx playwright install chromium.",
  );
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const all = process.argv.includes('--all') || allRequired();
    const hadChromium = findChromium() !== null;
    const missing = [];
    for (const [browser, { name, find }] of Object.entries(BROWSERS)) {
      const required = all || browser === 'chromium';
      const found = find() ?? (required ? install(browser) : null);
      if (found) console.log(`e2e: ${name} ${found.path} (${found.source})`);
      else if (required) missing.push(`${MISSING[browser]} Installing one did not work either, see above.`);
      else console.log(`e2e: ${name} is skipped. ${MISSING[browser]}`);
    }
    nameHeadlessShell(all || !hadChromium);
    if (missing.length > 0) throw new Error(missing.join('\ne2e: '));
  } catch (error) {
    console.error(`e2e: ${error.message}`);
    process.exit(1);
  }
}
