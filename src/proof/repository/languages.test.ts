/**
 * Runs the non-Node servers of docs/server.md against a sandbox behind a network that loses and damages requests. A
 * language whose interpreter is not installed is skipped.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { block } from '../../../e2e/developer/docs.ts';
import { freePort } from '../../../e2e/support/free-port.ts';
import { listening } from '../../../e2e/support/listening.ts';
import { CLIENT_ROUTES } from '../../api/routes.ts';
import { confirmBody } from '../../sandbox/service/sandbox.fixture.ts';
import { createSandbox } from '../../sandbox/service/sandbox.ts';
import { listen } from '../../sandbox/service/server.ts';

/** Clean-up after each test, latest first. */
const after: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of after.splice(0).reverse()) await undo();
});

const LANGUAGES = [
  {
    name: 'Python',
    command: 'python3',
    file: 'server.py',
    code: block('server: Python: python'),
    // `match` requires 3.10.
    probe: ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))'],
    argv: (_port: number) => ['server.py'],
  },
  {
    name: 'PHP',
    command: 'php',
    file: 'server.php',
    code: block('server: PHP: php'),
    probe: ['-r', 'exit(function_exists("sodium_crypto_sign_verify_detached") ? 0 : 1);'],
    argv: (port: number) => ['-S', `127.0.0.1:${port}`, 'server.php'],
  },
] as const;

const isInstalled = (command: string, argv: readonly string[]): boolean => {
  try {
    execFileSync(command, argv, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** The network's effect on a request. `answer_lost` and `cut` happen after the service has acted. */
type Fault = 'lost' | 'answer_lost' | 'cut' | 'unavailable';

/** A proxy in front of the service. Faults apply to the next requests, one each. */
const startNetwork = async (service: string) => {
  const faults: Fault[] = [];
  const keys: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const fault = faults.shift();
    if (request.method === 'POST') keys.push(request.headers['idempotency-key']?.toString());
    if (fault === 'lost') {
      request.socket.destroy();
      return;
    }
    if (fault === 'unavailable') {
      response.writeHead(503).end('<h1>Busy</h1>');
      return;
    }
    const { authorization = '', 'idempotency-key': key } = request.headers;
    const answer = await fetch(service + request.url, {
      method: request.method ?? 'GET',
      headers: {
        authorization,
        'content-type': 'application/json',
        ...(key === undefined ? {} : { 'idempotency-key': key.toString() }),
      },
      body: request.method === 'POST' ? Buffer.concat(chunks) : null,
    });
    const text = await answer.text();
    if (fault === 'answer_lost') {
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    });
    if (fault === 'cut') response.write(text.slice(0, 30), () => request.socket.destroy());
    else response.end(text);
  });
  const { url, stop } = await listening(server, '127.0.0.1');
  after.push(stop);
  return { url, faults, keys };
};

/** Starts a page's program and waits until it answers. */
const startProgram = async (
  { command, file, code, argv }: (typeof LANGUAGES)[number],
  env: Record<string, string>,
  port: number,
) => {
  const cwd = await mkdtemp(join(tmpdir(), 'language-'));
  await writeFile(join(cwd, file), code);
  const child: ChildProcess = spawn(command, argv(port), {
    cwd,
    env: { PATH: process.env.PATH, STATE: cwd, PORT: `${port}`, ...env },
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let said = '';
  const hear = (chunk: Buffer) => {
    said += chunk;
  };
  child.stdout?.on('data', hear);
  child.stderr?.on('data', hear);
  after.push(async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(cwd, { recursive: true });
  });
  const url = `http://127.0.0.1:${port}`;
  await expect
    .poll(
      () =>
        fetch(url).then(
          () => 'answers',
          () => said,
        ),
      { timeout: 20_000 },
    )
    .toBe('answers');
  return { url, said: () => said };
};

describe.each(LANGUAGES.map((language) => [language.name, language] as const))(
  'the server in %s',
  (_, language) => {
    it.skipIf(!isInstalled(language.command, language.probe))(
      'makes one payment and one refund over a bad network, and fulfils once after a signed webhook and a paid status',
      async () => {
        const sandbox = createSandbox();
        const service = await listen(sandbox, { port: 0 });
        after.push(() => Promise.all([sandbox.close(), service.close()]));
        const ask = async (path: string, body?: object, key?: string) => {
          const response = await fetch(service.url + path, {
            method: body === undefined ? 'GET' : 'POST',
            headers: {
              'content-type': 'application/json',
              ...(key ? { authorization: `Bearer ${key}` } : {}),
            },
            body: body === undefined ? null : JSON.stringify(body),
          });
          return response.json();
        };
        const port = await freePort();
        const endpoint = await ask('/_sandbox/webhook_endpoints', {
          url: `http://127.0.0.1:${port}/webhooks`,
        });
        const network = await startNetwork(service.url);
        const env = {
          SERVICE: network.url,
          SECRET_KEY: sandbox.keys.secret,
          PUBLISHABLE_KEY: sandbox.keys.publishable,
          ENDPOINT_ID: endpoint.id,
        };
        const shop = await startProgram(language, env, port);
        const call = async (method: string, path: string) => {
          const response = await fetch(shop.url + path, { method });
          return response.ok ? response.json() : response.status;
        };

        network.faults.push('answer_lost', 'cut');
        const first = await call('POST', '/api/payment');
        network.faults.push('lost', 'unavailable');
        expect(await call('POST', '/api/payment')).toEqual(first);
        expect(first).toEqual({
          publishableKey: sandbox.keys.publishable,
          clientSecret: expect.stringMatching(/^lg_cs_/),
          defaultValues: {
            billingDetails: {
              name: 'Ada Lovelace',
              email: 'ada@example.com',
              address: {
                line1: '12 Orchard Lane',
                city: 'Portland',
                state: 'OR',
                postal_code: '97205',
                country: 'US',
              },
            },
            sameAsShipping: true,
          },
        });
        const page = async (path: string) => {
          const response = await fetch(shop.url + path);
          return { type: response.headers.get('content-type'), text: await response.text() };
        };
        const checkout = await page('/');
        expect(checkout.type).toBe('text/html; charset=utf-8');
        expect(checkout.text).toMatch(/^<!doctype html>\n<html lang="en">[\s\S]*<\/html>\s*$/);
        expect(checkout.text).toContain(`<script src="${network.url}/partner/v1/card-form.js"></script>`);
        const [, mounted = ''] = /mount\('#card-form', (.*)\);/.exec(checkout.text) ?? [];
        expect(JSON.parse(mounted)).toEqual(first);
        expect((await page('/thanks')).text).toContain('<h1>We are checking your payment.</h1>');
        const { data: intents } = await ask('/_sandbox/payment_intents');
        expect(intents).toHaveLength(1);
        expect(new Set(network.keys)).toEqual(new Set(['order-17']));
        expect(await call('GET', '/api/paid')).toEqual({ paid: false });

        // A refusal is not repeated: the payment has not succeeded.
        const before = network.keys.length;
        expect(await call('POST', '/api/refund')).toBe(500);
        expect(network.keys.slice(before).filter((key) => key === 'refund-of-order-17')).toHaveLength(1);

        await ask('/_sandbox/webhook_plan', { duplicate: { copies: 2 } });
        const confirmed = await ask(
          CLIENT_ROUTES.confirm,
          confirmBody({ client_secret: first.clientSecret, amount_total: 5804, currency: 'usd' }),
          sandbox.keys.publishable,
        );
        expect(confirmed).toMatchObject({ status: 'succeeded' });
        const statuses = async () => {
          const { data } = await ask('/_sandbox/webhook_deliveries');
          return data[0]?.attempts.map(({ http_status }: { http_status: number }) => http_status);
        };
        await expect.poll(statuses, { timeout: 20_000 }).toEqual([204, 204]);
        expect(shop.said().match(/fulfil the order of \S+/g)).toEqual([`fulfil the order of ${intents[0]}`]);
        expect(await call('GET', '/api/paid')).toEqual({ paid: true });
        expect((await page('/thanks')).text).toContain('<h1>Thank you for your order!</h1>');

        const forged = JSON.stringify({
          type: 'payment_intent.succeeded',
          data: { object: { id: intents[0] } },
        });
        const now = Math.trunc(Date.now() / 1000);
        const { data: keys } = await ask('/partner/v1/webhook_signing_keys', undefined, sandbox.keys.secret);
        const signature = `${'A'.repeat(86)}==`;
        for (const header of [
          null,
          'yes',
          `t=${now},kid=other,v1=${signature}`,
          `t=${now},kid=${keys[0].kid},v1=${signature}`,
          `t=${now - 400},kid=${keys[0].kid},v1=${signature}`,
        ]) {
          const headers: HeadersInit = header === null ? {} : { 'Service-Signature': header };
          const response = await fetch(`${shop.url}/webhooks`, { method: 'POST', headers, body: forged });
          expect([header, response.status]).toEqual([header, 400]);
        }

        network.faults.push('answer_lost', 'unavailable');
        const refund = await call('POST', '/api/refund');
        expect(refund).toEqual({ refund: expect.stringMatching(/^lg_re_/), status: expect.any(String) });
        network.faults.push('lost', 'cut');
        expect(await call('POST', '/api/refund')).toMatchObject({ refund: refund.refund });
        const { refunds, charges } = await ask(`/_sandbox/payment_intents/${intents[0]}`);
        expect([refunds.length, charges]).toEqual([1, 1]);
      },
      60_000,
    );
  },
);
