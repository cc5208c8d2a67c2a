import { defineConfig, type Project } from 'playwright/test';
import { findFirefox, findWebKit } from './browsers/find-browsers.mjs';
import { TEST_CHROMIUM } from './browsers/launch-chromium.ts';

const firefox = findFirefox();
const webkit = findWebKit();

const BY_PLAYWRIGHT = 'engines/by-playwright.spec.ts';
const BY_WEBDRIVER = 'engines/by-webdriver.spec.ts';
const MISSING = 'engines/missing.spec.ts';

const firefoxProject: Project = firefox
  ? {
      name: 'firefox',
      testMatch: BY_PLAYWRIGHT,
      use: { browserName: 'firefox', launchOptions: firefox.launchOptions },
    }
  : { name: 'firefox', testMatch: MISSING };

const webkitProject = (): Project => {
  switch (webkit?.kind) {
    case 'playwright':
      return { name: 'webkit', testMatch: BY_PLAYWRIGHT, use: { browserName: 'webkit' } };
    case 'webdriver':
      return { name: 'webkit', testMatch: BY_WEBDRIVER };
    default:
      return { name: 'webkit', testMatch: MISSING };
  }
};

/**
 * Only `npm run test:all` runs these and tests with the tag `@thorough`: hosts, and looks in every language and width.
 */
const THOROUGH = [
  'hosting/**',
  'access/accessibility.spec.ts',
  'look/{after-answer,appearance,backdrop,columns,embeddings,heights,layout,rhythm}.spec.ts',
];
const isEssential = process.env.ESSENTIAL === '1';

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  snapshotPathTemplate: '{testDir}/golden/screenshots/{arg}{ext}',
  reporter: [['line'], ['./browsers/end-reporter.mjs']],
  fullyParallel: true,
  // Three on two cores: browsers wait at times, and another worker fills the gaps.
  workers: 3,
  // Each wait has a limit; a test has none, because a busy machine makes tests slow, not wrong. This limit ends a run
  // that hangs. Use `--timeout=0` for tests that an option makes this long.
  timeout: 20 * 60_000,
  forbidOnly: true,
  ...(isEssential ? { grepInvert: /@thorough/ } : {}),
  expect: { timeout: 40_000 },
  use: {
    locale: 'en-US',
    timezoneId: 'UTC',
    viewport: { width: 900, height: 1400 },
    trace: 'off',
    actionTimeout: 40_000,
    navigationTimeout: 40_000,
  },
  projects: [
    // Slow browsers first: a long test at the end would leave a core idle.
    firefoxProject,
    webkitProject(),
    {
      name: 'chromium',
      grepInvert: isEssential ? /@thorough|@other-engines/ : /@other-engines/,
      testIgnore: [BY_WEBDRIVER, MISSING, 'frameworks/**', ...(isEssential ? THOROUGH : [])],
      use: { browserName: 'chromium', launchOptions: TEST_CHROMIUM },
    },
  ],
});
