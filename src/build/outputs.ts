/**
 * The outputs of a build, one entry each, in build order. `dist/` mirrors the addresses that a service hosts.
 *
 *   dist/partner/v1/card-form.js                     the moving address of the loader
 *   dist/partner/v1/card-form/frame.html             the moving address of the frame document
 *   dist/partner/v1/card-form/<release>/…            one immutable release: loader, frames by language, scripts, styles
 *   dist/headers.json, sri.json, SCRIPTS.md          headers to send, hashes, inventory of scripts
 *   dist/nginx/…, dist/caddy/…, dist/cloudflare/…    the headers as configuration of three hosts
 *   dist/image/hosting/…, dist/image/sandbox/…      build files for a container image of each
 *   dist/well-known/security.txt.template            to fill in and serve (RFC 9116)
 *   dist/llms.txt                                    the documentation as one text; also in the project's root, for npm
 *   dist/openapi.json                                the API of the service (OpenAPI 3.1)
 *   dist/api.md                                      the same for developers of a merchant's server
 *   dist/sandbox/…                                   the programs for Node
 *   dist/sandbox/inspector/…                         the sandbox's inspector page
 *   dist/playground/…                                the playground: a static page to host anywhere
 *   dist/demo/…                                      the single-page checkouts of the demo
 *   dist/package/…, types/…, LICENCES.md             the npm package: entries, types, licences; CommonJS: *.cjs, *.cts
 */
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EnvironmentOptions, Rolldown } from 'vite';
import { INSPECTOR } from '../api/routes.ts';
import type { Signer } from '../api/served/signature.ts';
import type { Form } from '../form/loader/form.ts';
import { declare } from './declare.ts';
import { buildShops } from './demo.ts';
import { writeLanguages } from './language-document.ts';
import { writeLicences } from './licences.ts';
import { alone, llmsText, readPages } from './llms.ts';
import { installedVersions } from './packages.ts';
import { finishRelease, writeManifests } from './release.ts';
import { copySvelteComponent } from './svelte-component.ts';

/** Inputs and folders of a build. */
export type Build = {
  /** The project's folder. */
  root: string;
  /** Folder in which the build is made; it replaces `dist/` when it is complete. */
  folder: string;
  /** Folder of the release's files until the release has its name. */
  staging: string;
  version: string;
  /** The loader's signer, if there is a key. */
  signer: Signer | null;
};

type Output = {
  name: string;
  /** Vite's bundle configuration, if there is a bundle. */
  environment?: (build: Build) => EnvironmentOptions;
  /** Writes further files after the bundle. */
  write?: (build: Build) => Promise<unknown>;
};

/** For a bundle that runs in browsers, without Vite's helper that preloads modules. */
const IN_BROWSERS = { target: 'es2022', modulePreload: false } as const;

/** Folders of the container images, by their name in `dist/image/`. */
const IMAGES = { hosting: 'src/owner/hosting/image', sandbox: 'src/sandbox/service/image' };

/** Name of a chunk. Chunks of address data are named after a region. */
const namedByPart = ({ moduleIds }: Rolldown.PreRenderedChunk): string =>
  moduleIds.some((id) => id.includes('virtual:address-data/')) ? 'address-[name]' : '[name]';

/**
 * Output of a library as ES modules (`.js`) and as CommonJS modules (`.cjs`), for tools that can't load ES modules,
 * such as Jest. `chunkName` names the files shared by entries.
 */
const inBothForms = (
  chunkName: (chunk: Rolldown.PreRenderedChunk) => string,
  options: Rolldown.OutputOptions = {},
): Rolldown.OutputOptions[] =>
  (
    [
      ['es', '.js'],
      ['cjs', '.cjs'],
    ] as const
  ).map(([format, ending]) => ({
    ...options,
    format,
    entryFileNames: `[name]${ending}`,
    chunkFileNames: (chunk) => `${chunkName(chunk)}${ending}`,
  }));

/** Loader properties that no other program uses. Complete by type; the browser tests run the result. */
const SHORTENED: Readonly<Record<keyof Form, true>> = {
  box: true,
  container: true,
  content: true,
  documents: true,
  emit: true,
  fetchedSecret: true,
  frameState: true,
  hellos: true,
  home: true,
  importSecond: true,
  isRemoved: true,
  listeners: true,
  options: true,
  page: true,
  pipe: true,
  report: true,
  service: true,
  timer: true,
};

/**
 * Chromium compiles every function of a script that starts with this comment off the main thread while the script
 * arrives, instead of one by one when they are first called.
 */
const COMPILE_ALL = '//# allFunctionsCalledOnLoad';

export const OUTPUTS: readonly Output[] = [
  {
    // The frame.
    name: 'client',
    environment: ({ root, staging }) => ({
      build: {
        ...IN_BROWSERS,
        outDir: staging,
        emptyOutDir: true,
        assetsInlineLimit: 0,
        cssCodeSplit: false, // otherwise each script would name the one style, which is inlined
        rolldownOptions: {
          input: join(root, 'src/form/frame/index.html'),
          optimization: { inlineConst: { mode: 'all', pass: 3 } },
          output: {
            assetFileNames: 'assets/[name][extname]',
            // No hashes in file names, because the folder's name contains a hash of all content.
            chunkFileNames: 'assets/[name].js',
            postBanner: ({ name }) => (name === 'form' ? COMPILE_ALL : ''), // hydrating the form calls most of them
          },
        },
      },
    }),
  },
  {
    name: 'loader',
    environment: ({ root, staging }) => ({
      // It runs in browsers, but for a client Vite would wrap each import() in its preload helper.
      consumer: 'server',
      build: {
        minify: true,
        ssr: true,
        outDir: staging,
        emptyOutDir: false,
        target: 'es2021',
        rolldownOptions: {
          input: join(root, 'src/form/loader/main.ts'),
          optimization: { inlineConst: { mode: 'all', pass: 3 } },
          output: {
            format: 'iife',
            topLevelVar: false,
            entryFileNames: 'card-form.js',
            comments: false,
            minify: { mangleProps: { include: new RegExp(`^(${Object.keys(SHORTENED).join('|')})$`) } },
          },
        },
      },
    }),
  },
  {
    // The loader imports page.js on demand from its own folder, and page.js imports the others.
    name: 'page',
    environment: ({ root, staging }) => ({
      consumer: 'client',
      build: {
        ...IN_BROWSERS,
        outDir: staging,
        emptyOutDir: false,
        rolldownOptions: {
          preserveEntrySignatures: 'exports-only',
          input: {
            page: join(root, 'src/form/loader/page.ts'),
            mistakes: join(root, 'src/form/loader/mistakes.ts'),
            'page-gives': join(root, 'src/form/loader/page-gives.ts'),
          },
          output: { format: 'es', entryFileNames: '[name].js' },
        },
      },
    }),
  },
  {
    // Separate from page.js, with which it would otherwise share files.
    name: 'look',
    environment: ({ root, staging }) => ({
      consumer: 'client',
      build: {
        ...IN_BROWSERS,
        outDir: staging,
        emptyOutDir: false,
        rolldownOptions: {
          preserveEntrySignatures: 'exports-only',
          input: join(root, 'src/form/loader/look/page-look.ts'),
          output: { format: 'es', entryFileNames: 'page-look.js' },
        },
      },
    }),
  },
  {
    name: 'release',
    write: async ({ root, folder, staging, version, signer }) => {
      await rename(join(staging, 'src/form/frame/index.html'), join(staging, 'frame.html'));
      await rm(join(staging, 'src'), { recursive: true });
      await writeLanguages(staging);
      const { apiPage } = await import('./api-page.ts');
      const api = await apiPage();
      const pages = [...(await readPages(root)), api];
      await writeFile(join(folder, 'api.md'), alone(api, pages));
      await writeManifests(folder, await finishRelease(folder, version), {
        versions: await installedVersions(root),
        documentation: llmsText(pages),
        signer,
      });
    },
  },
  {
    name: 'openapi',
    write: async ({ folder, version }) => {
      const { openApi } = await import('../sandbox/service/openapi/openapi.ts');
      await writeFile(join(folder, 'openapi.json'), `${JSON.stringify(openApi(version), null, 2)}\n`);
    },
  },
  {
    name: 'package',
    environment: ({ root, folder }) => ({
      consumer: 'server', // it also runs in Node
      build: {
        outDir: join(folder, 'package'),
        emptyOutDir: true,
        target: 'es2021',
        rolldownOptions: {
          input: Object.fromEntries(
            ['card-form', 'binding', 'react', 'cypress', 'vue', 'server', 'testing', 'themes'].map(
              (entry) => [entry, join(root, `src/merchant/${entry}.ts`)],
            ),
          ),
          external: ['react', 'vue'], // provided by the shop
          output: inBothForms(() => '[name]', {
            // A React server component may import the form, but not run it.
            banner: ({ name }) => (name === 'react' ? "'use client';" : ''),
          }),
        },
      },
    }),
    write: ({ root, folder }) => copySvelteComponent(root, join(folder, 'package')),
  },
  {
    // The form for component tests. Separate from what a shop bundles for buyers, because it contains the form's code.
    name: 'fake',
    environment: ({ root, folder }) => ({
      consumer: 'server',
      resolve: { noExternal: true },
      build: {
        outDir: join(folder, 'package/fake'),
        emptyOutDir: true,
        target: 'node20',
        rolldownOptions: {
          // The fake contains what the frame loads later, so a shop's test doesn't wait for the network.
          checks: { ineffectiveDynamicImport: false },
          input: { fake: join(root, 'src/merchant/fake/fake.ts') },
          transform: {
            inject: { queueMicrotask: [join(root, 'src/merchant/fake/microtask.ts'), 'queueMicrotask'] },
          },
          output: inBothForms(namedByPart),
        },
      },
    }),
  },
  {
    name: 'node',
    environment: ({ root, folder }) => ({
      consumer: 'server',
      resolve: { noExternal: true },
      build: {
        outDir: join(folder, 'sandbox'),
        emptyOutDir: true,
        target: 'node20',
        rolldownOptions: {
          input: {
            start: join(root, 'src/sandbox/start.ts'),
            cli: join(root, 'src/cli/cli.ts'),
            sandbox: join(root, 'src/sandbox/service/sandbox.ts'),
            server: join(root, 'src/sandbox/service/server.ts'),
            package: join(root, 'src/sandbox/package.ts'),
            shop: join(root, 'src/sandbox/shop/shop.ts'),
          },
          output: {
            entryFileNames: '[name].js',
            chunkFileNames: 'chunks/[name]-[hash].js',
            banner: ({ name }) => (name === 'cli' ? '#!/usr/bin/env node' : ''),
          },
        },
      },
    }),
  },
  {
    // The sandbox as one CommonJS module, beside the ES module: programs are started, not required.
    name: 'sandbox',
    environment: ({ root, folder }) => ({
      consumer: 'server',
      resolve: { noExternal: true },
      build: {
        outDir: join(folder, 'sandbox'),
        emptyOutDir: false,
        target: 'node20',
        rolldownOptions: {
          input: { package: join(root, 'src/sandbox/package.ts') },
          output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
        },
      },
    }),
  },
  {
    name: 'demo',
    write: ({ root, folder }) => buildShops(root, join(folder, 'demo'), join(folder, 'package')),
  },
  {
    name: 'inspector',
    environment: ({ root, folder }) => ({
      consumer: 'client',
      build: {
        ...IN_BROWSERS,
        outDir: join(folder, 'sandbox/inspector'),
        emptyOutDir: true,
        rolldownOptions: {
          input: join(root, 'src/sandbox/inspector/main.tsx'),
          output: { entryFileNames: 'inspector.js', assetFileNames: 'inspector[extname]' },
        },
      },
    }),
    write: ({ root, folder }) =>
      writePage(join(root, 'src/sandbox/inspector/index.html'), join(folder, 'sandbox/inspector'), {
        '/src/sandbox/inspector/main.tsx': `${INSPECTOR}inspector.js`,
        '/src/sandbox/inspector/inspector.css': `${INSPECTOR}inspector.css`,
      }),
  },
  {
    name: 'playground',
    environment: ({ root, folder }) => ({
      consumer: 'client',
      build: {
        ...IN_BROWSERS,
        outDir: join(folder, 'playground'),
        emptyOutDir: true,
        rolldownOptions: {
          input: { playground: join(root, 'src/sandbox/playground/main.tsx') },
          output: {
            entryFileNames: 'assets/[name]-[hash].js',
            assetFileNames: 'assets/[name]-[hash][extname]',
          },
        },
      },
    }),
    write: async ({ root, folder }) => {
      const assets = await readdir(join(folder, 'playground/assets'));
      await writePage(join(root, 'src/sandbox/playground/index.html'), join(folder, 'playground'), {
        '/src/sandbox/playground/main.tsx': `./assets/${only('.js', assets)}`,
        '/src/sandbox/playground/playground.css': `./assets/${only('.css', assets)}`,
      });
    },
  },
  { name: 'types', write: ({ root, folder }) => declare(root, join(folder, 'types')) },
  { name: 'licences', write: ({ root, folder }) => writeLicences(root, join(folder, 'LICENCES.md')) },
  {
    name: 'images',
    write: async ({ root, folder }) => {
      for (const [image, source] of Object.entries(IMAGES))
        await cp(join(root, source), join(folder, 'image', image), { recursive: true });
    },
  },
];

/** Vite environments, by output name. */
export const environmentsOf = (build: Build): Record<string, EnvironmentOptions> =>
  Object.fromEntries(
    OUTPUTS.flatMap(({ name, environment }) => (environment ? [[name, environment(build)] as const] : [])),
  );

/** Writes a page with the URLs of the built files instead of the sources. */
const writePage = async (
  page: string,
  folder: string,
  urls: Readonly<Record<string, string>>,
): Promise<void> => {
  let html = await readFile(page, 'utf8');
  for (const [source, built] of Object.entries(urls)) html = html.replace(source, built);
  await writeFile(join(folder, 'index.html'), html);
};

/** The only file with this suffix. Throws if there is none or more than one. */
const only = (ending: string, names: readonly string[]): string => {
  const [name, ...others] = names.filter((one) => one.endsWith(ending));
  if (name === undefined || others.length > 0)
    throw new Error(`The playground must have one file *${ending}; it has ${names.join(', ')}.`);
  return name;
};
