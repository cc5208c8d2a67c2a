/** `npm run screenshots`: the form in every state for a person to look at (take.ts), and a contact sheet (sheet.ts). */
import { defineConfig } from 'playwright/test';
import everything from '../playwright.config.ts';

const chromium = everything.projects?.find(({ name }) => name === 'chromium');

export default defineConfig({
  ...everything,
  testDir: '.',
  outputDir: '../../test-results',
  reporter: [['line']],
  timeout: 120_000,
  projects: [
    {
      ...chromium,
      name: 'take',
      testIgnore: [],
      testMatch: ['take.ts', 'tokens.ts', 'themes.ts', 'demo.ts'],
      teardown: 'sheet',
    },
    { ...chromium, name: 'sheet', testIgnore: [], testMatch: 'sheet.ts' },
  ],
});
