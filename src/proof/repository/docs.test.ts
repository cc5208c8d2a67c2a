/**
 * Checks README.md, docs/ and the other Markdown files against the product: their code runs or compiles, their tables
 * name exactly what exists, and their links resolve. Checks that need a browser are in e2e/developer/docs.spec.ts.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, parseEnv, promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { compile } from 'svelte/compiler';
import { build } from 'vite';
import { afterEach, describe, expect, it } from 'vitest';
import { compileScript, parse } from 'vue/compiler-sfc';
import * as z from 'zod/mini';
import {
  BLOCKS,
  block,
  codesIn,
  HELD,
  type HeldBy,
  headingsIn,
  linksIn,
  PAGES,
  page,
  proseOf,
  type Table,
  tablesIn,
} from '../../../e2e/developer/docs.ts';
import { freePort } from '../../../e2e/support/free-port.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { parseFlags } from '../../api/command/flags.ts';
import { UNKNOWN_CODE } from '../../api/error-words.ts';
import { HTTP_STATUS, type NoAnswer } from '../../api/errors.ts';
import { CLIENT_ROUTES } from '../../api/routes.ts';
import { apiPage } from '../../build/api-page.ts';
import { anchorOf } from '../../build/llms.ts';
import { type CommandName, commandOf, usage } from '../../cli/commands.ts';
import { resolveAppearance } from '../../form/appearance/resolve.ts';
import { writeRules } from '../../form/appearance/rule-styles.ts';
import { PROPERTIES, RULE_NAMES } from '../../form/appearance/rules.ts';
import { type HostedFont, TOKEN_NAMES } from '../../form/appearance/tokens.ts';
import type { ServerCode } from '../../form/channel/error-codes.ts';
import { EVENTS } from '../../form/channel/events.ts';
import { FrameMessageSchema } from '../../form/channel/frame-messages.fixture.ts';
import { OPTIONS } from '../../form/channel/options.ts';
import type { PressRefusal } from '../../form/frame/press/press.ts';
import { LANGUAGES } from '../../form/i18n/languages.ts';
import type {
  CardFormDiagnostics,
  CardFormError,
  CardFormField,
  CardFormHostedFont,
  CardFormInstance,
  CardFormMistakeCode,
  CardFormUpdate,
  LoadErrorReason,
  Result,
} from '../../form/loader/types.ts';
import { earlyFrame } from '../../merchant/early-frame.ts';
import type { LoadFailure } from '../../merchant/load.ts';
import type { ServiceClient } from '../../merchant/server/client.ts';
import type { ServiceFailure } from '../../merchant/server/service-error.ts';
import type { WebhookErrorCode } from '../../merchant/server/verify-webhook.ts';
import {
  isForServer,
  parseConformance,
  parseServerConformance,
} from '../../owner/cli/conformance-options.ts';
import { PROBE_FLAGS } from '../../owner/cli/probe-options.ts';
import { parseRelease, RELEASE_COMMANDS } from '../../owner/cli/release-options.ts';
import { VERIFY_FLAGS } from '../../owner/cli/verify-options.ts';
import { PROBE_REASONS } from '../../owner/probe/diagnose.ts';
import { LISTEN_FLAGS, parseTrigger } from '../../sandbox/cli/remote-options.ts';
import { parseOptions } from '../../sandbox/cli/sandbox-options.ts';
import { TRIGGERS } from '../../sandbox/cli/trigger.ts';
import { FAULT_FIELDS, FAULTY_ROUTES } from '../../sandbox/service/faults/fault.ts';
import { outcomeOf } from '../../sandbox/service/payments/outcomes.ts';
import { confirmBody } from '../../sandbox/service/sandbox.fixture.ts';
import { createSandbox } from '../../sandbox/service/sandbox.ts';
import { listen } from '../../sandbox/service/server.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Clean-up after each test, latest first. */
const after: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of after.splice(0).reverse()) await undo();
});

const folder = async (parent = tmpdir()): Promise<string> => {
  const path = await mkdtemp(join(parent, '.docs-'));
  after.push(() => rm(path, { recursive: true }));
  return path;
};

const startSandbox = async () => {
  const sandbox = createSandbox();
  const service = await listen(sandbox, { port: 0, root });
  after.push(() => Promise.all([sandbox.close(), service.close()]));
  return { sandbox, url: service.url };
};

describe('every block of code of every page', () => {
  it('is held by a test', () => {
    const held = BLOCKS.map(({ name }) => name);
    expect(held.sort()).toEqual(Object.keys(HELD).sort());
    expect(BLOCKS.filter(({ code }) => code.trim() === '')).toEqual([]);
  });
});

const VITEST_REPORT = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(z.object({ title: z.string(), status: z.string() })),
    }),
  ),
});

/**
 * Runs the pages' tests in one Vitest, each in a folder with its files. Resolves with the titles that passed and
 * failed.
 */
const runVitest = async <Case extends string>(
  cases: Readonly<Record<Case, Readonly<Record<string, string>>>>,
) => {
  const at = await folder();
  await symlink(join(root, 'node_modules'), join(at, 'node_modules'));
  for (const [name, files] of Object.entries<Readonly<Record<string, string>>>(cases)) {
    await mkdir(join(at, name));
    for (const [file, code] of Object.entries(files)) await writeFile(join(at, name, file), code);
  }
  const source = (path: string) => JSON.stringify(join(root, path));
  await writeFile(
    join(at, 'vitest.config.ts'),
    `import { addressData } from ${source('src/build/tables/address.ts')};
    import { brandTable } from ${source('src/build/tables/card.ts')};
    export default {
      plugins: [addressData(), brandTable()],
      define: { __RELEASE__: '"test"', __MISTAKES_INTEGRITY__: '""' },
      test: {
        testTimeout: 60_000,
        alias: [
          { find: /^@partner\\/card-form$/, replacement: ${source('src/merchant/card-form.ts')} },
          { find: '@partner/card-form/sandbox', replacement: ${source('src/sandbox/package.ts')} },
          { find: '@partner/card-form/testing/fake', replacement: ${source('src/merchant/fake/fake.ts')} },
        ],
      },
    };`,
  );
  const argv = ['run', '--root', at, '--reporter=json', '--outputFile', join(at, 'report.json')];
  // It exits with 1, because some of the tests must fail.
  await promisify(execFile)(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...argv], {
    cwd: at,
  }).catch(() => undefined);
  const report = VITEST_REPORT.parse(JSON.parse(await readFile(join(at, 'report.json'), 'utf8')));
  return (name: Case) => {
    const file = report.testResults.find((result) => basename(dirname(result.name)) === name);
    const titles = (status: string) =>
      (file?.assertionResults ?? []).flatMap((test) => (test.status === status ? [test.title] : []));
    return { passed: titles('passed'), failed: titles('failed') };
  };
};

it('testing: the tests of the page pass, and fail for a page or a server that is wrong', async () => {
  const form = block('testing: Your components in happy-dom or jsdom: js');
  const checkout = block('testing: Your components in happy-dom or jsdom: js 2');
  const forgetful = checkout
    .replace('We are checking whether you have paid.', 'Please pay again.')
    .replace('One moment …', '');
  const amounts = block('testing: Your server in Vitest: js');
  const payments = block('testing: Your server in Vitest: js 2');
  const faults = block('testing: Your server through every fault: js');
  const shop = block('testing: Your server through every fault: js 2');
  const of = await runVitest({
    happyDom: { 'checkout.test.js': form, 'checkout.js': checkout },
    jsdom: {
      'checkout.test.js': form.replace('environment happy-dom', 'environment jsdom'),
      'checkout.js': checkout,
    },
    forgetful: { 'checkout.test.js': form, 'checkout.js': forgetful },
    server: { 'payments.test.js': amounts, 'payments.js': payments },
    dear: {
      'payments.test.js': amounts,
      'payments.js': payments.replace('amount: total', 'amount: total + 1'),
    },
    shop: { 'faults.test.js': faults, 'shop.js': shop },
    newKeys: {
      'faults.test.js': faults,
      'shop.js': shop.replace("'Idempotency-Key': key", "'Idempotency-Key': key + attempt"),
    },
    hasty: { 'faults.test.js': faults, 'shop.js': shop.replace('attempt === 8', 'attempt === 1') },
  });
  const counts = ({ passed, failed }: ReturnType<typeof of>) => [passed.length, failed.length];
  expect([of('happyDom'), of('jsdom'), of('forgetful')].map(counts)).toEqual([
    [4, 0],
    [4, 0],
    [2, 2],
  ]);
  expect([of('server'), of('dear'), of('shop')].map(counts)).toEqual([
    [1, 0],
    [0, 1],
    [11, 0],
  ]);
  expect(of('newKeys').failed).toContainEqual(expect.stringContaining('a lost answer'));
  expect(of('hasty').failed).toContainEqual(expect.stringContaining('500'));
}, 300_000);

describe('shell commands', () => {
  const commands = (name: HeldBy<'shell' | 'run'>): readonly string[] =>
    block(name)
      .split('\n')
      .map((line) => line.replace(/\s*#.*$/, ''))
      .filter((line) => line !== '');

  it('are commands of this project', () => {
    expect(commands('README: Card form: sh')).toEqual([
      'npm ci && npm start',
      'npm ci && npm test',
      'npm run test:all',
    ]);
    expect(commands('quick-start: 1. Start the sandbox: sh')).toEqual([
      `npm install ${packageJson.name}`,
      'npx card-form sandbox',
    ]);
    expect(Object.keys(packageJson.bin)).toEqual(['card-form']);
    expect(commandOf(['sandbox'])).toEqual({ command: 'sandbox', argv: [] });
    const texts = PAGES.map(({ text }) => text).join('\n');
    const scripts = [...texts.matchAll(/npm run ([\w:-]+)/g)].map(([, script = '']) => script);
    expect(scripts.filter((script) => !Object.hasOwn(packageJson.scripts, script))).toEqual([]);
    expect(page('quick-start').text).toContain(`partner-card-form-${packageJson.version}.tgz`);
  });

  it('give `card-form` what it takes, on every page, with cron too', () => {
    const parse: Readonly<Record<CommandName, (argv: readonly string[]) => unknown>> = {
      conformance: (argv) => (isForServer(argv) ? parseServerConformance : parseConformance)(argv),
      listen: (argv) => parseFlags(LISTEN_FLAGS, argv),
      probe: (argv) => parseFlags(PROBE_FLAGS, argv, { CARD_FORM_PROBE_CLIENT_SECRET: 'lg_cs_x' }),
      release: (argv) => parseRelease(argv, '/dist'),
      sandbox: (argv) => parseOptions(argv, {}),
      trigger: (argv) => expect(['', ...TRIGGERS]).toContain(parseTrigger(argv).name),
      verify: (argv) => parseFlags(VERIFY_FLAGS, argv),
    };
    const lines = BLOCKS.flatMap(({ code }) => [
      ...code.matchAll(/(?:^|&& |command: )npx card-form ([^\n#|]+)/gm),
    ]);
    const given = new Set<string>();
    for (const [, line = ''] of lines) {
      const chosen = commandOf(
        line
          .trim()
          .split(/\s+/)
          .map((word) => word.replace(/^([sp]k_live_)…/, `$1${'x'.repeat(32)}`)),
      );
      if (!('argv' in chosen)) throw new Error(`That is ${chosen.command}.`);
      parse[chosen.command](chosen.argv);
      given.add(chosen.command);
    }
    expect([...given].sort()).toEqual(Object.keys(parse));
  });

  it('with curl are accepted by the sandbox, over a real socket: every line of every page', async () => {
    const { url } = await startSandbox();
    const lines = BLOCKS.flatMap(({ code }) => code.split('\n').filter((line) => line.startsWith('curl ')));
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) expect([line, (await curl(line, url)).status]).toEqual([line, 200]);
  });
});

/** Does what curl would do with this line, on the test's own sandbox. */
const curl = (line: string, url: string): Promise<Response> => {
  const args = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);
  const { values, positionals } = parseArgs({
    args: args.slice(1),
    allowPositionals: true,
    options: {
      silent: { type: 'boolean', short: 's' },
      request: { type: 'string', short: 'X' },
      header: { type: 'string', short: 'H', multiple: true },
      data: { type: 'string', short: 'd' },
    },
  });
  const [address = ''] = positionals;
  if (!address.startsWith('http://127.0.0.1:4010/')) throw new Error(`This is not of the sandbox: ${line}`);
  const { data: body = null, request: method = body === null ? 'GET' : 'POST' } = values;
  const headers = new Headers();
  for (const header of values.header ?? []) {
    const [name = '', value = ''] = header.split(': ');
    headers.set(name, value);
  }
  // Like curl: a body has this type unless a header says otherwise.
  if (body !== null && !headers.has('content-type'))
    headers.set('content-type', 'application/x-www-form-urlencoded');
  return fetch(address.replace('http://127.0.0.1:4010', url), { method, headers, body });
};

/** Installs the package's server client into a project, bundled from source. */
const installClient = async (project: string): Promise<void> => {
  const at = join(project, 'node_modules/@partner/card-form');
  await build({
    ...{ root: project, configFile: false, publicDir: false, logLevel: 'warn' },
    build: {
      ssr: join(root, 'src/merchant/server.ts'),
      outDir: at,
      rolldownOptions: { output: { entryFileNames: 'server.js' } },
    },
  });
  const exports = { './server': './server.js' };
  await writeFile(join(at, 'package.json'), JSON.stringify({ type: 'module', exports }));
};

describe('the servers', () => {
  /** Runs a program as its page says, and waits until it answers. */
  const run = async (
    name: 'checkout.mjs' | 'server.mjs' | 'webhooks.mjs',
    code: string,
    env: Record<string, string>,
  ) => {
    const cwd = await folder();
    const port = await freePort();
    // The program of README.md reads nothing from its environment.
    await writeFile(join(cwd, name), name === 'checkout.mjs' ? code.replaceAll('3000', `${port}`) : code);
    await installClient(cwd);
    await writeFile(join(cwd, 'checkout.html'), block('quick-start: 3. Write the page: html'));
    const dotenv = Object.entries({ ...parseEnv(block('quick-start: 1. Start the sandbox: ini')), ...env });
    await writeFile(join(cwd, '.env'), dotenv.map(([key, value]) => `${key}=${value}\n`).join(''));
    const [command, ...argv] = block('quick-start: 2. Write the server: sh')
      .trim()
      .replace('server.mjs', name)
      .split(' ');
    expect([command, argv.at(-1)]).toEqual(['node', name]);
    // Both are started beside the sandbox with one `.env`, so each program has a separate port variable.
    const ports = { PORT: '1', WEBHOOKS_PORT: '1', CARD_FORM_SANDBOX_PORT: '1' };
    const own = {
      'checkout.mjs': {},
      'server.mjs': { PORT: `${port}` },
      'webhooks.mjs': { WEBHOOKS_PORT: `${port}` },
    };
    const child: ChildProcess = spawn(process.execPath, argv, { cwd, env: { ...ports, ...own[name] } });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    after.push(() => {
      child.kill('SIGKILL');
      return ended;
    });
    let said = '';
    child.stdout?.on('data', (chunk) => {
      said += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    const url = `http://localhost:${port}`;
    await expect
      .poll(
        () =>
          fetch(url).then(
            () => true,
            () => said,
          ),
        { timeout: 20_000 },
      )
      .toBe(true);
    return { url, said: () => said };
  };

  const pay = async (
    sandbox: ReturnType<typeof createSandbox>,
    intent: Parameters<typeof confirmBody>[0],
  ) => {
    const request = new Request(`http://sandbox.invalid${CLIENT_ROUTES.confirm}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${sandbox.keys.publishable}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(confirmBody(intent)),
    });
    const response = await sandbox.fetch(request);
    expect(await response.json()).toMatchObject({ status: 'succeeded' });
  };

  it('of README.md says that it is paid once the service does', async () => {
    const { sandbox, url } = await startSandbox();
    const code = block('README: From nothing to a paid payment: js');
    expect(code).toContain(`'http://127.0.0.1:${parseOptions([], {}).port}'`);
    for (const key of Object.values(sandbox.keys)) expect(code).toContain(`'${key}'`);
    const server = await run('checkout.mjs', code.replace('http://127.0.0.1:4010', url), {});
    const page = async (path: string) => (await fetch(`${server.url}${path}`)).text();
    const [clientSecret = ''] = /lg_cs_[^']+/.exec(await page('/')) ?? [];
    expect(await page('/thanks')).toContain('Not paid yet');
    await pay(sandbox, { client_secret: clientSecret, amount_total: 5804, currency: 'usd' });
    expect(await page('/thanks')).toContain('Paid. Thank you!');
  });

  it('of the quick start has the keys of every sandbox, gives one payment for one order, and believes the service', async () => {
    const { sandbox, url } = await startSandbox();
    const { SERVICE, PUBLISHABLE_KEY, SECRET_KEY } = parseEnv(
      block('quick-start: 1. Start the sandbox: ini'),
    );
    expect({ publishable: PUBLISHABLE_KEY, secret: SECRET_KEY }).toEqual(sandbox.keys);
    expect(SERVICE).toBe(`http://127.0.0.1:${parseOptions([], {}).port}`);

    const server = await run('server.mjs', block('quick-start: 2. Write the server: js'), { SERVICE: url });
    const order = async () => (await fetch(`${server.url}/api/payment`, { method: 'POST' })).json();
    const payment = await order();
    const address = {
      line1: '12 Orchard Lane',
      city: 'Portland',
      state: 'OR',
      postal_code: '97205',
      country: 'US',
    };
    expect(payment).toEqual({
      publishableKey: PUBLISHABLE_KEY,
      clientSecret: expect.stringMatching(/^lg_cs_/),
      defaultValues: {
        billingDetails: { name: 'Ada Lovelace', email: 'ada@example.com', address },
        sameAsShipping: true,
      },
    });
    expect(await order()).toEqual(payment);
    const paid = async () => (await fetch(`${server.url}/api/paid`)).json();
    expect(await paid()).toEqual({ paid: false });
    const page = async (path: string) => (await fetch(`${server.url}${path}`)).text();
    const checkout = await page('/');
    for (const value of [payment.clientSecret, payment.publishableKey, url])
      expect(checkout).toContain(value);
    expect(checkout).toContain(`defaultValues: ${JSON.stringify(payment.defaultValues)},`);
    expect(checkout).not.toMatch(/…|pay\.example|what the order knows/);
    // Browsers would show a fragment in quirks mode, and on a phone as wide as a desktop.
    for (const whole of [checkout, await page('/thanks')]) {
      expect(whole).toMatch(/^<!doctype html>\n<html lang="en">[\s\S]*<\/html>\n?$/);
      expect(whole).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
    }
    expect(await page('/thanks?payment_intent=lg_pi_x')).toContain('checking');
    await pay(sandbox, { client_secret: payment.clientSecret, amount_total: 5804, currency: 'usd' });
    expect(await paid()).toEqual({ paid: true });
    expect(await page('/thanks')).toContain('Thank you');
    expect((await fetch(`${server.url}/elsewhere`)).status).toBe(404);
  });

  it('of webhooks fulfils what the service signed and says is paid, once, and nothing that it did not sign', async () => {
    const { sandbox, url } = await startSandbox();
    // The endpoint's id is known before the server runs, and the server's port before the endpoint is created.
    const made = await curl(block('going-live: Webhooks: sh').trim(), url);
    const { id } = await made.json();
    expect(id).toMatch(/^we_/);
    const server = await run('webhooks.mjs', block('going-live: Webhooks: js'), {
      SERVICE: url,
      ENDPOINT_ID: id,
    });
    const control = (path: string, body: object) =>
      fetch(`${url}/_sandbox/${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    await control(`webhook_endpoints/${id}`, { url: `${server.url}/webhooks` });
    await control('webhook_plan', { duplicate: { copies: 2 } });

    const forged = await fetch(`${server.url}/webhooks`, {
      method: 'POST',
      headers: { 'Service-Signature': `t=${Math.trunc(Date.now() / 1000)},kid=k,v1=${'A'.repeat(86)}==` },
      body: '{"type": "payment_intent.succeeded", "data": {"object": {"id": "lg_pi_x"}}}',
    });
    expect(forged.status).toBe(400);

    const created = await fetch(`${url}/partner/v1/payment_intents`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${sandbox.keys.secret}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        amount: 500,
        currency: 'eur',
        items: [{ name: 'Mug', quantity: 1, unit_amount: 500 }],
        order_reference: 'A-1',
        buyer: { name: 'Ada' },
        shipping_details: { name: 'Ada', address: { line1: '1 Lane', country: 'GB' } },
      }),
    });
    const intent = await created.json();
    await pay(sandbox, intent);
    const attempts = async () => {
      const { data } = await (await fetch(`${url}/_sandbox/webhook_deliveries`)).json();
      return data[0]?.attempts.map(({ http_status }: { http_status: number }) => http_status);
    };
    await expect.poll(attempts, { timeout: 20_000 }).toEqual([204, 204]);
    // The health checks have no body.
    const said = server.said().split('\n');
    expect(said.filter((line) => !line.includes('raw_body_needed'))).toEqual([
      expect.stringMatching(/^Webhooks arrive at http:\/\/localhost:\d+$/),
      expect.stringMatching(/^refused a webhook: unknown_kid: No key has the kid/),
      `fulfil the order of ${intent.id}`,
      '',
    ]);
  });
});

it('the body of a confirm in docs/contract.md has the fields of a request that the sandbox accepts', () => {
  const fieldsOf = (value: object): string[] =>
    Object.entries(value).flatMap(([name, inner]) => [
      name,
      ...(typeof inner === 'object' && inner !== null ? fieldsOf(inner) : []),
    ]);
  const body = confirmBody({ client_secret: 'lg_cs_x', amount_total: 1, currency: 'usd' });
  expect(block('contract: 3. Client routes: text').match(/\w+/g)?.sort()).toEqual(fieldsOf(body).sort());
});

describe('the blocks for a compiler', () => {
  it('SECURITY.md has the policy of the page about going live', () => {
    expect(block('SECURITY: What the merchant must do: text')).toBe(
      block('going-live: Content security policy: text'),
    );
  });

  const KEYS = 'declare const publishableKey: string; declare const clientSecret: string;\n';
  const GLOBAL = `import type { CardFormApi } from '@partner/card-form';\ndeclare const CardForm: CardFormApi;\n${KEYS}`;
  const asOption = (code: string) =>
    `import type { CardFormOptions } from '@partner/card-form';\n${KEYS}export const options: CardFormOptions = { publishableKey, clientSecret,\n${code}};`;
  const script = (code: string) => /<script[^>]*>\n([\s\S]*?)<\/script>/.exec(code)?.[1] ?? '';

  type Around = (code: string) => string;
  const inTemplate = (framework: 'vue' | 'svelte', rest: Around): Around => {
    const props = `import type { CardFormProps } from '@partner/card-form/${framework}';`;
    return (code) => `${script(code)}\n${props}\n${rest(code)}`;
  };
  const afterGlobal: Around = (code) => GLOBAL + code;

  /** The text around the blocks that are no whole module. Those in JavaScript are options unless they are here. */
  const AROUND: { readonly [Name in HeldBy<'compile'>]?: Around } = {
    'frameworks: npm, any framework: ts': (code) => KEYS + code,
    'frameworks: Vue: vue': inTemplate(
      'vue',
      (code) => `export const onResult: CardFormProps['onResult'] = ${/@result="(.+)"/.exec(code)?.[1]};`,
    ),
    'frameworks: Svelte: svelte': inTemplate(
      'svelte',
      (code) =>
        `export const props: CardFormProps = { baseUrl: '${/baseUrl="(.+?)"/.exec(code)?.[1]}', publishableKey,
  clientSecret, onresult: ${/onresult=\{(.+)\}/.exec(code)?.[1]} };`,
    ),
    'reference: A Pay button of your own: js': (code) =>
      `import type { CardFormInstance } from '@partner/card-form';\ndeclare const form: CardFormInstance;\n${code}export {};`,
    'reference: The page after the payment: js': afterGlobal,
    'reference: The page after the payment: js 2': afterGlobal,
    'appearance: Themes: ts': (code) => `${code}\nexport { appearance };`,
    'going-live: A new intent for the same order: ts': afterGlobal,
    'going-live: Your word before a payment: ts': afterGlobal,
  };

  /** The compiler's errors for the files, at its strictest settings. */
  const complaints = async (files: Readonly<Record<string, string>>): Promise<string> => {
    const at = await folder(join(root, 'node_modules'));
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(at, path)), { recursive: true });
      await writeFile(join(at, path), text);
    }
    const source = (path: string) => [join(root, path)];
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        types: ['node', 'vite/client', 'svelte'],
        jsxImportSource: 'react',
        noUnusedLocals: false,
        paths: {
          '@partner/card-form': source('src/merchant/card-form.ts'),
          '@partner/card-form/react': source('src/merchant/react.ts'),
          '@partner/card-form/sandbox': source('src/sandbox/package.ts'),
          '@partner/card-form/server': source('src/merchant/server.ts'),
          '@partner/card-form/svelte': source('src/merchant/svelte.ts'),
          '@partner/card-form/vue': source('src/merchant/vue.ts'),
          '@partner/card-form/testing': source('src/merchant/testing.ts'),
          '@partner/card-form/testing/fake': source('src/merchant/fake/fake.ts'),
          '@partner/card-form/themes': source('src/merchant/themes.ts'),
          '@partner/card-form/sri.json': [join(at, 'sri.json')],
          '@playwright/test': source('node_modules/playwright/test.d.ts'),
          '@sentry/browser': source('e2e/developer/stand-ins/sentry-browser.ts'),
          '@opentelemetry/api': source('e2e/developer/stand-ins/opentelemetry-api.ts'),
          'next/server': source('e2e/developer/stand-ins/next-server.ts'),
        },
      },
      include: [],
      files: Object.keys(files).filter((path) => /\.tsx?$/.test(path)),
    };
    await writeFile(join(at, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    return promisify(execFile)(process.execPath, [tsc, '-p', at]).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
  };

  it('compile against the types of the package, and would not with a name that there is not', async () => {
    const around: Readonly<Record<string, Around | undefined>> = AROUND;
    const program = BLOCKS.flatMap(({ name, language, code }, index) => {
      if (Object.entries(HELD).find(([held]) => held === name)?.[1] !== 'compile') return [];
      // Another block imports this one.
      const file = name === 'frameworks: Next.js: tsx 2' ? 'checkout' : `block-${index}`;
      const whole: Around = language === 'js' ? asOption : (text) => text;
      return [[`${file}.${language === 'tsx' ? 'tsx' : 'ts'}`, (around[name] ?? whole)(code)]];
    });
    const said = await complaints({
      // As the build writes it: the compiler checks its keys.
      'sri.json': '{"release": "0.1.0-0123456789ab", "files": {"/partner/v1/card-form.js": "sha384-x"}}',
      ...Object.fromEntries(program),
      'mistaken.ts': asOption('appearance: { mistaken: {} },'),
    });
    expect(said.trim().split('\n')).toEqual([expect.stringMatching(/mistaken\.ts\(.*'mistaken'/)]);
  });

  it('have templates that Vue and Svelte understand', () => {
    const { descriptor, errors } = parse(block('frameworks: Vue: vue'));
    expect(errors).toEqual([]);
    expect(descriptor.template?.content).toContain('v-model:form="form"');
    const compiled = compileScript(descriptor, { id: 'docs', inlineTemplate: true });
    expect(compiled.content).toContain('CardForm');
    const { warnings } = compile(block('frameworks: Svelte: svelte'), {
      filename: 'Checkout.svelte',
      dev: true,
    });
    expect(warnings.map(({ message }) => message)).toEqual([]);
  });

  it('give looks of which nothing is left out', () => {
    const { appearance } = runInNewContext(`({${block('appearance: Appearance: js')}})`);
    for (const scheme of ['light', 'dark'] as const) {
      const page = { scheme, panel: false };
      expect(resolveAppearance(JSON.parse(JSON.stringify(appearance)), page).problems).toEqual([]);
      const { ruled } = resolveAppearance(
        runInNewContext(`({${block('appearance: Styles by state: js')}})`).appearance,
        page,
      );
      expect(ruled && writeRules(ruled).problems).toEqual([]);
    }
  });

  it('print the early frame that stands above it as HTML', () => {
    const plain = (html: string) => html.replace(/\s+/g, ' ').replace(/ ?(<|>) ?/g, '$1');
    const [iframe = ''] =
      /<iframe[\s\S]*<\/iframe>/.exec(block('quick-start: Show the form sooner: html')) ?? [];
    expect(plain(earlyFrame('https://pay.example'))).toBe(plain(iframe));
  });
});

type Words<Text extends string> = Text extends `${infer One} ${infer Rest}` ? One | Words<Rest> : Text;
/** The members of a union, each spelled once: the compiler rejects a list with a missing or an extra one. */
const all =
  <Union extends string>() =>
  <const Text extends string>(
    words: [Exclude<Union, Words<Text>>, Exclude<Words<Text>, Union>] extends [never, never] ? Text : never,
  ): readonly string[] =>
    words.split(' ');

describe('the tables', () => {
  const frame = readdirSync(join(root, 'src/form/frame'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => read(`src/form/frame/${name}`))
    .join('\n');
  const tables = PAGES.flatMap(tablesIn);
  /** `place`: page and heading; `first`: the first column's header. */
  const under = (place: `${string}: ${string}`, first: string): Table => {
    const table = tables.find(
      ({ page, heading, head }) => `${page}: ${heading}` === place && head[0] === first,
    );
    if (!table) throw new Error(`There is no table of "${first}" at "${place}".`);
    return table;
  };
  /** The names in backticks in the first column. */
  const names = (place: `${string}: ${string}`, first: string) =>
    under(place, first).rows.flatMap(([cell = '']) => codesIn(cell));
  const same = (told: readonly string[], is: readonly string[]) => {
    expect([...told].sort()).toEqual([...is].sort());
  };

  it('have every option, and none besides', () => {
    same(names('reference: Options', 'Option'), Object.keys(OPTIONS));
    same(names('appearance: Variables', 'Variable'), TOKEN_NAMES);
    same(names('appearance: Styles by state', 'Property'), Object.keys(PROPERTIES));
    const parts = under('appearance: Styles by state', 'Part').rows.flatMap(([part = '', , states = '']) =>
      codesIn(part).flatMap((name) => [
        name,
        ...codesIn(states)
          .filter((code) => code.startsWith(':'))
          .map((state) => `${name}${state}`),
      ]),
    );
    same(parts, RULE_NAMES);
    const hosted: Record<CardFormHostedFont, true> & Record<HostedFont, true> = {
      'DM Sans': true,
      'IBM Plex Sans': true,
      Inter: true,
      Montserrat: true,
      'Noto Sans': true,
      'Nunito Sans': true,
      'Open Sans': true,
      Roboto: true,
      'Source Sans 3': true,
      'Work Sans': true,
    };
    const fonts = /## Fonts\n\n`fontFamily`([^.]+)\./.exec(page('appearance').text)?.[1] ?? '';
    expect([...fonts.matchAll(/`([^`]+)`/g)].map(([, family]) => family)).toEqual(Object.keys(hosted));
    for (const name of ['README', 'reference', 'ACCESSIBILITY'])
      expect(page(name).text).toContain(`${LANGUAGES.length} languages`);
    const list = /### Languages\n\n([^.]+)\./.exec(page('reference').text)?.[1] ?? '';
    expect([...list.matchAll(/`([^`]+)`/g)].map(([, tag]) => tag)).toEqual([
      'en',
      ...LANGUAGES.filter((language) => language !== 'en').sort(),
    ]);
  });

  it('have every method, every field and every change, and none besides', () => {
    const methods = all<Exclude<keyof CardFormInstance, symbol> | '[Symbol.dispose]'>()(
      'ready result on once off update refresh submit focus blur clear validate diagnostics unmount [Symbol.dispose]',
    );
    const told = names('reference: Methods', 'Method').map((name) => name.replace(/\(.*\)$/, ''));
    same(told, methods);
    const row = (name: string) =>
      codesIn(
        under('reference: Methods', 'Method').rows.find(([cell]) => cell?.startsWith(`\`${name}(`))?.[1] ??
          '',
      );
    const changes = all<keyof CardFormUpdate>()(
      'locale appearance translations readOnly allowedCountries acceptedBrands defaultValues fields payButton buttonType clientSecret',
    );
    same(row('update'), changes);
    const fields = all<CardFormField>()(
      'number expiry cvc name email country line1 line2 city state postal_code',
    );
    same(row('focus'), fields);
    const classes = (text: string, quote: string) => [
      ...new Set(
        [...text.matchAll(RegExp(`${quote}(CardForm--\\w+)${quote}`, 'g'))].map(([, name = '']) => name),
      ),
    ];
    const given = classes(frame, "'");
    expect(given).toContain('CardForm--focus');
    same(classes(page('reference').text, '`'), given);
  });

  it('have every property of diagnostics(), and an example that the form could answer', () => {
    const properties = all<keyof CardFormDiagnostics>()('release timings presses troubles cutOffBy entries');
    same(names('reference: Diagnostics', 'Property'), properties);
    const reasons = all<PressRefusal>()('not_ready incomplete too_soon moved too_small obscured');
    const presses = under('reference: Diagnostics', 'Property').rows.find(([name]) => name === '`presses`');
    same(
      codesIn(presses?.[1] ?? '').filter((name) => name !== 'code'),
      reasons,
    );
    const diagnostics: unknown = JSON.parse(block('reference: Diagnostics: json'));
    expect(FrameMessageSchema.parse({ type: 'diagnostics', diagnostics })).toEqual({
      type: 'diagnostics',
      diagnostics,
    });
  });

  it('have every event and every outcome, and none besides', () => {
    same(names('reference: Events', 'Event'), Object.keys(EVENTS));
    const outcomes = all<Result['outcome']>()('succeeded canceled failed unknown');
    same(names('reference: Results', '`outcome`'), outcomes);
  });

  it('have what a buyer or a developer can meet: recoveries, codes, reasons', () => {
    const recoveries = all<CardFormError['recovery']>()(
      'fix_input use_other_card review_amount wait retry new_payment contact_merchant fix_integration',
    );
    same(names('errors: Recoveries', '`recovery`'), recoveries);
    const ours = all<NoAnswer | PressRefusal>()(
      'network timeout malformed no_secret blocked_fetch internal_csp not_ready incomplete too_soon moved too_small obscured',
    );
    const spelled = [...frame.matchAll(/\bcode: '(\w+)'/g)].map(([, code = '']) => code);
    // Codes that only a server with the secret key can get.
    const elsewhere: readonly ServerCode[] = [
      'validation_error',
      'invalid_amount',
      'amount_too_small',
      'amount_too_large',
      'unsupported_currency',
      'non_physical_goods_not_allowed',
      'payment_not_refundable',
      'refund_exceeds_remaining',
      'refund_not_found',
      'not_found',
      'idempotency_key_reused',
    ];
    const theirs = Object.keys(HTTP_STATUS).filter((code) => !elsewhere.some((one) => one === code));
    same(names('errors: Codes', '`code`'), [...new Set([...theirs, UNKNOWN_CODE, ...ours, ...spelled])]);

    // The known values of the public type, which an editor completes.
    const listed = [...read('src/form/channel/error-codes.ts').matchAll(/^ {2}\| '(\w+)'/gm)].map(
      ([, code = '']) => code,
    );
    const ofTheForm = new Set(spelled.filter((code) => !Object.hasOwn(HTTP_STATUS, code)));
    same(listed, [...elsewhere, ...ofTheForm]);

    // The comments of the public types, which an editor shows.
    const types = ['loader/types.ts', 'channel/events.ts', 'channel/diagnostics.ts', 'channel/result.ts']
      .map((file) => read(`src/form/${file}`))
      .join('');
    const quoted = [...types.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name = '']) => name);
    const fields = ['client_secret', 'decline_code', 'amount_total', 'fee_buyer'];
    const known = [...Object.keys(HTTP_STATUS), ...ours, ...fields];
    expect(quoted.length).toBeGreaterThan(5);
    expect(quoted.filter((name) => !known.includes(name))).toEqual([]);

    const mistakes = all<CardFormMistakeCode>()(
      'target_not_found invalid_option secret_key_exposed already_mounted script_not_found',
    );
    const failures = all<LoadFailure>()(
      'invalid_option offline csp timeout blocked unexpected_script version_mismatch',
    );
    same(names('errors: Thrown by mount', '`code`'), mistakes);
    same(names('errors: Rejected by loadCardForm', '`code`'), failures);
    const reasons = all<LoadErrorReason>()(
      'blocked csp offline timeout integrity http version_mismatch withdrawn restored insecure_context opaque_parent',
    );
    same(names('errors: When no form can be shown', '`loaderror` `reason`'), reasons);
  });

  it('have every call of the client for servers, every failure, and every reason to refuse a webhook', () => {
    type Grouped<Group extends 'paymentIntents' | 'refunds'> =
      `${Group}.${string & keyof ServiceClient[Group]}`;
    type Calls = Exclude<keyof ServiceClient, 'paymentIntents' | 'refunds'>;
    const calls = all<Grouped<'paymentIntents'> | Grouped<'refunds'> | Calls>()(
      'paymentIntents.create paymentIntents.retrieve paymentIntents.update paymentIntents.list refunds.create refunds.retrieve refunds.list quoteFees balance webhookSigningKeys verifyWebhook',
    );
    const told = names('server: The client', 'Call').map((name) => name.replace(/\(.*\)$/, ''));
    same(told, calls);
    const kinds = all<ServiceFailure['kind']>()('refused rate_limited failed no_answer');
    same(names('server: Errors', '`kind`'), kinds);
    const codes = all<WebhookErrorCode>()(
      'raw_body_needed option_invalid signature_missing signature_malformed unknown_kid key_unusable signature_invalid timestamp_too_old timestamp_in_future not_an_event',
    );
    same(names('server: Webhooks with the client', '`code` of a `WebhookError`'), codes);
  });

  it('have every attribute that mounts without code', () => {
    const source = read('src/form/loader/no-code.ts');
    const listed = (list: string) =>
      [
        ...(new RegExp(`const ${list} = \\[([\\s\\S]*?)\\]`).exec(source)?.[1] ?? '').matchAll(/'([\w-]+)'/g),
      ].map(([, name = '']) => name);
    expect(listed('ATTRIBUTES')).toContain('client-secret');
    same(names('no-code: Attributes', 'Attribute'), listed('ATTRIBUTES'));
    same(
      names('no-code: Attributes', 'On the script tag'),
      listed('TAG_ATTRIBUTES').map((name) => `data-${name}`),
    );
  });

  it('have every option of the commands', () => {
    const flags = (list: string) => [...list.matchAll(/^ +(--[\w-]+)/gm)].map(([, flag = '']) => flag);
    const told = (place: `${string}: ${string}`) =>
      names(place, 'Option').flatMap((name) => /^--[\w-]+/.exec(name)?.[0] ?? []);
    same(told('sandbox: Options'), [...flags(usage('sandbox')), '--shop-port']);
    same(told('sandbox: Make it happen, and listen'), [
      ...new Set([...flags(usage('trigger')), ...flags(usage('listen'))]),
    ]);
    same(names('hosting: Releases', 'Command'), [...RELEASE_COMMANDS]);
    same(names('hosting: A browser on a schedule', '`reason`'), PROBE_REASONS);
    // The owner's options are only in --help: those that these pages mention must exist there.
    const owner = flags(usage());
    const spoken = ['hosting', 'on-call'].flatMap((name) =>
      [...page(name).text.matchAll(/`(--[a-z-]+)/g)].map(([, flag = '']) => flag),
    );
    expect(spoken.length).toBeGreaterThan(15);
    expect(
      spoken.filter((flag) => !owner.includes(flag) && flag !== '--build-arg' && flag !== '--format'),
    ).toEqual([]);
  });

  it('have every route that can have faults, and every field of a fault', () => {
    same(names('sandbox: Faults', 'Route'), FAULTY_ROUTES);
    same(names('sandbox: Faults', 'Field'), Object.keys(FAULT_FIELDS));
  });

  it('have every control route', () => {
    const sources = readdirSync(join(root, 'src/sandbox/service'), { recursive: true, encoding: 'utf8' });
    const routes = sources
      .filter((name) => /\bcontrol(-\w+)?\.ts$/.test(name))
      .flatMap((name) =>
        [
          ...read(`src/sandbox/service/${name}`).matchAll(/app\.(get|post|delete)\(`\$\{CONTROL\}([^`]+)`/g),
        ].map(([, method = '', path = '']) => `${method.toUpperCase()} /_sandbox${path}`),
      );
    expect(routes.length).toBeGreaterThan(30);
    // Routes of the sandbox's own page, named by a sentence below the table.
    const pages = [
      '/changes',
      '/overview',
      '/overview/payment_intents',
      '/overview/payment_intents/:id',
      '/money',
    ];
    for (const path of pages) expect(page('sandbox').text).toContain(`${path}\``);
    const told = [
      ...names('sandbox: Control routes', 'Route'),
      ...pages.map((path) => `GET /_sandbox${path}`),
    ];
    same(
      told,
      routes.filter((route) => !route.endsWith('*')),
    );
    same(names('hosting: The three routes', 'Route'), Object.values(CLIENT_ROUTES));
  });

  it('have every test number', () => {
    const told = names('testing: Test numbers', 'Number').map((number) => number.replaceAll(' ', ''));
    const known = [...read('src/sandbox/service/payments/outcomes.ts').matchAll(/'(\d{12,19})'/g)].map(
      ([, number = '']) => number,
    );
    same(told, known);
    for (const number of told) {
      expect(outcomeOf({ number, exp_month: 12, exp_year: 2034, cvc: '123' }, Date.now())).toBeDefined();
    }
  });
});

describe('what the pages point at', async () => {
  /** Includes the page that the build writes. */
  const pages = [...PAGES, { name: 'api', ...(await apiPage()) }];
  const anchors = new Map(pages.map((one) => [one.path, headingsIn(one).map(anchorOf)]));

  /** A page's link, as a path in this project and an anchor. */
  const targetOf = (from: string, link: string) => {
    const [path = '', anchor] = link.split('#');
    return { path: path === '' ? from : normalize(join(dirname(from), path)), anchor };
  };

  it.each(pages.map((one) => [one.path, one] as const))('every link of %s resolves', (from, one) => {
    const broken = linksIn(one).filter((link) => {
      if (/^https?:/.test(link)) return false;
      const { path, anchor } = targetOf(from, link);
      return anchor === undefined ? !existsSync(join(root, path)) : !anchors.get(path)?.includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it.each(pages.map((one) => [one.path, one] as const))(
    'every file or folder named in %s exists',
    (_, { text }) => {
      const paths = [...text.matchAll(/`((?:src|e2e|public|docs)\/[\w./-]+)`/g)].map(([, path = '']) => path);
      const own = ['src/App.tsx', 'src/app/checkout.ts']; // the reader's
      expect(paths.filter((path) => !own.includes(path) && !existsSync(join(root, path)))).toEqual([]);
    },
  );

  it('every test that a command names exists', () => {
    const tests = (pattern: RegExp) =>
      PAGES.flatMap(({ text }) => [...text.matchAll(pattern)]).flatMap(([, names = '']) => names.split(' '));
    const units = tests(/npx vitest run ((?: ?src\/[\w./-]+)+)/g);
    expect(units.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const specs = tests(/npx playwright test -c e2e ((?: ?\w[\w-]*)+)/g);
    expect(specs).toEqual(expect.arrayContaining(['keyboard', 'leaks']));
    const files = readdirSync(join(root, 'e2e'), { recursive: true, encoding: 'utf8' });
    expect(specs.filter((name) => !files.some((file) => file.endsWith(`${name}.spec.ts`)))).toEqual([]);
  });

  it('ACCESSIBILITY.md quotes tests that exist', () => {
    const quotes = [
      ...page('ACCESSIBILITY').text.matchAll(/`([\w-]+\.spec\.ts)`, (?:"([^"]+)"|(\d[\d.]*))/g),
    ];
    expect(quotes.length).toBeGreaterThan(15);
    const files = readdirSync(join(root, 'e2e'), { recursive: true, encoding: 'utf8' });
    const missing = quotes.filter(([, name = '', title, criterion = '']) => {
      const file = files.find((path) => basename(path) === name);
      return file === undefined || !read(`e2e/${file}`).includes(title?.replace(/\s+/g, ' ') ?? criterion);
    });
    expect(missing.map(([quote]) => quote)).toEqual([]);
  });

  it('README.md links to every page of docs/, and every one of those says where to go next', () => {
    const pages = PAGES.filter(({ path }) => path.startsWith('docs/'));
    const linked = linksIn(page('README')).map((link) => targetOf('README.md', link).path);
    expect(pages.map(({ path }) => path).filter((path) => !linked.includes(path))).toEqual([]);
    const alone = pages.filter((one) => !linksIn(one).some((link) => /^[\w-]+\.md(#|$)/.test(link)));
    expect(alone.map(({ path }) => path)).toEqual([]);
  });

  it('every page has one title, and no two headings with the same anchor', () => {
    for (const one of pages) {
      expect([one.path, proseOf(one).match(/^# .+$/gm)?.length]).toEqual([one.path, 1]);
      const names = anchors.get(one.path) ?? [];
      expect([one.path, names.filter((name, at) => names.indexOf(name) !== at)]).toEqual([one.path, []]);
    }
  });
});
