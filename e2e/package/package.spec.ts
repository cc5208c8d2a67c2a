import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fillCardForm, payCardForm } from '../support/built-modules.mjs';
import { BUYER, CARD } from '../support/checkout-page.ts';
import { test as base, expect } from '../support/fixtures.ts';
import { type InstalledPackage, installPackage } from './installed-package.ts';

const test = base.extend<object, { installed: InstalledPackage }>({
  installed: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from the pattern
    async ({}, use) => {
      const shop = await installPackage();
      await use(shop);
      await shop.remove();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});
test.describe.configure({ mode: 'default' }); // one installation serves all

test('installs as one package without dependencies, with only the files that a shop needs', async ({
  installed,
}) => {
  const modules = await readdir(join(installed.project, 'node_modules'));
  expect(modules.filter((name) => !name.startsWith('.'))).toEqual(['@partner']);
  const files = await readdir(installed.folder, { recursive: true });
  expect(files).toEqual(
    expect.arrayContaining([
      'README.md',
      'llms.txt',
      'LICENSE',
      'dist/LICENCES.md',
      'dist/sri.json',
      'dist/partner/v1/card-form.js',
      'dist/partner/v1/card-form/frame.html',
    ]),
  );
  const needed =
    /^(package\.json|README\.md|llms\.txt|LICENSE|dist(\/(partner|package|sandbox|types)(\/.+)?|\/[\w.]+)?)$/;
  expect(files.filter((path) => !needed.test(path))).toEqual([]);
  expect(files.filter((path) => /\.(tsx?|map)$/.test(path) && !path.endsWith('.d.ts'))).toEqual([]);
  const text = 'dist/sandbox/(shop|start|verify-served)';
  expect(files.filter((path) => new RegExp(text).test(path))).toEqual([]);
});

test('publint and attw report no problem', async ({ installed }) => {
  expect(await installed.tool('publint/src/cli.js', 'run', installed.tarball, '--strict')).toMatchObject({
    code: 0,
    output: expect.stringContaining('All good!'),
  });
  const attw = await installed.tool(
    '@arethetypeswrong/cli/dist/index.js',
    ...[installed.tarball, '--profile', 'esm-only', '--format', 'json'],
  );
  expect(attw).toMatchObject({ code: 0 });
  const { analysis, problems } = JSON.parse(attw.output);
  expect(Object.keys(analysis.entrypoints)).toEqual(
    expect.arrayContaining(['.', './sandbox', './testing', './themes', './sri.json']),
  );
  const ruled = ['NoResolution', 'CJSResolvesToESM']; // of Node before ES modules, which the profile leaves out
  expect(Object.keys(problems ?? {}).filter((kind) => !ruled.includes(kind))).toEqual([]);
});

/** What a shop would write, and lines that must not compile, for the strictest compiler settings. */
const PROGRAM = `
import {
  type CardFormInstance, type CardFormLoadError, type CardFormOptions, earlyFrame, loadCardForm, type Result,
} from '@partner/card-form';
import {
  createManualClock, createSandbox, listen, type SandboxOptions, verifyWebhook, WebhookError, type WebhookKey,
} from '@partner/card-form/sandbox';
import { fillCardForm, payCardForm, type TestPage } from '@partner/card-form/testing';
import { meadow, paper, print } from '@partner/card-form/themes';

const options: CardFormOptions = { publishableKey: 'pk_live_1', clientSecret: 'lg_cs_1', locale: 'de' };
export const themed: readonly CardFormOptions[] = [
  { ...options, appearance: paper },
  { ...options, appearance: { ...print, fields: 'separate', variables: { ...print.variables, borderRadius: '2px' } } },
  // @ts-expect-error: there is no such choice
  { ...options, appearance: { ...meadow, fields: 'group' } },
];

export const mount = async (): Promise<CardFormInstance | undefined> => {
  const CardForm = await loadCardForm('https://pay.example', { version: '0.1.0-abc', integrity: 'sha384-x', nonce: 'n' });
  const form = CardForm?.mount('#card-form', options);
  form?.on('result', (result) => result.outcome === 'failed' && told(result));
  form?.on('amountchange', ({ previous, current }) => current - previous);
  window.CardForm?.mount(document.body, options);
  // @ts-expect-error: where there is no window there is no CardForm
  CardForm.mount('#card-form', options);
  // @ts-expect-error: there is no such option
  CardForm?.mount('#card-form', { ...options, color: 'red' });
  // @ts-expect-error: there is no such event
  form?.on('paid', () => {});
  return form;
};

const told = (result: Result): string => {
  switch (result.outcome) {
    case 'failed':
      return result.error.recovery;
    case 'unknown':
      return result.reason;
    default:
      return result.paymentIntent.status;
  }
};
export const why = ({ code }: CardFormLoadError): boolean => code === 'csp';
export const early: string = earlyFrame('https://pay.example');
// @ts-expect-error: it is the address of the service
loadCardForm();

const settings: SandboxOptions = { attempts: 2, clock: createManualClock() };
export const serve = async () => (await listen(createSandbox(settings), { port: 0 })).url;
// @ts-expect-error: there is no such option
createSandbox({ attempt: 2 });

export const hear = async (request: Request, keys: readonly WebhookKey[]): Promise<string | undefined> => {
  try {
    return verifyWebhook(await request.text(), request.headers, keys, 'we_1', { tolerance: 60 }).id;
  } catch (error) {
    return error instanceof WebhookError && error.code === 'unknown_kid' ? 'reload' : undefined;
  }
};
// @ts-expect-error: the raw body is needed, not what a parser made of it
verifyWebhook({ id: 'evt_1' }, {}, [], 'we_1');

export const pay = async (page: TestPage) => {
  await fillCardForm(page, { number: '4000000000000002' });
  await payCardForm(page);
  // @ts-expect-error: there is no such field
  await fillCardForm(page, { cvv: '123' });
};
`;

test('a strict program compiles against its types, in a project without other packages', async ({
  installed,
}) => {
  const settings = { target: 'es2023', strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false };
  const compilerOptions = { ...settings, lib: ['es2023', 'dom'], types: [], noEmit: true };
  for (const [module, moduleResolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ]) {
    await installed.write({
      'program.ts': PROGRAM,
      'tsconfig.json': JSON.stringify({
        compilerOptions: { ...compilerOptions, module, moduleResolution },
        files: ['program.ts'],
      }),
    });
    expect(await installed.tool('typescript/bin/tsc', '-p', '.')).toEqual({ code: 0, output: '' });
  }
});

test('importing it in Node has no side effect and does not throw', async ({ installed }) => {
  await installed.write({
    'import.js': `
      const before = Object.getOwnPropertyNames(globalThis).join();
      const { loadCardForm, earlyFrame } = await import('@partner/card-form');
      await import('@partner/card-form/testing');
      await import('@partner/card-form/themes');
      console.log(JSON.stringify({
        globals: Object.getOwnPropertyNames(globalThis).join() === before,
        busy: process.getActiveResourcesInfo().filter((one) => !/^(Pipe|TTY|FSReq|CloseReq)/.test(one)),
        loaded: await loadCardForm('https://pay.example'),
        frame: earlyFrame('https://pay.example').slice(0, 28),
      }));`,
  });
  const { code, output } = await installed.node('import.js');
  expect(code, output).toBe(0);
  expect(JSON.parse(output)).toEqual({
    globals: true,
    busy: [],
    loaded: null,
    frame: '<iframe data-card-form-frame',
  });
});

test('works in server rendering, and is tree-shaken from a bundle that does not use it', async ({
  installed,
}) => {
  await installed.write({
    'server.js': `
      import { loadCardForm } from '@partner/card-form';
      console.log(String(await loadCardForm('https://pay.example')));`,
    'unused.js': `
      import { earlyFrame, loadCardForm } from '@partner/card-form';
      import { payCardForm } from '@partner/card-form/testing';
      import { paper } from '@partner/card-form/themes';
      console.log('used');`,
    'external.config.js': `export default { logLevel: 'error', build: { ssr: 'server.js', outDir: 'external' } };`,
    'bundled.config.js': `export default {
      logLevel: 'error',
      build: { ssr: 'server.js', outDir: 'bundled' },
      ssr: { noExternal: true },
    };`,
    'unused.config.js': `export default {
      logLevel: 'error',
      build: {
        outDir: 'unused', minify: false, modulePreload: false,
        rolldownOptions: { input: 'unused.js', output: { entryFileNames: '[name].js' } },
      },
    };`,
  });
  for (const name of ['external', 'bundled', 'unused']) {
    const built = await installed.tool('vite/bin/vite.js', 'build', '--config', `${name}.config.js`);
    expect(built).toMatchObject({ code: 0 });
  }
  expect(await installed.node('external/server.js')).toEqual({ code: 0, output: 'null\n' });
  expect(await installed.node('bundled/server.js')).toEqual({ code: 0, output: 'null\n' });
  const left = await installed.read('unused/unused.js');
  expect(left).toContain('used');
  expect(left).not.toMatch(/partner|frame/i);
});

/** Pays through the API as server and form do, and returns the status that the server then reads. */
const PAY = `
export const pay = async (url, keys, ask = fetch) => {
  const post = async (path, key, body) => {
    const response = await ask(new Request(url + '/partner/v1' + path, {
      method: body ? 'POST' : 'GET',
      headers: { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }));
    if (!response.ok) throw new Error(path + ' answered ' + response.status + ': ' + (await response.text()));
    return response.json();
  };
  const address = { line1: '12 Orchard Lane', city: 'Portland', state: 'OR', postal_code: '97205', country: 'US' };
  const { id, client_secret, amount_total, currency } = await post('/payment_intents', keys.secret, {
    amount: 1000, currency: 'usd', items: [{ name: 'Mug', quantity: 1, unit_amount: 1000 }], order_reference: 'A-1',
    buyer: { name: 'Ada Lovelace' }, shipping_details: { name: 'Ada Lovelace', address },
  });
  await post('/client/payment_intents/confirm', keys.publishable, {
    client_secret, amount_total, currency,
    card: { number: '4242424242424242', exp_month: 12, exp_year: 2034, cvc: '123' },
    billing_details: { email: 'ada@example.com', name: 'Ada Lovelace', address: { ...address, line2: null } },
  });
  return (await post('/payment_intents/' + id, keys.secret)).status;
};
`;

test("'./sandbox' is the service as a function, and on a port with the card form", async ({ installed }) => {
  await installed.write({
    'pay.js': PAY,
    'sandbox.js': `
      import { createSandbox, listen } from '@partner/card-form/sandbox';
      import sri from '@partner/card-form/sri.json' with { type: 'json' };
      import { pay } from './pay.js';
      const sandbox = createSandbox();
      const called = await pay('http://localhost', sandbox.keys, sandbox.fetch);
      const service = await listen(sandbox, { port: 0 });
      const listened = await pay(service.url, sandbox.keys);
      const script = await fetch(service.url + '/partner/v1/card-form/' + sri.release + '/card-form.js');
      const frame = await fetch(service.url + '/partner/v1/card-form/frame');
      await service.close();
      await sandbox.close();
      console.log(JSON.stringify([called, listened, script.status, frame.status]));`,
  });
  const { output } = await installed.node('sandbox.js');
  expect(output.trim()).toBe('["succeeded","succeeded",200,200]');
});

test("'./sandbox' sends signed webhooks to a test, and verifies them", async ({ installed }) => {
  await installed.write({
    'pay.js': PAY,
    'webhooks.js': `
      import { createSandbox, verifyWebhook } from '@partner/card-form/sandbox';
      import { pay } from './pay.js';
      const arrived = [];
      const outgoing = async (request) => { arrived.push(request); return { status: 200 }; };
      const sandbox = createSandbox({ outgoing });
      const ask = async (path, init) => (await sandbox.fetch(new Request('http://localhost' + path, init))).json();
      const endpoint = await ask('/_sandbox/webhook_endpoints', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ url: 'https://shop.example.com/webhooks' }),
      });
      await pay('http://localhost', sandbox.keys, sandbox.fetch);
      const asMerchant = { headers: { Authorization: 'Bearer ' + sandbox.keys.secret } };
      const { data: keys } = await ask('/partner/v1/webhook_signing_keys', asMerchant);
      const [{ body, headers }] = arrived;
      const event = verifyWebhook(body, headers, keys, endpoint.id);
      let code = 'accepted';
      try { verifyWebhook(body + ' ', headers, keys, endpoint.id); } catch (error) { code = error.code; }
      sandbox.close();
      console.log(JSON.stringify([arrived.length, event.type, event.data.object.status, code]));`,
  });
  const { output } = await installed.node('webhooks.js');
  expect(output.trim()).toBe('[1,"payment_intent.succeeded","succeeded","signature_invalid"]');
});

test('`npx card-form sandbox` runs the service', async ({ installed }) => {
  const started = await installed.start(
    'npx',
    ['--offline', 'card-form', 'sandbox', '--port', '0'],
    /Ctrl\+C/,
  );
  try {
    const [, url = ''] = /at (http:\S+)/.exec(started.output) ?? [];
    const [publishable] = /pk_live_\w+/.exec(started.output) ?? [];
    const [secret] = /sk_live_\w+/.exec(started.output) ?? [];
    await installed.write({
      'pay.js': PAY,
      'npx.js': `
        import { pay } from './pay.js';
        console.log(await pay('${url}', { publishable: '${publishable}', secret: '${secret}' }));`,
    });
    expect(await installed.node('npx.js')).toEqual({ code: 0, output: 'succeeded\n' });
    expect((await fetch(`${url}/partner/v1/card-form.js`)).status).toBe(200);
  } finally {
    await started.stop();
  }
});

test.describe("'./testing'", () => {
  test('fills the form in and pays', async ({ open, page, service }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent);
    await payCardForm(page, {});
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  });

  test('fills in the given values, also for a second attempt', async ({ open, page, service }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent);
    await payCardForm(page, { number: CARD.declined, name: 'Grace Hopper', line2: 'Floor 2' });
    await checkout.hears('decline');
    await expect(checkout.field('name')).toHaveValue('Grace Hopper');
    await expect(checkout.field('line2')).toHaveValue('Floor 2');
    await payCardForm(page, { number: CARD.amex });
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 2 });
  });

  test('finds the fields in another language and country, within a locator', async ({
    open,
    page,
    service,
  }) => {
    const intent = await service.createIntent();
    await open(intent, { options: { locale: 'de' } });
    await payCardForm(page.locator('main'), {
      country: 'CA',
      line1: '290 Bremner Blvd',
      city: 'Toronto',
      state: 'ON',
      postalCode: 'M5V 3L9',
    });
    await expect(page.frameLocator('iframe').getByRole('heading')).toHaveText('Zahlung eingegangen');
  });

  test('names a field that the form does not have', async ({ open, page, service }) => {
    await open(await service.createIntent());
    await expect(fillCardForm(page, { country: 'HK', postalCode: '999077' })).rejects.toThrow(
      'The card form has no field for postalCode (postal-code); it was given 999077.',
    );
    await fillCardForm(page, { country: 'US', name: BUYER.name });
  });
});
