/**
 * A page without a framework in each bundler, without any configuration for the package. docs/frameworks.md has the
 * result.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test as base } from '../package/installed-package.ts';
import { payCardForm } from '../support/built-modules.mjs';
import { checkoutPage } from '../support/checkout-page.ts';
import { expect } from '../support/fixtures.ts';
import { installProject } from './project.ts';

const PACKAGES = {
  esbuild: '0.28.2',
  parcel: '2.16.4',
  rollup: '4.68.8',
  '@rollup/plugin-node-resolve': '16.0.3',
  '@rspack/core': '2.3.3',
  '@rspack/cli': '2.2.8',
  vite: '8.3.8',
  webpack: '5.113.0',
  'webpack-cli': '7.3.1',
};

/** How each bundler makes `out/main.js` of `main.js`. */
const BUILDS = {
  esbuild: ['esbuild', 'main.js', '--bundle', '--outfile=out/main.js'],
  Parcel: ['parcel', 'build', 'main.js', '--dist-dir', 'out', '--no-cache'],
  Rollup: ['rollup', 'main.js', '-p', 'node-resolve', '-f', 'iife', '-o', 'out/main.js'],
  Rspack: ['rspack', 'build', '--mode', 'production', '--entry', './main.js', '-o', 'out'],
  Vite: ['vite', 'build'],
  webpack: ['webpack', '--mode', 'production', '--entry', './main.js', '-o', 'out'],
} as const;

/** The page's script: the package itself and one of its other entries. */
const MAIN = `
import { loadCardForm } from '@partner/card-form';
import { paper } from '@partner/card-form/themes';

const { service, ...payment } = window.payment;
loadCardForm(service).then((CardForm) => {
  const form = CardForm.mount('#card-form', { ...payment, appearance: paper });
  form.on('result', ({ outcome }) => {
    document.querySelector('h1').textContent = outcome;
  });
});
`;

const VITE = `export default {
  build: { outDir: 'out', rolldownOptions: { input: 'main.js', output: { entryFileNames: 'main.js' } } },
};`;

const test = base.extend<object, { project: Awaited<ReturnType<typeof installProject>> }>({
  project: [
    async ({ installed }, use) => {
      const project = await installProject(PACKAGES, installed.tarball);
      await project.write({ 'main.js': MAIN, 'vite.config.js': VITE });
      await use(project);
      await project.remove();
    },
    { scope: 'worker', timeout: 10 * 60_000 },
  ],
});

test.describe.configure({ mode: 'default' }); // one project serves all

for (const [name, command] of Object.entries(BUILDS))
  test(`${name}: its output, without any setting for the package, pays`, {
    tag: name === 'Vite' ? '@thorough' : [], // it builds for React in `frameworks.spec.ts`
  }, async ({ page, project, service, site }) => {
    await project.run(command);
    const { id, client_secret: clientSecret } = await service.createIntent();
    const payment = { service: service.url, publishableKey: service.keys.publishable, clientSecret };
    const main = await readFile(join(project.folder, 'out/main.js'), 'utf8');
    const body = `<h1>Payment</h1><div id="card-form"></div><script>window.payment = ${JSON.stringify(payment)};</script>
      <script type="module" src="/main.js"></script>`;
    site.put('/main.js', { body: main, type: 'text/javascript' });
    await page.goto(
      site.put('/', { body: `<!doctype html><meta charset="utf-8"><title>Shop</title>${body}` }),
    );
    await checkoutPage(page, 'body').ready();
    await payCardForm(page, {});
    await expect(page.getByRole('heading', { name: 'succeeded' })).toBeVisible();
    expect(await service.record(id)).toMatchObject({ charges: 1, confirms: 1 });
  });
