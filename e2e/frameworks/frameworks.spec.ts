/**
 * The bindings in fresh projects with the packed package, each built for production, in a browser. docs/frameworks.md
 * has the result with its date: update both together.
 */
import type { Page } from 'playwright/test';
import { test } from '../package/installed-package.ts';
import { fillCardForm, payCardForm } from '../support/built-modules.mjs';
import { CARD, checkoutPage } from '../support/checkout-page.ts';
import { expect } from '../support/fixtures.ts';
import { type Service, startService } from '../support/service.ts';
import { type Project, type Recipe, startProject } from './project.ts';

const VITE_REACT: Omit<Recipe, 'packages'> = {
  template: 'vite-react',
  build: [
    ['tsc', '-p', '.'],
    ['vite', 'build'],
  ],
  start: (port) => ['vite', 'preview', '--host', '127.0.0.1', '--port', port, '--strictPort'],
  isRendered: false,
};

const RECIPES: Readonly<Record<string, Recipe>> = {
  'Vite and React 18': {
    ...VITE_REACT,
    packages: {
      react: '18.3.1',
      'react-dom': '18.3.1',
      '@types/react': '18.3.27',
      '@types/react-dom': '18.3.7',
      vite: '8.3.8',
      '@vitejs/plugin-react': '6.3.0',
      typescript: '5.9.3',
    },
  },
  'Vite and React 19': {
    ...VITE_REACT,
    packages: {
      react: '19.3.1',
      'react-dom': '19.3.1',
      '@types/react': '19.3.0',
      '@types/react-dom': '19.3.0',
      vite: '8.3.8',
      '@vitejs/plugin-react': '6.3.0',
      typescript: '5.9.3',
    },
  },
  'Next.js, App Router': {
    template: 'next',
    packages: {
      next: '16.4.6',
      react: '19.3.1',
      'react-dom': '19.3.1',
      '@types/react': '19.3.0',
      '@types/react-dom': '19.3.0',
      '@types/node': '20.19.43',
      typescript: '5.9.3',
    },
    build: [['next', 'build']],
    start: (port) => ['next', 'start', '--hostname', '127.0.0.1', '--port', port],
    isRendered: true,
  },
  Nuxt: {
    template: 'nuxt',
    packages: {
      nuxt: '4.3.1',
      vue: '3.5.45',
      'vue-router': '4.6.4',
      'vue-tsc': '3.3.14',
      typescript: '5.9.3',
    },
    build: [
      ['nuxt', 'typecheck'],
      ['nuxt', 'build'],
    ],
    start: () => ['node', '.output/server/index.mjs'],
    isRendered: true,
  },
  SvelteKit: {
    template: 'sveltekit',
    packages: {
      '@sveltejs/kit': '2.70.4',
      '@sveltejs/adapter-node': '5.5.7',
      '@sveltejs/vite-plugin-svelte': '7.3.1',
      svelte: '5.57.3',
      'svelte-check': '4.7.8',
      typescript: '5.9.3',
      vite: '8.3.8',
    },
    build: [
      ['svelte-kit', 'sync'],
      ['svelte-check', '--fail-on-warnings'],
      ['vite', 'build'],
    ],
    start: () => ['node', 'build'],
    isRendered: true,
  },
};

for (const [name, recipe] of Object.entries(RECIPES)) {
  test.describe(name, () => {
    test.describe.configure({ mode: 'default' }); // one project serves all
    let service: Service;
    let project: Project;

    test.beforeAll(async ({ installed }) => {
      service = await startService({});
      project = await startProject(recipe, installed.tarball, {
        SERVICE: service.url,
        PUBLISHABLE_KEY: service.keys.publishable,
        SECRET_KEY: service.keys.secret,
      });
      const isUp = async () => (await fetch(project.url).catch(() => null))?.status ?? project.said();
      await expect.poll(isUp, { timeout: 60_000 }).toBe(200);
    });
    test.afterAll(async () => {
      await project?.stop();
      await service?.stop();
    });

    const expectPaid = async (page: Page, expected: object) => {
      await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible();
      await expect(page.locator('iframe')).toHaveCount(0);
      const [latest = ''] = await service.intents();
      expect(await service.record(latest)).toMatchObject({ charges: 1, ...expected });
    };

    test('pays the total that the server changed, after other routes, a decline and another card', async ({
      page,
    }) => {
      await page.goto(`${project.url}/?order=A-1`, { waitUntil: 'networkidle' });
      const checkOut = async () => {
        await page.getByText('Check out').click();
        await expect(page.getByRole('heading', { name: 'Payment' })).toBeVisible();
        return checkoutPage(page, 'body');
      };
      // Another route removes the form; back at the checkout there is exactly one.
      for (let round = 0; round < 3; round += 1) {
        const checkout = await checkOut();
        await checkout.ready();
        await page.getByText('Back to the cart').click();
        await expect(page.getByRole('heading', { name: 'Your cart' })).toBeVisible();
        await expect(page.locator('iframe')).toHaveCount(0);
      }
      const checkout = await checkOut();
      await expect(page.locator('iframe')).toHaveCount(1);
      await fillCardForm(page, { number: CARD.declined });
      await page.getByRole('button', { name: 'Wrap it' }).click();
      await expect(checkout.payButton).toHaveText('Pay $63.04');
      await expect(checkout.field('number')).toHaveValue('4000 0000 0000 0002');
      await payCardForm(page);
      await expect(page.getByText('Another card, please.')).toBeVisible();
      await payCardForm(page, { number: CARD.visa });
      await expectPaid(page, { confirms: 2 });
    });

    if (recipe.isRendered) {
      test("the HTML from the server has the form's iframe, which the browser loads once", async ({
        page,
      }) => {
        let documents = 0;
        page.on('request', (request) => {
          if (/\/card-form\/(.+\/)?frame/.test(request.url()) && request.isNavigationRequest())
            documents += 1;
        });
        const response = await page.goto(`${project.url}/checkout?order=A-2`);
        expect(await response?.text()).toMatch(
          /<iframe[^>]* data-card-form-frame|<iframe data-card-form-frame/,
        );
        await checkoutPage(page, 'body').ready();
        expect(documents).toBe(1);
        await payCardForm(page, {});
        await expectPaid(page, { confirms: 1 });
      });
    }
  });
}
