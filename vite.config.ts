/**
 * One build for everything: the frame (an HTML page), the loader (a classic script for merchants' pages) and
 * the programs that run in Node (sandbox, shop). `dist/` mirrors the addresses a service hosts.
 *
 *   dist/partner/v1/card-form.js                     the moving address of the loader
 *   dist/partner/v1/card-form/frame.html             the moving address of the frame document
 *   dist/partner/v1/card-form/<release>/…            what never changes: loader, frame, its scripts and styles
 *   dist/sandbox/…                                   for Node
 */
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { defineConfig } from 'vitest/config';
import packageJson from './package.json' with { type: 'json' };
import { addressData } from './src/address/compile.ts';
import { developmentServer } from './src/development.ts';

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Stands for the release in everything that is built, until the content it is a hash of exists. */
const UNSEALED = '__RELEASE__';
const HOSTED = path('dist/partner/v1');
const STAGED = join(HOSTED, 'card-form', UNSEALED);

export default defineConfig(({ command }) => ({
  publicDir: false,
  base: command === 'build' ? `/partner/v1/card-form/${UNSEALED}/` : '/',
  define: {
    __RELEASE__: JSON.stringify(command === 'build' ? UNSEALED : process.env.VITEST ? 'test' : 'dev'),
  },
  plugins: [addressData(), developmentServer()],
  environments: {
    client: {
      build: {
        outDir: STAGED,
        emptyOutDir: true,
        target: 'es2022',
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0,
        rolldownOptions: { input: path('src/frame/index.html') },
      },
    },
    loader: {
      consumer: 'client',
      build: {
        outDir: STAGED,
        emptyOutDir: false,
        target: 'es2020',
        rolldownOptions: {
          input: path('src/loader/main.ts'),
          output: { format: 'iife', entryFileNames: 'card-form.js' },
        },
      },
    },
    node: {
      consumer: 'server',
      build: {
        outDir: path('dist/sandbox'),
        emptyOutDir: true,
        target: 'node20',
        rolldownOptions: {
          input: {
            start: path('src/start.ts'),
            cli: path('src/sandbox/cli.ts'),
            sandbox: path('src/sandbox/sandbox.ts'),
            server: path('src/sandbox/server.ts'),
            shop: path('src/demo/shop.ts'),
          },
          output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
        },
      },
    },
  },
  builder: {
    async buildApp(builder) {
      await rm(path('dist'), { recursive: true, force: true });
      const { client, loader, node } = builder.environments;
      if (!client || !loader || !node) throw new Error('An environment is missing in vite.config.ts.');
      await builder.build(client);
      await builder.build(loader);
      await seal();
      await builder.build(node);
    },
  },
  test: { include: ['src/**/*.test.{ts,tsx}'], environment: 'node' },
}));

/** Names the release after its content, and puts it where it is served from. */
const seal = async () => {
  await rename(join(STAGED, 'src/frame/index.html'), join(STAGED, 'frame.html'));
  await rm(join(STAGED, 'src'), { recursive: true });

  const files = (await readdir(STAGED, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${relative(STAGED, file)}\0`).update(await readFile(file));
  const release = `${packageJson.version}-${hash.digest('hex').slice(0, 12)}`;

  for (const file of files) {
    const sealed = (await readFile(file, 'utf8')).replaceAll(UNSEALED, release);
    await writeFile(file, sealed);
    await writeFile(`${file}.br`, smallest(sealed));
  }
  const home = join(HOSTED, 'card-form', release);
  await rename(STAGED, home);
  await mkdir(HOSTED, { recursive: true });
  for (const suffix of ['', '.br']) {
    await cp(join(home, `card-form.js${suffix}`), join(HOSTED, `card-form.js${suffix}`));
    await cp(join(home, `frame.html${suffix}`), join(HOSTED, 'card-form', `frame.html${suffix}`));
  }
};

const smallest = (text: string) =>
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } });
