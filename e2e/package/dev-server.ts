/** A single-page checkout in its framework's development server with hot module replacement. */
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import react from '@vitejs/plugin-react';
import vue from '@vitejs/plugin-vue';
import { createServer, type PluginOption } from 'vite';
import type { InstalledPackage } from './installed-package.ts';

/** The framework's plugin, the entry file, and the file that contains the form. */
type Checkout = { plugin: () => PluginOption; entry: string; form: string };

const CHECKOUTS = {
  react: { plugin: react, entry: 'react/main.tsx', form: 'react/App.tsx' },
  vue: { plugin: vue, entry: 'vue/main.ts', form: 'vue/Checkout.vue' },
  svelte: {
    plugin: () => svelte({ configFile: false }),
    entry: 'svelte/main.ts',
    form: 'svelte/App.svelte',
  },
} as const satisfies Record<string, Checkout>;

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Serves a copy of the checkout that uses this installed package; orders go to `shop`. */
export const startDevServer = async (
  framework: keyof typeof CHECKOUTS,
  shop: string,
  installed: InstalledPackage,
) => {
  const { plugin, entry, form } = CHECKOUTS[framework];
  const place = await mkdtemp(join(root, 'dist/hot-')); // below the project, whose packages it needs
  const folder = join(place, 'shop'); // as deep as the sources, whose tsconfig.json extends the project's
  await cp(join(root, 'src/sandbox/shop'), folder, { recursive: true });
  // Not a link: the package has to find the framework, which is further up.
  await cp(installed.folder, join(folder, 'node_modules/@partner/card-form'), { recursive: true });
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><title>Checkout</title><link rel="icon" href="data:,"><main id="app"></main><script type="module" src="/${entry}"></script>`,
  );
  const server = await createServer({
    root: folder,
    cacheDir: join(folder, '.vite'),
    configFile: false,
    logLevel: 'error',
    plugins: [plugin()],
    server: {
      host: 'localhost',
      port: 0,
      fs: { allow: [root] },
      proxy: { '/orders': shop }, // with the shop's own name as Host, the only one it answers to
    },
  });
  await server.listen();

  return {
    url: server.resolvedUrls?.local[0] ?? '',
    /** Saves the file that contains the form, adding a line that sets `window.hot` once the page runs it. */
    save: async () => {
      const path = join(folder, form);
      // By rename, as editors save: the watching server must not read a partly written file.
      const draft = `${path}~`;
      const source = await readFile(path, 'utf8');
      // In a single-file component the line goes to the beginning of the script.
      const [start = ''] = /^(<script.*>\n)?/.exec(source) ?? [];
      await writeFile(draft, `${start}Reflect.set(window, 'hot', true);\n${source.slice(start.length)}`);
      await rename(draft, path);
    },
    stop: async () => {
      await server.close();
      await rm(place, { recursive: true, force: true });
    },
  };
};
