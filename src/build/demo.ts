/** Builds the single-page checkouts with each framework's own plugin, against the built package. */
import { svelte } from '@sveltejs/vite-plugin-svelte';
import react from '@vitejs/plugin-react';
import vue from '@vitejs/plugin-vue';
import { build, type PluginOption } from 'vite';
import { failOnWarning } from './fail-on-warning.ts';

const SHOPS: readonly { name: string; entry: string; plugin: PluginOption; mode?: string }[] = [
  // Only React's development build mounts twice in StrictMode.
  { name: 'react', entry: 'main.tsx', plugin: react(), mode: 'development' },
  { name: 'vue', entry: 'main.ts', plugin: vue() },
  { name: 'svelte', entry: 'main.ts', plugin: svelte({ configFile: false }) },
];

/** Writes one script per framework to `out`. `builtPackage` is the folder with the package's built entries. */
export const buildShops = async (root: string, out: string, builtPackage: string): Promise<void> => {
  for (const { name, entry, plugin, mode = 'production' } of SHOPS) {
    await build({
      root,
      configFile: false,
      publicDir: false,
      logLevel: 'warn',
      define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
      resolve: { alias: { [`@partner/card-form/${name}`]: `${builtPackage}/${name}.js` } },
      plugins: [plugin],
      build: {
        outDir: out,
        emptyOutDir: false,
        modulePreload: { polyfill: false },
        rolldownOptions: {
          checks: { bundlerTimings: false },
          onwarn: failOnWarning,
          input: { [name]: `${root}/src/sandbox/shop/${name}/${entry}` },
          output: { entryFileNames: '[name].js' },
        },
      },
    });
  }
};
