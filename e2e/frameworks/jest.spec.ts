/** The package's tests from docs/testing.md in Jest, as CommonJS and as ES modules. */
import { block } from '../developer/docs.ts';
import { test } from '../package/installed-package.ts';
import { expect } from '../support/fixtures.ts';
import { installProject } from './project.ts';

/** The newest release of each major version that docs/testing.md names. */
const VERSIONS = ['29.7.0', '30.5.2'];

const COMPONENTS = 'testing: Your components in happy-dom or jsdom';

/** A test of the page as written for Jest, which provides its functions as globals. */
const forJest = (name: string, environment: 'jsdom' | 'node') =>
  `/** @jest-environment ${environment} */\n${block(name).replace(/^\/\/ @vitest.*\n|^import .* from 'vitest';\n/gm, '')}`;

const components = forJest(`${COMPONENTS}: js`, 'jsdom');

/** A server's test that uses the sandbox, and the page entries used where there is no page. */
const NODE = `/** @jest-environment node */
import { loadCardForm } from '@partner/card-form';
import { createSandbox, listen } from '@partner/card-form/sandbox';
import { createServiceClient } from '@partner/card-form/server';
import { fakeCardForm } from '@partner/card-form/testing/fake';
import { paper } from '@partner/card-form/themes';

it('creates a payment, and has no form where there is no page', async () => {
  const sandbox = createSandbox();
  const { url: baseUrl, close } = await listen(sandbox, { port: 0 });
  const service = createServiceClient({ baseUrl, secretKey: sandbox.keys.secret });
  const items = [{ name: 'Mug', quantity: 1, unit_amount: 1000 }];
  const order = { amount: 1000, currency: 'usd', items };
  expect((await service.paymentIntents.create(order, { idempotencyKey: 'order-1' })).status).toBe('pending');
  await close();
  expect(await loadCardForm(baseUrl)).toBeNull();
  expect([typeof fakeCardForm, typeof paper]).toEqual(['function', 'object']);
});
`;

/** The components, and timers that stand still. */
const REACT_AND_VUE = `/** @jest-environment jsdom */
import { CardForm as ReactForm } from '@partner/card-form/react';
import { fakeCardForm } from '@partner/card-form/testing/fake';
import { CardForm as VueForm } from '@partner/card-form/vue';
import { act, createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createApp, h } from 'vue';

globalThis.IS_REACT_ACT_ENVIRONMENT = true;
const SETTINGS = {
  baseUrl: 'https://pay.example',
  publishableKey: 'pk_live_sandbox0000000000000000000000001',
  clientSecret: 'lg_cs_1',
};
const told = jest.fn();
const settings = { ...SETTINGS, onDecline: () => told('declined'), onResult: ({ outcome }) => told(outcome) };
let fake;
beforeEach(() => {
  jest.useFakeTimers();
  told.mockClear();
  fake = fakeCardForm();
  document.body.innerHTML = '<main></main>';
});
afterEach(() => fake.remove());

it('React', async () => {
  const root = createRoot(document.querySelector('main'));
  await act(async () => root.render(createElement(ReactForm, settings)));
  await act(() => fake.decline());
  await act(() => fake.pay());
  await act(async () => root.unmount());
  expect(told.mock.calls).toEqual([['declined'], ['succeeded']]);
});

it('Vue', async () => {
  const app = createApp(() => h(VueForm, settings));
  app.mount('main');
  await fake.pay();
  app.unmount();
  expect(told.mock.calls).toEqual([['succeeded']]);
});
`;

for (const version of VERSIONS)
  test(`Jest ${version}: the documented tests pass with only the documented configuration`, async ({
    installed,
  }) => {
    const packages = {
      jest: version,
      'jest-environment-jsdom': version,
      '@babel/preset-env': '7.29.14',
      ...{ react: '19.3.1', 'react-dom': '19.3.1', vue: '3.5.45' },
    };
    const project = await installProject(packages, installed.tarball, { type: 'commonjs' });
    try {
      await project.write({
        'jest.config.js': block(`${COMPONENTS}: js 3`),
        'checkout.js': block(`${COMPONENTS}: js 2`),
        'checkout.test.js': components,
        'server.test.js': NODE,
        'components.test.js': REACT_AND_VUE,
      });
      expect(await project.run(['jest'])).toContain('7 passed');
      await project.write({
        'modules/package.json': '{"type":"module"}',
        'modules/checkout.js': block(`${COMPONENTS}: js 2`),
        'modules/checkout.test.js': components,
      });
      const asModules = { NODE_OPTIONS: '--experimental-vm-modules' };
      expect(await project.run(['jest', '--rootDir', 'modules', '--config', '{}'], asModules)).toContain(
        '4 passed',
      );
    } finally {
      await project.remove();
    }
  });
