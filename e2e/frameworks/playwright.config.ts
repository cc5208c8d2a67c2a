/**
 * `npm run test:frameworks`: the package in fresh projects with frameworks, bundlers, compilers and Jest, of pinned versions. It
 * downloads hundreds of megabytes.
 * `NEWEST=1 npm run test:frameworks` takes the newest generators and what they install today.
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
