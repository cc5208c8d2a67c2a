/** The tests for the mutants of one area, with only the plugins these tests need. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { addressData } from '../../build/tables/address.ts';
import { brandTable } from '../../build/tables/card.ts';
import { currentArea } from './current-area.ts';
import { keptThreads } from './kept-threads.ts';
import { loadFailures } from './load-failures.ts';

const { tests, slowFiles } = currentArea();

export default defineConfig({
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  define: { __RELEASE__: JSON.stringify('test') },
  plugins: [addressData(), brandTable(), keptThreads()],
  test: {
    include: tests,
    exclude: slowFiles,
    reporters: [loadFailures()],
    environment: 'node',
    testTimeout: 60_000,
  },
});
