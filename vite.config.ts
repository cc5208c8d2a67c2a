/**
 * One build for all programs: the frame (an HTML page), the loader (a classic script for merchants' pages) and
 * the programs for Node (sandbox, shop). `dist/` mirrors the addresses that a service hosts.
 *
 *   dist/partner/v1/card-form.js                     the moving address of the loader
 *   dist/partner/v1/card-form/frame.html             the moving address of the frame document
 *   dist/partner/v1/card-form/<release>/…            one release, immutable: loader, frame, scripts and styles
 *   dist/headers.json, sri.json, SCRIPTS.md          headers to send, hashes, inventory of scripts
 *   dist/nginx/…, dist/caddy/…, dist/cloudflare/…    the headers as configuration of three hosts
 *   dist/image/hosting/…, dist/image/sandbox/…      what builds a container image of each
 *   dist/well-known/security.txt.template            to fill in and serve (RFC 9116)
 *   dist/llms.txt                                    the documentation as one text, also at the project's root for npm
 *   dist/openapi.json                                the API of the service (OpenAPI 3.1)
 *   dist/sandbox/…                                   the programs for Node
 *   dist/sandbox/inspector/…                         the sandbox's inspector page
 *   dist/playground/…                                the playground: a page of static files, to host anywhere
 *   dist/demo/…                                      the single-page checkouts of the demo
 *   dist/package/…, types/…, LICENCES.md             the npm package's entries, types and licences
 */
import { copyFile, cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ViteBuilder } from 'vite';
import { defineConfig } from 'vitest/config';
import packageJson from './package.json' with { type: 'json' };
import { addressData } from './src/address/compile.ts';
import { hostedFonts } from './src/appearance/compile.ts';
import { brandTable } from './src/card/compile.ts';
import { buildShops } from './src/demo/build.ts';
import { developmentServer, PACKAGE } from './src/development.ts';
import { buildFolder, isRunning, removeAbandonedBuilds, replaceFolder } from './src/hosting/build-folder.ts';
import { inlineDocument, verifiedImports } from './src/hosting/document.ts';
import { MISTAKES_INTEGRITY, PAGE_INTEGRITY } from './src/hosting/integrity.ts';
import { writeLicences } from './src/hosting/licences.ts';
import { LLMS_TXT, llmsText, readPages } from './src/hosting/llms.ts';
import { installedVersions, onlyKnownPackages } from './src/hosting/packages.ts';
import { prerenderedForm } from './src/hosting/prerender.ts';
import { finishRelease, RELEASE_PLACEHOLDER, writeManifests } from './src/hosting/release.ts';
import { parseSigningKey, type Signer } from './src/hosting/signature.ts';
import { numberPatterns } from './src/i18n/compile.ts';
import { declare } from './src/package/declare.ts';
import { copySvelteComponent } from './src/package/svelte-component.ts';

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

const DIST = path('dist');
/** The build is made here and replaces `dist/` when it is complete. */
const BUILD_FOLDER = buildFolder(path('.'), process.pid);
/** The URL and folder of the frame's files until the release has its name. */
const BASE = `/partner/v1/card-form/${RELEASE_PLACEHOLDER}/`;
const STAGING = join(BUILD_FOLDER, 'partner/v1/card-form', RELEASE_PLACEHOLDER);

/** The inspector's page with the URLs of the built files instead of the sources. */
const withBuiltUrls = (html: string): string =>
  html
    .replace('/src/sandbox/inspector/main.tsx', '/_sandbox/inspector.js')
    .replace('/src/sandbox/inspector/inspector.css', '/_sandbox/inspector.css');

/** The playground's page with the built files, relative to itself, instead of the sources. */
const playgroundPage = async (folder: string): Promise<string> => {
  const names = await readdir(join(folder, 'assets'));
  const nameOf = (extension: string) => {
    const [name, ...others] = names.filter((one) => one.endsWith(extension));
    if (name === undefined || others.length > 0)
      throw new Error(`The playground must have one file *${extension}; it has ${names.join(', ')}.`);
    return `./assets/${name}`;
  };
  return (await readFile(path('src/playground/index.html'), 'utf8'))
    .replace('/src/playground/main.tsx', nameOf('.js'))
    .replace('/src/playground/playground.css', nameOf('.css'));
};

/** The signer of the loader, if there is a key. Removes the key from the environment, so that no plugin can read it. */
const signerOf = (environment: NodeJS.ProcessEnv): Signer | null => {
  const { CARD_FORM_SIGNING_KEY: key } = environment;
  delete environment.CARD_FORM_SIGNING_KEY;
  return key === undefined ? null : parseSigningKey(key);
};

/** The plugins that compile data into tables. */
const tables = () => [addressData(), brandTable(), hostedFonts(), numberPatterns()];

/** Builds the whole of `dist/` in `BUILD_FOLDER`. */
const buildAll = async (builder: ViteBuilder, signer: Signer | null): Promise<void> => {
  const { client, loader, page, package: npm, node, inspector, playground } = builder.environments;
  if (!client || !loader || !page || !npm || !node || !inspector || !playground)
    throw new Error('An environment is missing in vite.config.ts.');
  await builder.build(client);
  await builder.build(loader);
  await builder.build(page);
  await rename(join(STAGING, 'src/frame/index.html'), join(STAGING, 'frame.html'));
  await rm(join(STAGING, 'src'), { recursive: true });
  const release = await finishRelease(BUILD_FOLDER, packageJson.version);
  await writeManifests(BUILD_FOLDER, release, {
    versions: await installedVersions(path('.')),
    documentation: llmsText(await readPages(path('.'))),
    signer,
  });
  const { openApi } = await import('./src/sandbox/openapi/openapi.ts');
  await writeFile(
    join(BUILD_FOLDER, 'openapi.json'),
    `${JSON.stringify(openApi(packageJson.version), null, 2)}\n`,
  );
  await builder.build(npm);
  await copySvelteComponent(path('.'), join(BUILD_FOLDER, 'package'));
  await builder.build(node);
  await buildShops(path('.'), join(BUILD_FOLDER, 'demo'), join(BUILD_FOLDER, 'package'));
  await builder.build(inspector);
  await writeFile(
    join(BUILD_FOLDER, 'sandbox/inspector/index.html'),
    withBuiltUrls(await readFile(path('src/sandbox/inspector/index.html'), 'utf8')),
  );
  await builder.build(playground);
  await writeFile(
    join(BUILD_FOLDER, 'playground/index.html'),
    await playgroundPage(join(BUILD_FOLDER, 'playground')),
  );
  await declare(path('.'), join(BUILD_FOLDER, 'types'));
  await writeLicences(path('.'), join(BUILD_FOLDER, 'LICENCES.md'));
  for (const name of ['hosting', 'sandbox'])
    await cp(path(`src/${name}/image`), join(BUILD_FOLDER, 'image', name), { recursive: true });
};

export default defineConfig(({ command }) => ({
  publicDir: false,
  // No table of plugin timings: it is noise for people who only start the project.
  build: { rolldownOptions: { checks: { bundlerTimings: false } } },
  base: command === 'build' ? BASE : '/',
  define: {
    // Of the loader, which the development server bundles by itself (src/development.ts).
    __RELEASE__: JSON.stringify(command === 'build' ? RELEASE_PLACEHOLDER : 'test'),
    __PAGE_INTEGRITY__: JSON.stringify(command === 'build' ? PAGE_INTEGRITY : ''),
    __MISTAKES_INTEGRITY__: JSON.stringify(command === 'build' ? MISTAKES_INTEGRITY : ''),
  },
  // The demo shop imports the package by its name, as a merchant does.
  resolve: { alias: PACKAGE },
  plugins: [
    ...tables(),
    developmentServer(),
    onlyKnownPackages(),
    verifiedImports(),
    prerenderedForm(tables),
    inlineDocument({ release: RELEASE_PLACEHOLDER, base: BASE, always: ['pay'] }),
  ],
  environments: {
    client: {
      build: {
        outDir: STAGING,
        emptyOutDir: true,
        target: 'es2022',
        modulePreload: false,
        assetsInlineLimit: 0,
        rolldownOptions: {
          input: path('src/frame/index.html'),
          output: {
            assetFileNames: 'assets/[name][extname]',
            // No hashes in file names, because the folder's name contains a hash of all content.
            chunkFileNames: ({ moduleIds }) =>
              moduleIds.some((id) => id.includes('virtual:address-data/'))
                ? 'assets/address-[name].js'
                : 'assets/[name].js',
          },
        },
      },
    },
    loader: {
      // It runs in browsers, but for a client Vite would wrap each import() in its preload helper.
      consumer: 'server',
      build: {
        minify: true,
        ssr: true,
        outDir: STAGING,
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
      consumer: 'server', // it also runs in Node
      build: {
        outDir: join(BUILD_FOLDER, 'package'),
        emptyOutDir: true,
        target: 'es2021',
        rolldownOptions: {
          input: {
            'card-form': path('src/package/card-form.ts'),
            binding: path('src/package/binding.ts'),
            react: path('src/package/react.ts'),
            cypress: path('src/package/cypress.ts'),
            vue: path('src/package/vue.ts'),
            server: path('src/package/server.ts'),
            testing: path('src/package/testing.ts'),
            themes: path('src/package/themes.ts'),
          },
          external: ['react', 'vue'], // a shop's own
          output: {
            entryFileNames: '[name].js',
            chunkFileNames: '[name].js',
            // A server component of React may import the form, but not run it.
            banner: ({ name }) => (name === 'react' ? "'use client';" : ''),
          },
        },
      },
    },
    // The loader imports page.js on demand from its own folder, and that one mistakes.js.
    page: {
      consumer: 'client',
      build: {
        outDir: STAGING,
        emptyOutDir: false,
        target: 'es2022',
        modulePreload: false,
        rolldownOptions: {
          preserveEntrySignatures: 'exports-only',
          input: { page: path('src/loader/page.ts'), mistakes: path('src/loader/mistakes.ts') },
          output: { format: 'es', entryFileNames: '[name].js' },
        },
      },
    },
    inspector: {
      consumer: 'client',
      build: {
        outDir: join(BUILD_FOLDER, 'sandbox/inspector'),
        emptyOutDir: true,
        target: 'es2022',
        modulePreload: false,
        rolldownOptions: {
          input: path('src/sandbox/inspector/main.tsx'),
          output: { entryFileNames: 'inspector.js', assetFileNames: 'inspector[extname]' },
        },
      },
    },
    playground: {
      consumer: 'client',
      build: {
        outDir: join(BUILD_FOLDER, 'playground'),
        emptyOutDir: true,
        target: 'es2022',
        modulePreload: false,
        rolldownOptions: {
          input: { playground: path('src/playground/main.tsx') },
          output: {
            entryFileNames: 'assets/[name]-[hash].js',
            assetFileNames: 'assets/[name]-[hash][extname]',
          },
        },
      },
    },
    node: {
      consumer: 'server',
      resolve: { noExternal: true },
      build: {
        outDir: join(BUILD_FOLDER, 'sandbox'),
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
      await removeAbandonedBuilds(path('.'), (pid) => pid !== process.pid && isRunning(pid));
      try {
        await buildAll(builder, signer);
        await replaceFolder(BUILD_FOLDER, DIST);
        await copyFile(join(DIST, LLMS_TXT), join(path('.'), LLMS_TXT));
      } finally {
        await rm(BUILD_FOLDER, { recursive: true, force: true });
      }
    },
  },
  // A generous timeout for slow machines. It only has to end tests that hang.
  test: {
    include: ['src/**/*.test.{ts,tsx}'],
    environment: 'node',
    testTimeout: 60_000,
    maxWorkers: '100%',
    pool: 'threads',
  },
}));
