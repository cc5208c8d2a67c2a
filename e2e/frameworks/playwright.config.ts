/**
 * `npm run test:frameworks`: the package in fresh projects with pinned versions of frameworks, bundlers, compilers and
 * Jest. It downloads hundreds of megabytes. `NEWEST=1 npm run test:frameworks` uses the latest generators and the
 * dependencies that they install today.
 */
import { defineConfig } from 'playwright/test';
import everything from '../playwright.config.ts';

export default defineConfig({
  ...everything,
  testDir: '.',
  outputDir: '../../test-results',
  reporter: [['list']],
  workers: 2,
  projects: [{ ...everything.projects?.find(({ name }) => name === 'chromium'), testIgnore: [] }],
});
