/** One build for all programs (src/build/outputs.ts), the development server, and the unit tests. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import packageJson from './package.json' with { type: 'json' };
import { buildAt, buildEverything } from './src/build/build-everything.ts';
import { compiledSchemas } from './src/build/compiled-schemas.ts';
import { developmentServer, PACKAGE } from './src/build/development.ts';
import { inlineDocument, verifiedImports } from './src/build/document.ts';
import { failOnWarning } from './src/build/fail-on-warning.ts';
import { integrityPlaceholder } from './src/build/integrity.ts';
import { CATALOG_PLACEHOLDERS } from './src/build/language-document.ts';
import { environmentsOf } from './src/build/outputs.ts';
import { onlyKnownPackages } from './src/build/packages.ts';
import { prerenderedForm } from './src/build/prerender.ts';
import { BASE, RELEASE_PLACEHOLDER } from './src/build/release.ts';
import { addressData } from './src/build/tables/address.ts';
import { hostedFonts } from './src/build/tables/appearance.ts';
import { brandTable } from './src/build/tables/card.ts';

const build = buildAt(fileURLToPath(new URL('.', import.meta.url)), packageJson.version);

/** The plugins that compile data into tables. */
const tables = () => [addressData(), brandTable(), hostedFonts()];

export default defineConfig(({ command }) => ({
  publicDir: false,
  build: {
    rolldownOptions: {
      // No table of plugin timings: it is noise for people who only start the project.
      checks: { bundlerTimings: false },
      onwarn: failOnWarning,
    },
  },
  base: command === 'build' ? BASE : '/',
  define: {
    // Of the loader, which the development server bundles by itself (src/build/development.ts).
    __RELEASE__: JSON.stringify(command === 'build' ? RELEASE_PLACEHOLDER : 'test'),
    __PAGE_INTEGRITY__: JSON.stringify(command === 'build' ? integrityPlaceholder('page.js') : ''),
    __MISTAKES_INTEGRITY__: JSON.stringify(command === 'build' ? integrityPlaceholder('mistakes.js') : ''),
    __PAGE_GIVES_INTEGRITY__: JSON.stringify(
      command === 'build' ? integrityPlaceholder('page-gives.js') : '',
    ),
    __PAGE_LOOK_INTEGRITY__: JSON.stringify(command === 'build' ? integrityPlaceholder('page-look.js') : ''),
    __CATALOG_INTEGRITY__: JSON.stringify(command === 'build' ? CATALOG_PLACEHOLDERS : ''),
  },
  // The demo shop imports the package by its name, as a merchant does.
  resolve: { alias: PACKAGE },
  plugins: [
    ...tables(),
    compiledSchemas(),
    developmentServer(),
    onlyKnownPackages(),
    verifiedImports(),
    prerenderedForm(tables),
    inlineDocument({ release: RELEASE_PLACEHOLDER, base: BASE, small: ['payment'], large: ['form'] }),
  ],
  environments: environmentsOf(build),
  builder: { buildApp: (builder) => buildEverything(builder, build) },
  // The timeout ends only tests that hang; shared machines may be several times slower than usual.
  test: {
    include: ['src/**/*.test.{ts,tsx}'],
    environment: 'node',
    setupFiles: ['src/proof/alone.setup.ts'],
    testTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: '100%',
    pool: 'threads',
  },
}));
