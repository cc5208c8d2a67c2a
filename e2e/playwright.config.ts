import { defineConfig } from 'playwright/test';
import { findChromium } from './browsers.mjs';

const found = findChromium();

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  reporter: 'line',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  timeout: 30_000,
  forbidOnly: true,
  expect: { timeout: 10_000 },
  use: {
    locale: 'en-US',
    timezoneId: 'UTC',
    viewport: { width: 900, height: 1400 },
    trace: 'off',
    actionTimeout: 10_000,
    navigationTimeout: 10_000,
  },
  projects: [
    {
      name: 'chromium',
      use: {
        browserName: 'chromium',
        launchOptions: {
          ...(found ? { executablePath: found.path } : {}),
          args: [
            // Chromium refuses to run as root with its sandbox on.
            ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
            '--disable-gpu',
            '--disable-quic',
            '--no-first-run',
            '--disable-background-networking',
            '--disable-component-update',
            '--disable-sync',
          ],
        },
      },
    },
  ],
});
