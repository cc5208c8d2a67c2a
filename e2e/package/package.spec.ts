import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fillCardForm, payCardForm } from '../support/built-modules.mjs';
import { CARD } from '../support/checkout-page.ts';
import { expect } from '../support/fixtures.ts';
import { test } from './installed-package.ts';
import { typedProgram } from './typed-program.ts';

test.describe.configure({ mode: 'default' }); // one installation serves all

test('installs as one package without dependencies, with only the files that a shop needs; publint and attw report no problem', {
  tag: '@thorough',
}, async ({ installed }) => {
  const modules = await readdir(join(installed.project, 'node_modules'));
  expect(modules.filter((name) => !name.startsWith('.'))).toEqual(['@partner']);
  const files = await readdir(installed.folder, { recursive: true });
  expect(files).toEqual(
    expect.arrayContaining([
      'README.md',
      'llms.txt',
      'LICENSE',
      'dist/api.md',
      'dist/LICENCES.md',
      'dist/sri.json',
      'dist/partner/v1/card-form.js',
      'dist/partner/v1/card-form/frame.html',
    ]),
  );
  const needed =
    /^(package\.json|README\.md|llms\.txt|LICENSE|dist(\/(image|partner|package|playground|sandbox|types)(\/.+)?|\/[\w.]+)?)$/;
  expect(files.filter((path) => !needed.test(path))).toEqual([]);
  expect(files.filter((path) => /\.(tsx?|map)$/.test(path) && !path.endsWith('.d.ts'))).toEqual([]);
  const text = 'dist/sandbox/(shop|start)';
  expect(files.filter((path) => new RegExp(text).test(path))).toEqual([]);

  expect(await installed.tool('publint/src/cli.js', 'run', installed.tarball, '--strict')).toMatchObject({
    code: 0,
    output: expect.stringContaining('All good!'),
  });
  // Svelte and its compiler exist only as ES modules.
  for (const chosen of [
    ['--profile', 'node16', '--exclude-entrypoints', 'svelte'],
    ['--profile', 'esm-only', '--entrypoints', 'svelte'],
  ])
    expect(
      await installed.tool('@arethetypeswrong/cli/dist/index.js', installed.tarball, ...chosen),
    ).toMatchObject({ code: 0 });
});

test('a strict program compiles against its types, as an ES module and as CommonJS, in a project without other packages', {
  tag: '@thorough',
}, async ({ installed }) => {
  const { files, configurations } = typedProgram(['esnext', 'node16', 'node18', 'nodenext']);
  await installed.write(files);
  for (const name of configurations)
    await test.step(name, async () => {
      expect(await installed.tool('typescript/bin/tsc', '-p', name)).toEqual({ code: 0, output: '' });
    });
});

/** A program that a shop with React would write, and lines that must not compile. */
const REACT_PROGRAM = `
import type { CardFormInstance, Result } from '@partner/card-form';
import { CardForm, type CardFormProps } from '@partner/card-form/react';
import { useRef } from 'react';

export const Checkout = ({ secret, settle }: { secret: string; settle: (result: Result) => void }) => {
  const form = useRef<CardFormInstance>(null);
  const props: CardFormProps = { baseUrl: 'https://pay.example', publishableKey: 'pk_live_1', clientSecret: secret };
  return (
    <>
      <button type="button" onClick={() => form.current?.refresh()}>Look again</button>
      <CardForm {...props} ref={form} className="card" locale="de" onResult={settle} fallback={<p>Call us.</p>}
        onAmountChange={({ previous, current }) => current - previous} onFailure={({ message }) => message.length} />
      {/* @ts-expect-error: there is no such option */}
      <CardForm {...props} color="red" />
      {/* @ts-expect-error: there is no such event */}
      <CardForm {...props} onPaid={() => {}} />
      {/* @ts-expect-error: it is required */}
      <CardForm publishableKey="pk_live_1" />
      <card-form client-secret={secret} theme="dark" read-only className="card" />
      {/* @ts-expect-error: there is no such theme */}
      <card-form client-secret={secret} theme="blue" />
    </>
  );
};
document.querySelector('card-form')?.addEventListener('card-form:result', ({ detail }) => detail);
`;

/** The types of React 18 import these. */
const PROP_TYPES = { '@types/prop-types': '@types/prop-types' };

test("a strict program compiles against the types of './react', with React 18 and 19", {
  tag: '@thorough',
}, async ({ installed }) => {
  await installed.write({ 'react-program.tsx': REACT_PROGRAM });
  for (const types of ['types-react-18', '@types/react']) {
    await installed.borrow({ react: 'react', '@types/react': types, csstype: 'csstype', ...PROP_TYPES });
    for (const jsx of ['react-jsx', 'react']) {
      const compilerOptions = {
        ...{ target: 'es2023', lib: ['es2023', 'dom'], types: [], noEmit: true, strict: true, jsx },
        ...{ exactOptionalPropertyTypes: true, module: 'esnext', moduleResolution: 'bundler' },
        allowUmdGlobalAccess: true,
      };
      const files = ['react-program.tsx'];
      await installed.write({ 'tsconfig.json': JSON.stringify({ compilerOptions, files }) });
      expect(await installed.tool('typescript/bin/tsc', '-p', '.')).toEqual({ code: 0, output: '' });
    }
  }
});

test("in Node: importing has no side effect, './react' is a client component, and './server' has no import", {
  tag: '@thorough',
}, async ({ installed }) => {
  const file = (name: string) => installed.read(`node_modules/@partner/card-form/dist/package/${name}.js`);
  const [first] = (await file('react')).split('\n');
  expect(first).toBe('"use client";');
  const server = (await file('server')).replace(/\/\*[\s\S]*?\*\/|^\/\/.*/gm, '');
  expect(server).toContain('Idempotency-Key');
  expect(server).not.toMatch(/\bfrom\s*["']|\bimport\s*["'(]|\brequire\b|\bprocess\b|\bBuffer\b/);
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
  // `require` returns the same modules as `import`, so that their errors share one class; without ES modules it returns
  // others.
  await installed.write({
    'require.cjs': `
      const required = ['', '/sandbox', '/server', '/testing', '/testing/fake', '/themes'].map((entry) =>
        [entry, require('@partner/card-form' + entry)]);
      const shared = required.map(async ([entry, module]) =>
        Object.entries(await import('@partner/card-form' + entry)).every(([name, value]) => module[name] === value));
      Promise.all(shared).then((all) => console.log(all.join()));`,
  });
  const [yes, no] = [true, false].map((same) => ({ code: 0, output: `${Array(6).fill(same)}\n` }));
  expect(await installed.node('require.cjs', '--no-warnings')).toEqual(yes);
  expect(await installed.node('require.cjs', '--no-experimental-require-module')).toEqual(no);
  const { code, output } = await installed.node('import.js');
  expect(code, output).toBe(0);
  expect(JSON.parse(output)).toEqual({
    globals: true,
    busy: [],
    loaded: null,
    frame: '<iframe data-card-form-frame',
  });
});

test('is tree-shaken from a bundle that does not use it', { tag: '@thorough' }, async ({ installed }) => {
  await installed.write({
    'unused.js': `
      import { earlyFrame, loadCardForm } from '@partner/card-form';
      import { payCardForm } from '@partner/card-form/testing';
      import { paper } from '@partner/card-form/themes';
      console.log('used');`,
    'unused.config.js': `export default {
      logLevel: 'error',
      build: {
        outDir: 'unused', minify: false, modulePreload: false,
        rolldownOptions: { input: 'unused.js', output: { entryFileNames: '[name].js' } },
      },
    };`,
  });
  const built = await installed.tool('vite/bin/vite.js', 'build', '--config', 'unused.config.js');
  expect(built).toMatchObject({ code: 0 });
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

/** Programs with './sandbox' and './server', and their output. */
const PROGRAMS = {
  "'./sandbox' is the service as a function, and on a port with the card form": [
    `
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
    '["succeeded","succeeded",200,200]',
  ],
  "'./server' calls the service with nothing but fetch and WebCrypto": [
    `
  import { createSandbox } from '@partner/card-form/sandbox';
  import { createServiceClient, ServiceError } from '@partner/card-form/server';
  const sandbox = createSandbox();
  const service = createServiceClient({
    baseUrl: 'http://localhost',
    secretKey: sandbox.keys.secret,
    fetch: (url, init) => sandbox.fetch(new Request(url, init)),
  });
  const body = { amount: 1000, currency: 'usd', items: [{ name: 'Mug', quantity: 1, unit_amount: 1000 }] };
  const made = await service.paymentIntents.create(body, { idempotencyKey: 'order-1' });
  const again = await service.paymentIntents.create(body, { idempotencyKey: 'order-1' });
  const listed = [];
  for await (const { id } of service.paymentIntents.list()) listed.push(id === made.id);
  const error = await service.refunds.create({ payment_intent: made.id }, { idempotencyKey: 'r' }).catch((e) => e);
  sandbox.close();
  console.log(JSON.stringify([made.id === again.id, listed, error instanceof ServiceError, error.failure.code]));`,
    '[true,[true],true,"payment_not_refundable"]',
  ],
} as const;

test("'./sandbox' and './server' run in Node", { tag: '@thorough' }, async ({ installed }) => {
  await installed.write({ 'pay.js': PAY });
  for (const [what, [code, printed]] of Object.entries(PROGRAMS))
    await test.step(what, async () => {
      await installed.write({ 'program.js': code });
      expect((await installed.node('program.js')).output.trim()).toBe(printed);
    });
});

test('`npx card-form sandbox` runs the service', { tag: '@thorough' }, async ({ installed }) => {
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
  test('fills in the given values, also for a second attempt, and names a field that the form lacks', async ({
    checkout,
    intent,
    page,
    service,
  }) => {
    await expect(fillCardForm(page, { country: 'HK', postalCode: '999077' })).rejects.toThrow(
      'The card form has no field for postalCode (postal-code); it was given 999077.',
    );
    const typed = { country: 'US', number: CARD.declined, name: 'Grace Hopper', line2: 'Floor 2' };
    await payCardForm(page, typed);
    await checkout.hears('decline');
    // Each folded to one line.
    await expect(checkout.frame.locator('.folded')).toContainText(['Grace Hopper', 'Floor 2']);
    await payCardForm(page, { number: CARD.amex });
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 2 });
  });

  test('finds the fields in another language and country, inside a locator', async ({
    open,
    page,
    service,
  }) => {
    await open(await service.createIntent(), { options: { locale: 'de' } });
    await payCardForm(page.locator('main'), {
      country: 'CA',
      line1: '290 Bremner Blvd',
      city: 'Toronto',
      state: 'ON',
      postalCode: 'M5V 3L9',
    });
    await expect(page.frameLocator('iframe').getByRole('heading')).toHaveText('Zahlung eingegangen');
  });
});
