/** Builds the single-page checkouts, each as its framework's own shop would, against the package as it is built. */
import { svelte } from '@sveltejs/vite-plugin-svelte';
import react from '@vitejs/plugin-react';
import vue from '@vitejs/plugin-vue';
import { build, type PluginOption } from 'vite';

const SHOPS: readonly { name: string; entry: string; plugin: PluginOption; mode?: string }[] = [
  // StrictMode mounts twice in React's development build alone.
  { name: 'react', entry: 'main.tsx', plugin: react(), mode: 'development' },
  { name: 'vue', entry: 'main.ts', plugin: vue() },
  { name: 'svelte', entry: 'main.ts', plugin: svelte({ configFile: false }) },
];

/** Writes one script for each to `out`. `card` is the package's entry, built. */
export const buildShops = async (root: string, out: string, card: string): Promise<void> => {
  for (const { name, entry, plugin, mode = 'production' } of SHOPS) {
    await build({
      root,
      configFile: false,
      publicDir: false,
      logLevel: 'warn',
      define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
      resolve: { alias: { '@partner/card-form': card } },
      plugins: [plugin],
      build: {
        outDir: out,
        emptyOutDir: false,
        modulePreload: { polyfill: false },
        rolldownOptions: {
          checks: { bundlerTimings: false },
          input: { [name]: `${root}/src/demo/${name}/${entry}` },
          output: { entryFileNames: '[name].js' },
        },
      },
    });
  }
};
