/** `card-form probe` as a schedule runs it: a form that works, each way in which it does not, and pages that attack. */
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { findChromium } from '../browsers/find-browsers.mjs';
import { dropTimers } from '../support/drop-timers.ts';
import { expect } from '../support/fixtures.ts';
import { listening } from '../support/listening.ts';
import type { Service } from '../support/service.ts';
import { test as base, LOADER } from './hosted.ts';
import { NGINX, needs } from './hosting.ts';
import { cardForm } from './program.ts';

const CONFIRM = '/partner/v1/client/payment_intents/confirm';
const RETRIEVE = '/partner/v1/client/payment_intents/retrieve';

/** The answer of a proxy in front of the service. */
type Change = {
  address: RegExp;
  status?: number;
  alter?: (text: string) => string;
  headers?: Readonly<Record<string, string | null>>;
};

type Asked = { method: string; path: string };

/** A proxy that alters answers and remembers every request that arrived. */
const startProxy = async (service: string, change: Change) => {
  const asked: Asked[] = [];
  const server = createServer((incoming, answer) => {
    const path = incoming.url ?? '/';
    asked.push({ method: incoming.method ?? '', path });
    const { hostname, port } = new URL(service);
    const headers = { ...incoming.headers, 'accept-encoding': 'identity' };
    const isIt = change.address.test(path.split('?')[0] ?? '');
    const passed = request({ hostname, port, path, method: incoming.method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const body = Buffer.from(isIt ? (change.alter?.(text) ?? text) : text);
        const sent = {
          ...response.headers,
          'content-length': `${body.length}`,
          ...(isIt ? change.headers : {}),
        };
        answer.statusCode = (isIt ? change.status : undefined) ?? response.statusCode ?? 502;
        // A browser does not run what its signature does not fit.
        if (isIt)
          for (const name of ['signature', 'signature-input', 'unencoded-digest'])
            Reflect.deleteProperty(sent, name);
        for (const [name, value] of Object.entries(sent)) if (value) answer.setHeader(name, value);
        answer.end(body);
      });
    });
    passed.on('error', () => answer.destroy());
    incoming.pipe(passed);
  });
  return { ...(await listening(server, '127.0.0.1')), asked };
};

type Ended = {
  code: number | null;
  /** What was printed as JSON. */
  report: Record<string, unknown>;
  printed: string;
  files: readonly string[];
  /** The content of every file, as text in which a secret would be found. */
  kept: string;
};

type Run = (url: string, more?: readonly string[], env?: Record<string, string>) => Promise<Ended>;

const test = base.extend<{ secret: string; probe: Run }>({
  secret: async ({ service }, use) => {
    await use((await service.createIntent()).client_secret);
  },
  probe: async ({ service, secret, folder }, use) => {
    const output = join(folder, 'output');
    await use(async (url, more = [], env = {}) => {
      const chromium = findChromium();
      const { code, out, err } = await cardForm(
        [
          ...['probe', '--base-url', url, '--publishable-key', service.keys.publishable, '--output', output],
          ...(chromium ? ['--executable-path', chromium.path] : []),
          ...['--timeout', '20', '--json', ...more],
        ],
        { CARD_FORM_PROBE_CLIENT_SECRET: secret, ...env },
      );
      const files = (await readdir(output).catch(() => [])).map((name) => join(output, name));
      const texts = await Promise.all(files.map((file) => readFile(file, 'latin1')));
      return { code, report: JSON.parse(out || '{}'), printed: out + err, files, kept: texts.join('\n') };
    });
  },
});

/** Nothing that was kept or printed has a secret, and a picture and a HAR were kept. */
const expectClean = async ({ files, kept, printed }: Ended, secret: string, service: Service) => {
  expect(files.map((file) => file.replace(/^.*\./, '')).sort()).toEqual(['har', 'png']);
  for (const text of [kept, printed]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(service.keys.secret);
    expect(text).not.toMatch(/lg_cs_|sk_live_/);
  }
  const har = JSON.parse(await readFile(files.find((file) => file.endsWith('.har')) ?? '', 'utf8'));
  expect(har.log.entries.length).toBeGreaterThan(0);
};

test.describe('card-form probe', () => {
  test('waits until a buyer could pay, measures it, keeps nothing and pays nothing', async ({
    probe,
    service,
    secret,
  }) => {
    const { code, report, printed, files } = await probe(service.url);
    expect([code, printed]).toEqual([0, expect.stringContaining('"ok":true')]);
    expect(report).toMatchObject({
      ok: true,
      baseUrl: service.url,
      browser: expect.stringMatching(/^chromium \d/),
      release: expect.stringMatching(/^\d+\.\d+\.\d+-/),
      times: { loader: expect.any(Number), typeable: expect.any(Number), ready: expect.any(Number) },
      reason: null,
      stopped: [],
      screenshot: null,
      har: null,
    });
    expect(files).toEqual([]);
    expect(printed).not.toContain(secret);
    const [id = ''] = await service.intents();
    expect(await service.record(id)).toMatchObject({ deliveries: 0, charges: 0 });
  });

  test('a wrong option, and a browser that is not there, exit with 2', async ({ probe, service, folder }) => {
    const missing = join(folder, 'no-browser');
    const noBrowser = await probe(service.url, ['--executable-path', missing]);
    expect(noBrowser).toMatchObject({
      code: 2,
      report: {
        ok: false,
        problem: expect.stringMatching(/^chromium was expected to start.*npx playwright install chromium/),
      },
    });
    expect(await probe('pay.example')).toMatchObject({
      code: 2,
      report: { ok: false, problem: expect.stringMatching(/^--base-url must be/) },
    });
  });

  /** Failures that only a browser notices; src/owner/probe/{diagnose,network}.test.ts has those of the network. */
  const failures: readonly [string, Change, Record<string, unknown>][] = [
    [
      'a policy that keeps the frame away',
      { address: /frame(\.html)?$/, headers: { 'content-security-policy': "frame-ancestors 'none'" } },
      { reason: 'csp', message: expect.stringMatching(/frame-ancestors 'none'/) },
    ],
    [
      'a policy that keeps the scripts away',
      { address: /frame(\.html)?$/, headers: { 'content-security-policy': "script-src 'none'" } },
      { reason: 'csp', message: expect.stringMatching(/script-src 'none'/) },
    ],
    [
      'a file of the form that was altered on its way',
      { address: /\/form\.js$/, alter: (text) => `${text};` },
      { reason: 'file', message: expect.stringMatching(/\/assets\/form\.js/) },
    ],
    [
      'a cookie of a firewall on the read',
      { address: /retrieve$/, headers: { 'set-cookie': '__waf=1; Secure; SameSite=None' } },
      { reason: 'cookie', message: expect.stringMatching(/retrieve set a cookie$/) },
    ],
  ];
  for (const [name, change, expected] of failures) {
    test(`names ${name}, and keeps a screenshot and a HAR without secrets`, async ({
      probe,
      secret,
      service,
    }) => {
      const proxy = await startProxy(service.url, change);
      const ended = await probe(proxy.url);
      await proxy.stop();
      expect(ended.report).toMatchObject({ ok: false, ...expected });
      expect(ended.code).toBe(1);
      await expectClean(ended, secret, service);
    });
  }

  test('names a payment that is over', async ({ probe, service, secret }) => {
    const [id = ''] = await service.intents();
    await service.cancel(id);
    const ended = await probe(service.url);
    expect(ended).toMatchObject({ code: 1, report: { reason: 'payment' } });
    await expectClean(ended, secret, service);
  });

  /** Each way that a page has to send a confirm, to `at(its name)`. */
  const ATTACKS: Readonly<Record<string, string>> = {
    fetch: 'fetch(at, post)',
    keepalive: 'fetch(at, { ...post, keepalive: true })',
    noCors: "fetch(at, { method: 'POST', mode: 'no-cors', body: post.body })",
    later: 'fetchLater(at, { ...post, activateAfter: 0 })',
    xhr: "const x = new XMLHttpRequest(); x.open('POST', at); x.send(post.body)",
    beacon: 'navigator.sendBeacon(at, post.body)',
    worker: 'new Worker(script(at))',
    sharedWorker: 'new SharedWorker(script(at))',
    serviceWorker: 'navigator.serviceWorker.register(at)',
    eventSource: 'new EventSource(at)',
    webSocket: "new WebSocket(at.replace('http', 'ws'))",
    image: 'new Image().src = at',
    prefetch: "add('link', { rel: 'prefetch', href: at })",
    modulePreload: "add('link', { rel: 'modulepreload', href: at })",
    speculation:
      "add('script', { type: 'speculationrules', textContent: JSON.stringify({ prefetch: [{ urls: [at], eagerness: 'immediate' }], prerender: [{ urls: [at], eagerness: 'immediate' }] }) })",
    frameFetch: "add('iframe').contentWindow.fetch(at, post)",
    frameWorker: "new (add('iframe').contentWindow.Worker)(script(at))",
    frameDocument: "add('iframe', { srcdoc: '<script>' + source(at) + '<\\/script>' })",
    frameSource: "add('iframe', { src: at })",
    form: "add('iframe', { name: 'into' }); add('form', { method: 'post', action: at, target: 'into' }).submit()",
    formInWindow: "add('form', { method: 'post', action: at, target: '_blank' }).submit()",
    window: "open('about:blank').eval(source(at))",
    ping: "add('a', { href: '#', ping: at }).click()",
    turn: "new RTCPeerConnection({ iceServers: [{ urls: 'turn:' + new URL(at).host + '?transport=tcp', username: 'a', credential: 'b' }] }).createDataChannel('a')",
    object: "add('object', { data: at })",
    embed: "add('embed', { src: at })",
    video: "add('video', { src: at })",
    leaving: "addEventListener('pagehide', () => fetch(at, { ...post, keepalive: true }))",
  };

  /** Those that arrive from a Chromium without the probe, from the frame, too. */
  const ARRIVING = [
    ...['fetch', 'keepalive', 'noCors', 'xhr', 'beacon', 'worker', 'eventSource', 'webSocket'],
    ...[
      'image',
      'prefetch',
      'frameFetch',
      'frameWorker',
      'frameDocument',
      'frameSource',
      'form',
      'formInWindow',
    ],
    ...['window', 'object', 'embed', 'video', 'leaving'],
  ];

  /** The address of the last thing that the attack does, so that it is known to have done the rest. */
  const OVER = '/attack-is-over';

  /** A script that tries each attack, half a second after it runs. */
  const attack = (service: string, key: string, secret: string): string => `
setTimeout(() => {
  const post = {
    method: 'POST',
    headers: { authorization: 'Bearer ${key}', 'content-type': 'application/json' },
    body: JSON.stringify({ client_secret: '${secret}', amount_total: 5804, currency: 'usd' }),
  };
  const source = (at) => 'fetch(' + JSON.stringify(at) + ', ' + JSON.stringify(post) + ').catch(() => {})';
  const script = (at) => URL.createObjectURL(new Blob([source(at)], { type: 'text/javascript' }));
  const add = (tag, properties = {}) => {
    const one = Object.assign(document.createElement(tag), properties);
    document.body.append(one);
    return one;
  };
  const each = {${Object.entries(ATTACKS)
    .map(([name, code]) => `${name}: (at) => { ${code} }`)
    .join(',\n')}};
  for (const [name, run] of Object.entries(each)) try { run('${service}${CONFIRM}?by=' + name) } catch {}
  document.title = '${secret}';
  fetch('${service}${OVER}').catch(() => {});
}, 500);`;

  /** The attacks whose request arrived at the proxy. */
  const arrived = (asked: readonly Asked[]): readonly string[] =>
    Object.keys(ATTACKS).filter((name) => asked.some(({ path }) => path === `${CONFIRM}?by=${name}`));

  /**
   * What is hostile, how it is altered, and the attacks that the probe cannot stop: Chromium sends what a frame of another
   * site asks for while it is removed, after Playwright has let go of it.
   */
  const HOSTILE: readonly [string, RegExp, (script: string) => string, readonly string[]][] = [
    // Neither is ever ready, so that each attempt has the time to arrive.
    ['the frame', /frame\.html$/, (script) => `<!doctype html><body><script>${script}</script>`, ['leaving']],
    [
      'the script on the page',
      /card-form\.js$/,
      (script) =>
        `CardForm = { version: '1', mount: () => ({ on() {}, ready: new Promise(() => {}), result: new Promise(() => {}) }) };${script}`,
      [],
    ],
  ];
  for (const [name, address, alter, passes] of HOSTILE) {
    const startHostile = async (service: Service, secret: string) => {
      const change: Change = {
        address,
        headers: {
          'content-security-policy': null,
          'integrity-policy': null,
          'permissions-policy': null,
          'cross-origin-embedder-policy': null,
        },
      };
      const proxy = await startProxy(service.url, change);
      change.alter = () => alter(attack(proxy.url, service.keys.publishable, secret));
      return proxy;
    };

    test(`without the probe, the attacks of ${name} arrive`, async ({
      browser,
      merchant,
      secret,
      service,
    }) => {
      const proxy = await startHostile(service, secret);
      // Not that of the other tests, which fails a test for what this page does.
      const context = await browser.newContext();
      const page = await context.newPage();
      // The page removes a frame that says nothing for two seconds after its `load`: here not before all has arrived.
      await dropTimers(page, 2000);
      await page.goto(
        merchant.serve({
          loaders: 0,
          body: `<div id="card-form"></div><script src="${proxy.url}${LOADER}"></script>`,
          options: { publishableKey: service.keys.publishable, clientSecret: secret, locale: 'en' },
        }),
      );
      const missing = () => ARRIVING.filter((one) => !arrived(proxy.asked).includes(one));
      const missingBefore = async () => {
        // Two of the attacks open windows, and Chromium loads no media for a page behind others.
        await page.bringToFront();
        return missing().filter((one) => one !== 'leaving');
      };
      await expect.poll(missingBefore, { timeout: 240_000 }).toEqual([]);
      await page.goto(`${merchant.url}/elsewhere`);
      await expect.poll(missing, { timeout: 60_000 }).toEqual([]);
      await context.close();
      await proxy.stop();
    });

    test(`of the attacks of ${name}, ${passes.length === 0 ? 'none' : `none but "${passes.join()}"`} leaves the browser of the probe`, async ({
      probe,
      secret,
      service,
    }) => {
      const proxy = await startHostile(service, secret);
      const ended = await probe(proxy.url, ['--timeout', '8']);
      // What was sent with a delay has had the time to arrive.
      await new Promise((resolve) => setTimeout(resolve, 2000));
      await proxy.stop();
      expect(proxy.asked.map(({ path }) => path)).toContain(LOADER);
      expect(arrived(proxy.asked).filter((one) => !passes.includes(one))).toEqual([]);
      const outside = proxy.asked.filter(
        ({ method, path }) =>
          !(method === 'POST' && path === RETRIEVE) &&
          !(method === 'GET' && path.startsWith('/partner/v1/card-form')) &&
          !passes.some((one) => path === `${CONFIRM}?by=${one}`),
      );
      expect(outside).toEqual([]);
      expect(ended.report).toMatchObject({
        ok: false,
        reason: 'hostile',
        stopped: expect.arrayContaining([
          `POST ${proxy.url}${CONFIRM}`,
          `GET ${proxy.url}${CONFIRM}`,
          `GET ${proxy.url}${OVER}`,
        ]),
      });
      expect(ended.code).toBe(1);
      await expectClean(ended, secret, service);
      const [id = ''] = await service.intents();
      expect(await service.record(id)).toMatchObject({ charges: 0 });
    });
  }

  test('keeps no screenshot that would show the client secret', async ({ probe, secret, service }) => {
    const proxy = await startProxy(service.url, {
      address: /card-form\.js$/,
      alter: () =>
        `document.body.append(${JSON.stringify(secret)}); CardForm = { version: '1', mount() { throw Error(${JSON.stringify(secret)}) } };`,
    });
    const ended = await probe(proxy.url);
    await proxy.stop();
    expect(ended).toMatchObject({
      code: 1,
      report: {
        reason: 'mount',
        message: '(removed)',
        screenshot: null,
        har: expect.stringMatching(/\.har$/),
      },
    });
    expect(ended.files.map((file) => file.replace(/^.*\./, ''))).toEqual(['har']);
    expect(ended.kept + ended.printed).not.toContain(secret);
  });

  test.describe('over https', () => {
    test.skip(NGINX.program === null, needs(NGINX));

    test('finds a certificate that browsers refuse, and a form behind one that they accept', async ({
      folder,
      hosting,
      probe,
    }) => {
      expect(await probe(hosting.url)).toMatchObject({
        code: 1,
        report: { reason: 'loader', message: expect.stringContaining('ERR_CERT_AUTHORITY_INVALID') },
      });
      const trusting = join(folder, 'browser');
      await writeFile(
        trusting,
        `#!/bin/sh\nexec '${findChromium()?.path}' --ignore-certificate-errors "$@"\n`,
      );
      await chmod(trusting, 0o755);
      expect(await probe(hosting.url, ['--executable-path', trusting])).toMatchObject({
        code: 0,
        report: { ok: true },
      });
    });
  });
});
