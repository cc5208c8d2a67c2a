/** The program itself, built and started in a separate process: its output, and what it survives. */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { block } from '../../e2e/developer/docs.ts';
import { freePort } from '../../e2e/support/free-port.ts';
import { listening } from '../../e2e/support/listening.ts';
import { CLIENT_ROUTES, SERVER_ROUTES } from '../api/routes.ts';
import { PaymentIntent } from '../api/schemas.ts';
import { manyPayments } from '../sandbox/service/many-payments.mjs';
import { confirmBody, ORDER } from '../sandbox/service/sandbox.fixture.ts';
import { SANDBOX_KEYS } from '../sandbox/service/service.ts';
import { buildProgram, type Program } from './program.fixture.ts';
import { sendOverSocket } from './socket.fixture.ts';

let built: Program;
let folder: string;
let program: string;

beforeAll(async () => {
  built = await buildProgram();
  ({ folder, program } = built);
}, 60_000);

afterAll(() => built.close());

const start = (...argv: string[]) => built.start(...argv);

/** A sandbox on its own port, once it answers. */
const startSandbox = (...argv: string[]) => startSandboxWith({}, ...argv);

const startSandboxWith = async (env: Readonly<Record<string, string>>, ...argv: string[]) => {
  const started = built.startWith(
    env,
    'sandbox',
    '--port',
    '0',
    '--client-rate-limit',
    '1000000',
    '--server-rate-limit',
    '1000000',
    ...argv,
  );
  await expect.poll(started.out, { timeout: 30_000 }).toContain('Stop it with Ctrl+C.');
  const url = /http:\S+/.exec(started.out())?.[0] ?? '';
  const post = async (path: string, body: unknown, headers: Record<string, string>) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  };
  const secret = { authorization: `Bearer ${SANDBOX_KEYS.secret}` };
  return {
    ...started,
    url,
    create: (key: string) =>
      post(
        SERVER_ROUTES.paymentIntents,
        { ...ORDER, order_reference: key },
        { ...secret, 'idempotency-key': key },
      ),
    confirm: (intent: Parameters<typeof confirmBody>[0]) =>
      post(CLIENT_ROUTES.confirm, confirmBody(intent), {
        authorization: `Bearer ${SANDBOX_KEYS.publishable}`,
      }),
    insight: async (id: string): Promise<{ payment_intent: { status: string }; charges: number }> =>
      (await fetch(`${url}/_sandbox/payment_intents/${id}`)).json(),
  };
};

const intentIn = (text: string) => {
  const intent = PaymentIntent.parse(JSON.parse(text));
  return { ...intent, client_secret: intent.client_secret ?? '' };
};

describe('contract 6.6: the program', () => {
  it.each([
    [
      ['--help'],
      0,
      /^card-form <command> \[options\]\n[\s\S]*--state file\.json[\s\S]*--client-secret lg_cs_…/,
    ],
    [['sandbox', '--help'], 0, /^card-form sandbox .*\n {2}--port n(?!.*card-form release)/s],
    [['release', 'publish', '--help'], 0, /^card-form release .*\n {2}--target dir +(?!.*\(null\)).*$/s],
    [['conformance', '--help'], 0, /^card-form conformance .*\n\ncard-form conformance --server /s],
    [['help'], 0, /^card-form <command>/],
    [['--version'], 0, /^1\.2\.3\n$/],
  ])('%j', async (argv, code, out) => {
    const ended = await start(...argv).ended;
    expect(ended).toMatchObject({ code, err: '', out: expect.stringMatching(out) });
  });

  it.each([
    [[], /^card-form needs a command\.\n\n[\s\S]*card-form conformance/],
    [['sandbocks'], /^There is no command "sandbocks"\.\n\n[\s\S]*card-form sandbox[\s\S]*--port n/],
    [
      ['sandbox', '--prot', '1'],
      /^There is no option "--prot"\.\n\nThe options are:\n[\s\S]*--state file\.json/,
    ],
    [
      ['sandbox', '--state', 'PROGRAM'],
      /^The state file .* cannot be used: it is not a state file of this sandbox/,
    ],
  ])('%j exits with 1 and lists the commands', async (argv, err) => {
    const ended = await start(...argv.map((word) => (word === 'PROGRAM' ? program : word))).ended;
    expect(ended).toMatchObject({ code: 1, out: '', err: expect.stringMatching(err) });
  });

  it('conformance exits with 1 if a check fails, and with 2 if one was skipped: that is no pass', async () => {
    const sandbox = await startSandbox();
    const intent = intentIn((await sandbox.create('a')).text);
    const argv = (secret: string) => [
      ...['conformance', '--base-url', `${sandbox.url}/`, '--publishable-key', SANDBOX_KEYS.publishable],
      ...['--client-secret', secret],
    ];
    const good = await start(...argv(intent.client_secret), '--pay-with', '4242424242424242').ended;
    expect(good.out).toMatch(
      /^pass {5}contract 3\.1:[\s\S]*\n\nhttp:\S+: \d+ rules: \d+ passed, 0 failed, 6 skipped\.\n$/,
    );
    expect(good.code).toBe(2);
    const bad = await start(...argv('lg_cs_none')).ended;
    expect(bad.out).toMatch(
      /^FAIL {5}contract 3\.1[^\n]*\n +expected 200\n +got {6}401 invalid_client_secret\n/,
    );
    expect(bad.code).toBe(1);
    sandbox.child.kill('SIGTERM');
    expect(await sandbox.ended).toMatchObject({ code: 0 });
  });

  it('conformance exits with 0 if all rules were checked and kept', async () => {
    const sandbox = await startSandbox('--attempt-seconds', '1', '--client-rate-limit', '60');
    const control = async (path: string, body: object) => {
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      };
      return (await fetch(`${sandbox.url}/_sandbox/${path}`, init)).json();
    };
    const other = await control('accounts', {});
    const revoked = await control('accounts', {});
    await control('keys/revoke', { key: revoked.keys.publishable_key });
    const intent = intentIn((await sandbox.create('a')).text);
    // Advances the sandbox's clock by the minute of the rate limit.
    const proxy = createServer((asked, answer) => {
      const { method, headers, url } = asked;
      const passed = request(`${sandbox.url}${url}`, { method, headers }, async (response) => {
        const isOver = response.statusCode === 429;
        if (isOver) await control('clock', { advance_seconds: Number(response.headers['retry-after']) });
        const sent = { ...response.headers, ...(isOver ? { 'retry-after': '1' } : {}) };
        answer.writeHead(response.statusCode ?? 502, sent);
        response.pipe(answer);
      });
      asked.pipe(passed);
    });
    const { url, stop } = await listening(proxy, '127.0.0.1');
    const { code, out } = await start(
      ...['conformance', '--base-url', url, '--client-secret', intent.client_secret],
      ...[
        '--publishable-key',
        SANDBOX_KEYS.publishable,
        '--other-publishable-key',
        other.keys.publishable_key,
      ],
      ...['--revoked-publishable-key', revoked.keys.publishable_key, '--exhaust-rate-limit'],
      ...['--pay-with', '4242424242424242', '--decline-with', '4000000000000002'],
    ).ended;
    await stop();
    sandbox.child.kill('SIGTERM');
    await sandbox.ended;
    expect(out.split('\n').filter((line) => /^(FAIL|skipped)/.test(line))).toEqual([]);
    expect(out).toMatch(/: (\d+) rules: \1 passed, 0 failed, 0 skipped\.\n$/);
    expect(code).toBe(0);
  }, 60_000);
});

/** The value of a key in a page's YAML, which has one key per line. */
const valueIn = (yaml: string, key: string): string => {
  const [, value = ''] = new RegExp(`^ *(?:- )?${key}: (.+)$`, 'm').exec(yaml) ?? [];
  if (value === '') throw new Error(`The page says nothing of ${key}.`);
  return value;
};

describe('contract 6.3: sandbox, From a container or another machine', () => {
  const compose = block('sandbox: From a container or another machine: yaml');
  const workflow = block('sandbox: From a container or another machine: yaml 2');

  /** Runs one of the page's commands in a shop that has the package, on the test's own port. */
  const run = (command: string, port: number, env: Record<string, string> = {}) => {
    const shop = join(folder, 'shop');
    mkdirSync(join(shop, 'node_modules/.bin'), { recursive: true });
    writeFileSync(join(shop, 'package.json'), '{"name":"shop","version":"1.0.0"}');
    const link = join(shop, 'node_modules/.bin/card-form');
    writeFileSync(link, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 });
    const child = spawn('/bin/sh', ['-c', command.replaceAll('4010', `${port}`)], {
      cwd: shop,
      // A separate process group, so that whatever npx starts ends with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, CARD_FORM_SANDBOX_PORT: `${port}`, ...env },
    });
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.resume();
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    const kill = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL');
    return { ended, kill, out: () => out };
  };

  it('its commands start, wait for and stop a sandbox that a container would reach, without an engine', async () => {
    mkdirSync(join(folder, 'dist/partner/v1'), { recursive: true });
    writeFileSync(join(folder, 'dist/partner/v1/card-form.js'), 'loader();');
    const port = await freePort();
    const health = valueIn(compose, 'test');
    expect(await run(health, port).ended).not.toBe(0);

    const token = valueIn(workflow, 'CARD_FORM_SANDBOX_TOKEN');
    expect(valueIn(compose, 'CARD_FORM_SANDBOX_TOKEN')).toMatch(/^\$\{CARD_FORM_SANDBOX_TOKEN:\?/);
    const steps = [...workflow.matchAll(/^ *- run: (.+)$/gm)].map(([, step = '']) => step);
    const waitFor = steps.find((step) => step.startsWith('curl ')) ?? '';
    expect(steps.indexOf('docker compose up --detach sandbox')).toBe(steps.indexOf(waitFor) - 1);
    expect(compose).toMatch(/^services:\n {2}sandbox:\n/);
    const waiting = run(waitFor, port);
    const sandbox = run(valueIn(compose, 'command'), port, { CARD_FORM_SANDBOX_TOKEN: token });
    expect(await waiting.ended).toBe(0);
    expect(await run(health, port).ended).toBe(0);
    expect(sandbox.out()).toContain(`control token    ${token}`);
    expect(sandbox.out()).toContain(`/_sandbox/#token=${token}`);

    const ask = async (headers: Record<string, string>) => {
      const result = await sendOverSocket(`http://127.0.0.1:${port}/_sandbox/requests`, {
        method: 'GET',
        headers,
      });
      return 'failed' in result ? result.failed : result.status;
    };
    const authorization = `Bearer ${token}`;
    // As the shop's container would, by the service's name.
    expect(await ask({ host: 'sandbox:4010', authorization })).toBe(200);
    expect(await ask({ host: 'sandbox:4010' })).toBe(401);
    expect(await ask({ host: 'other:4010', authorization })).toBe(403);
    sandbox.kill();
    expect(await sandbox.ended).toBeNull();
  }, 120_000);

  it('prints its own token if none is given, and the address for other machines', async () => {
    const sandbox = await startSandbox('--host', '0.0.0.0');
    const [, token = ''] = /control token +(\S+)/.exec(sandbox.out()) ?? [];
    expect(token).toMatch(/^[\w-]{32}$/);
    expect(sandbox.out()).toMatch(/^The payment service runs at http:\/\/127\.0\.0\.1:\d+$/m);
    expect((await fetch(`${sandbox.url}/_sandbox/requests`)).status).toBe(401);
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${sandbox.url}/_sandbox/requests`, { headers })).status).toBe(200);
    sandbox.child.kill('SIGTERM');
    expect(await sandbox.ended).toMatchObject({ code: 0 });
  });

  it('a sandbox for this machine only mentions no token', async () => {
    const sandbox = await startSandbox();
    expect(sandbox.out()).not.toMatch(/token/);
    sandbox.child.kill('SIGTERM');
    await sandbox.ended;
  });
});

describe('contract 6.6: --state and a process that is killed', () => {
  it('loses nothing that it answered, twenty times over, and charges nobody twice', async () => {
    const state = join(folder, 'state.json');
    const created = new Map<string, ReturnType<typeof intentIn>>();
    const paid = new Set<string>();
    let unanswered = 0;

    for (let round = 0; round < 20; round += 1) {
      const sandbox = await startSandbox('--state', state);
      // Everything answered before is still there, with the same content.
      for (const [key, intent] of created) {
        const { payment_intent, charges } = await sandbox.insight(intent.id);
        if (paid.has(key))
          expect({ key, status: payment_intent.status }).toEqual({ key, status: 'succeeded' });
        expect(charges).toBe(payment_intent.status === 'succeeded' ? 1 : 0);
        if (Number(key) < 5 || Number(key) > created.size - 8)
          expect(intentIn((await sandbox.create(key)).text).id).toBe(intent.id);
      }
      // Six buyers at once; the process dies the moment one of them, a different one in each round, is answered.
      let responses = 0;
      const last = ((round * 5) % 11) + 1;
      const answered = () => {
        responses += 1;
        if (responses === last) sandbox.child.kill('SIGKILL');
      };
      const buyers = Array.from({ length: 6 }, async (_, buyer) => {
        const key = String(round * 6 + buyer);
        const made = await sandbox.create(key);
        created.set(key, intentIn(made.text));
        answered();
        const response = await sandbox.confirm(intentIn(made.text));
        expect(response.status).toBe(200);
        paid.add(key);
        answered();
      });
      const ends = await Promise.allSettled(buyers);
      unanswered += ends.filter((end) => end.status === 'rejected').length;
      expect(await sandbox.ended).toMatchObject({ signal: 'SIGKILL' });
    }
    // It was killed in the middle of something.
    expect(unanswered).toBeGreaterThan(0);
    expect(paid.size).toBeGreaterThan(15);
    expect(readFileSync(state, 'utf8')).toContain('lg_pi_');
  }, 240_000);
});

describe('contract 6.6: --state with 100,000 payments', () => {
  it('opens in a heap of 220 MB, and answers a balance and a list soon', async () => {
    const seed = join(folder, 'one.json');
    const first = await startSandbox('--state', seed);
    const payment = intentIn((await first.create('A')).text);
    await first.confirm(payment);
    first.child.kill('SIGTERM');
    await first.ended;
    const state = join(folder, 'many.json');
    const file = openSync(state, 'w');
    const lines = manyPayments(readFileSync(seed, 'utf8'), { ...payment, order_reference: 'A' }, 100_000);
    for (const line of lines) writeSync(file, line);
    closeSync(file);
    // 1.6 s and 249 MB including non-heap memory; 587 MB would end it. The large margin of time is for a busy machine.
    const begun = performance.now();
    const sandbox = await startSandboxWith({ NODE_OPTIONS: '--max-old-space-size=220' }, '--state', state);
    const authorization = `Bearer ${SANDBOX_KEYS.secret}`;
    const ask = async (path: string) =>
      (await fetch(sandbox.url + path, { headers: { authorization } })).json();
    const { available, locked } = await ask(SERVER_ROUTES.balance);
    expect(performance.now() - begun).toBeLessThan(30_000);
    const sums = [...available, ...locked].map(({ amount }: { amount: number }) => amount);
    expect(sums.reduce((sum, amount) => sum + amount, 0)).toBeGreaterThan(100_000 * 100);
    const one = await ask(`${SERVER_ROUTES.paymentIntents}?order_reference=A-50000`);
    expect(one.data).toHaveLength(1);
    sandbox.child.kill('SIGTERM');
    expect(await sandbox.ended).toMatchObject({ code: 0 });
  }, 120_000);
});

describe('card-form trigger and listen', () => {
  it('trigger an error in a running sandbox, list the names, and explain a mistake', async () => {
    const { url, child, ended } = await startSandbox('--strict-webhooks');
    const at = ['--base-url', url];
    const answer = await start('trigger', 'invalid_amount', ...at).ended;
    expect(answer).toMatchObject({ code: 0, err: '' });
    expect(answer.out).toMatch(/^400\n\{"error":\{.*"code":"invalid_amount"/);
    expect((await start('trigger').ended).out.split('\n')).toContain('refund.failed');
    expect(await start('trigger', 'nothing', ...at).ended).toMatchObject({ code: 1, out: '' });
    const refused = await start('listen', '--forward-to', 'http://localhost:3001/webhooks', ...at).ended;
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('--strict-webhooks') });
    child.kill('SIGINT');
    await ended;
    expect(await start('trigger', 'invalid_amount', ...at).ended).toMatchObject({
      code: 1,
      err: expect.stringContaining('The sandbox does not answer'),
    });
  });
});
