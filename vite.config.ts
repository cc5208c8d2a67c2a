/**
 * One build for everything: the frame (an HTML page), the loader (a classic script for merchants' pages) and
 * the programs that run in Node (sandbox, shop). `dist/` mirrors the addresses a service hosts.
 *
 *   dist/partner/v1/card-form.js                     the moving address of the loader
 *   dist/partner/v1/card-form/frame.html             the moving address of the frame document
 *   dist/partner/v1/card-form/<release>/…            what never changes: loader, frame, its scripts and styles
 *   dist/headers.json, sri.json, SCRIPTS.md          what to send, and what is sent
 *   dist/nginx/…, dist/cloudflare/…                  the same for two hosts
 *   dist/well-known/security.txt.template            to fill in and host (RFC 9116)
 *   dist/llms.txt                                    the documentation as one text, also at the project's root for npm
 *   dist/openapi.json                                the whole API of the service (OpenAPI 3.1)
 *   dist/sandbox/…                                   for Node
 *   dist/sandbox/inspector/…                         the sandbox's own page
 *   dist/demo/…                                      the single-page checkouts
 *   dist/package/…, types/…, LICENCES.md             what the npm package has beside these
 */
import { copyFile, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ViteBuilder } from 'vite';
import { defineConfig } from 'vitest/config';
import packageJson from './package.json' with { type: 'json' };
import { addressData } from './src/address/compile.ts';
import { brandTable } from './src/card/compile.ts';
import { buildShops } from './src/demo/build.ts';
import { developmentServer } from './src/development.ts';
import { oneDocument, withoutPreloader } from './src/hosting/document.ts';
import { PAGE_INTEGRITY } from './src/hosting/integrity.ts';
import { writeLicences } from './src/hosting/licences.ts';
import { LLMS_TXT, llmsText, readPages } from './src/hosting/llms.ts';
import { installedVersions, onlyKnownPackages } from './src/hosting/packages.ts';
import { standingForm } from './src/hosting/prerender.ts';
import { seal, UNSEALED, writeManifests } from './src/hosting/seal.ts';
import { parseSigningKey, type Signer } from './src/hosting/signature.ts';
import { asideOf, clearAbandoned, isRunning, putInPlace } from './src/hosting/swap.ts';
import { numberPatterns } from './src/i18n/compile.ts';
import { declare } from './src/package/declare.ts';

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

const DIST = path('dist');
/** Where this build is made, before it takes the place of the former one. */
const ASIDE = asideOf(path('.'), process.pid);
/** Where the frame's files lie until the release has a name. */
const BASE = `/partner/v1/card-form/${UNSEALED}/`;
const STAGED = join(ASIDE, 'partner/v1/card-form', UNSEALED);

/** The inspector's page with the addresses of what was built in place of the sources. */
const builtPage = (html: string): string =>
  html
    .replace('/src/sandbox/inspector/main.tsx', '/_sandbox/inspector.js')
    .replace('/src/sandbox/inspector/inspector.css', '/_sandbox/inspector.css');

/** Signs the loader, where a key is given; nothing that runs after it finds the key in the environment. */
const signerOf = (environment: NodeJS.ProcessEnv): Signer | null => {
  const { CARD_FORM_SIGNING_KEY: key } = environment;
  delete environment.CARD_FORM_SIGNING_KEY;
  return key === undefined ? null : parseSigningKey(key);
};

/** What is compiled into tables when the form is built. */
const tables = () => [addressData(), brandTable(), numberPatterns()];

/** Everything that will be `dist/`, made in `ASIDE`. */
const buildAside = async (builder: ViteBuilder, signer: Signer | null): Promise<void> => {
  const { client, loader, page, package: npm, node, inspector } = builder.environments;
  if (!client || !loader || !page || !npm || !node || !inspector)
    throw new Error('An environment is missing in vite.config.ts.');
  await builder.build(client);
  await builder.build(loader);
  await builder.build(page);
  await rename(join(STAGED, 'src/frame/index.html'), join(STAGED, 'frame.html'));
  await rm(join(STAGED, 'src'), { recursive: true });
  const sealed = await seal(ASIDE, packageJson.version);
  await writeManifests(ASIDE, sealed, {
    versions: await installedVersions(path('.')),
    documentation: llmsText(await readPages(path('.'))),
    signer,
  });
  const { openApi } = await import('./src/sandbox/openapi/openapi.ts');
  await writeFile(join(ASIDE, 'openapi.json'), `${JSON.stringify(openApi(packageJson.version), null, 2)}\n`);
  await builder.build(npm);
  await builder.build(node);
  await buildShops(path('.'), join(ASIDE, 'demo'), join(ASIDE, 'package/card-form.js'));
  await builder.build(inspector);
  await writeFile(
    join(ASIDE, 'sandbox/inspector/index.html'),
    builtPage(await readFile(path('src/sandbox/inspector/index.html'), 'utf8')),
  );
  await declare(path('.'), join(ASIDE, 'types'));
  await writeLicences(path('.'), join(ASIDE, 'LICENCES.md'));
};

export default defineConfig(({ command }) => ({
  publicDir: false,
  // The bundler's table of how long each plugin took is noise to people who only start the project.
  build: { rolldownOptions: { checks: { bundlerTimings: false } } },
  base: command === 'build' ? BASE : '/',
  define: {
    __RELEASE__: JSON.stringify(command === 'build' ? UNSEALED : process.env.VITEST ? 'test' : 'dev'),
    __PAGE_INTEGRITY__: JSON.stringify(command === 'build' ? PAGE_INTEGRITY : ''),
  },
  plugins: [
    ...tables(),
    developmentServer(),
    onlyKnownPackages(),
    withoutPreloader(),
    standingForm(tables),
    oneDocument(BASE, ['pay']),
  ],
  environments: {
    client: {
      build: {
        outDir: STAGED,
        emptyOutDir: true,
        target: 'es2022',
        modulePreload: false,
        assetsInlineLimit: 0,
        rolldownOptions: {
          input: path('src/frame/index.html'),
          output: {
            // The folder is named after all content, so that no file needs a hash of its own. Languages and countries
            // have the same letters, and not every file system tells `de` from `DE`.
            chunkFileNames: ({ name }) =>
              /^[A-Z]{2}$/.test(name) ? 'assets/address-[name].js' : 'assets/[name].js',
          },
        },
      },
    },
    loader: {
      // A browser's all the same; but Vite would wrap each import() for pages that preload.
      consumer: 'server',
      build: {
        minify: true,
        ssr: true,
        outDir: STAGED,
        emptyOutDir: false,
        target: 'es2021',
        rolldownOptions: {
          input: path('src/loader/main.ts'),
          optimization: { inlineConst: { mode: 'all', pass: 3 } },
          output: { format: 'iife', topLevelVar: false, entryFileNames: 'card-form.js', comments: false },
        },
      },
    },
    package: {
      consumer: 'server', // nothing in it is the browser's alone
      build: {
        outDir: join(ASIDE, 'package'),
        emptyOutDir: true,
        target: 'es2021',
        rolldownOptions: {
          input: {
            'card-form': path('src/package/card-form.ts'),
            testing: path('src/package/testing.ts'),
          },
          output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
        },
      },
    },
    // What the loader fetches on demand lies beside it.
    page: {
      consumer: 'client',
      build: {
        outDir: STAGED,
        emptyOutDir: false,
        target: 'es2022',
        modulePreload: false,
        rolldownOptions: {
          preserveEntrySignatures: 'exports-only',
          input: path('src/loader/page.ts'),
          output: { format: 'es', entryFileNames: 'page.js' },
        },
      },
    },
    inspector: {
      consumer: 'client',
      build: {
        outDir: join(ASIDE, 'sandbox/inspector'),
        emptyOutDir: true,
        target: 'es2022',
        modulePreload: false,
        rolldownOptions: {
          input: path('src/sandbox/inspector/main.tsx'),
          output: { entryFileNames: 'inspector.js', assetFileNames: 'inspector[extname]' },
        },
      },
    },
    node: {
      consumer: 'server',
      resolve: { noExternal: true },
      build: {
        outDir: join(ASIDE, 'sandbox'),
        emptyOutDir: true,
        target: 'node20',
        rolldownOptions: {
          input: {
            start: path('src/start.ts'),
            cli: path('src/sandbox/cli.ts'),
            sandbox: path('src/sandbox/sandbox.ts'),
            server: path('src/sandbox/server.ts'),
            package: path('src/package/sandbox.ts'),
            shop: path('src/demo/shop.ts'),
            'verify-served': path('src/hosting/verify-served.ts'),
          },
          output: {
            entryFileNames: '[name].js',
            chunkFileNames: 'chunks/[name]-[hash].js',
            banner: ({ name }) => (name === 'cli' ? '#!/usr/bin/env node' : ''),
          },
        },
      },
    },
  },
  builder: {
    async buildApp(builder) {
      const signer = signerOf(process.env);
      await clearAbandoned(path('.'), (pid) => pid !== process.pid && isRunning(pid));
      try {
        await buildAside(builder, signer);
        await putInPlace(ASIDE, DIST);
        await copyFile(join(DIST, LLMS_TXT), join(path('.'), LLMS_TXT));
      } finally {
        await rm(ASIDE, { recursive: true, force: true });
      }
    },
  },
  // Generous: the rules are tested, not the machine. A test that hangs ends all the same.
  test: { include: ['src/**/*.test.{ts,tsx}'], environment: 'node', testTimeout: 60_000 },
}));
