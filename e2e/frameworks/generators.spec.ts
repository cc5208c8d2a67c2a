/**
 * The programs of docs/frameworks.md in projects from generators, unmodified: each is generated, gets the packed
 * package and the page's files, is built by its own `npm run build`, and pays and unmounts in Chromium.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { block } from '../developer/docs.ts';
import { test } from '../package/installed-package.ts';
import { payCardForm } from '../support/built-modules.mjs';
import { checkoutPage, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect } from '../support/fixtures.ts';
import { freePort } from '../support/free-port.ts';
import { type Service, startService } from '../support/service.ts';
import { IS_NEWEST, ownEnvironment } from './project.ts';

/** A generator, and the files a developer adds to its output. */
type Generated = {
  /** The generator's command, after `npx --yes`. It creates the folder `shop`. */
  make: readonly [generator: string, ...args: readonly string[]];
  /** Files by path. */
  files: Readonly<Record<string, string>>;
  /**
   * The folder that a static server serves after `npm run build`, or the command that starts the project's own server.
   */
  served: string | ((port: string) => readonly string[]);
  /** The path of the page with the form, if not `/`. */
  path?: string;
  /** True if the page has a button that removes the form. */
  leaves: boolean;
  /** Files with which the same project is built and paid in again. */
  again?: Readonly<Record<string, string>>;
};

const template = (path: string) =>
  readFileSync(fileURLToPath(new URL(`templates/${path}`, import.meta.url)), 'utf8');

const vite = (kind: string) => ['create-vite@9.3.0', 'shop', '--template', kind, '--no-interactive'] as const;

/** The code with which an app's page gets a payment from its server, `serveBuilt`. */
const fetchPayment = `await (await fetch('/api/payment', { method: 'POST' })).json()`;

const GENERATED: Readonly<Record<string, Generated>> = {
  'create-vite, react-ts': {
    make: vite('react-ts'),
    files: { 'src/App.tsx': block('frameworks: React: tsx') },
    served: 'dist',
    leaves: false,
  },
  'create-vite, solid-ts': {
    make: vite('solid-ts'),
    files: {
      'src/Checkout.tsx': block('frameworks: Solid: tsx'),
      'src/App.tsx': `
import { createResource, createSignal, Show } from 'solid-js';
import { Checkout } from './Checkout';

const App = () => {
  const [payment] = createResource(async () => ${fetchPayment});
  const [view, setView] = createSignal('Payment');
  return (
    <>
      <h1>{view()}</h1>
      <button onClick={() => setView('Cart')}>Leave</button>
      <Show when={view() === 'Payment' && payment()}>
        {(found) => <Checkout payment={found()} onPaid={() => setView('Thank you!')} />}
      </Show>
    </>
  );
};
export default App;
`,
    },
    served: 'dist',
    leaves: true,
  },
  'create-vite, lit-ts': {
    make: vite('lit-ts'),
    files: {
      'src/checkout.ts': block('frameworks: Lit: ts'),
      'src/my-element.ts': `
import { html, LitElement, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import './checkout';

@customElement('my-element')
export class MyElement extends LitElement {
  @state() private view = 'Payment';
  @state() private payment: any;

  override async connectedCallback() {
    super.connectedCallback();
    this.payment = ${fetchPayment};
  }

  override render() {
    const checkout = html\`<shop-checkout .payment=\${this.payment} @paid=\${() => { this.view = 'Thank you!'; }}></shop-checkout>\`;
    return html\`<h1>\${this.view}</h1>
      <button @click=\${() => { this.view = 'Cart'; }}>Leave</button>
      \${this.view === 'Payment' && this.payment ? checkout : nothing}\`;
  }
}
`,
    },
    served: 'dist',
    leaves: true,
  },
  'create-vue': {
    make: ['create-vue@3.24.0', 'shop', '--ts', '--router', '--bare'],
    files: {
      'src/Checkout.vue': block('frameworks: Vue: vue'),
      'src/App.vue': `
<script setup lang="ts">
import { ref } from 'vue';
import Checkout from './Checkout.vue';

const view = ref('Payment');
const payment = ref();
const load = async () => { payment.value = ${fetchPayment}; };
void load();
</script>

<template>
  <h1>{{ view }}</h1>
  <button @click="view = 'Cart'">Leave</button>
  <Checkout v-if="view === 'Payment' && payment" :publishable-key="payment.publishableKey" :client-secret="payment.clientSecret" @paid="view = 'Thank you!'" />
</template>
`,
    },
    served: 'dist',
    leaves: true,
  },
  'ng new': {
    make: [
      '@angular/cli@20.3.39',
      'new',
      'shop',
      '--defaults',
      '--skip-install',
      '--skip-git',
      '--ssr',
      'false',
    ],
    files: {
      'src/app/checkout.ts': block('frameworks: Angular: ts'),
      'src/app/app.html': `
<h1>{{ view() }}</h1>
<button (click)="view.set('Cart')">Leave</button>
@if (view() === 'Payment' && payment()) {
  <app-checkout [payment]="payment()" (paid)="view.set('Thank you!')" />
}
`,
      'src/app/app.ts': `
import { Component, signal } from '@angular/core';
import { Checkout } from './checkout';

@Component({ selector: 'app-root', imports: [Checkout], templateUrl: './app.html', styleUrl: './app.css' })
export class App {
  protected readonly view = signal('Payment');
  protected readonly payment = signal<any>(null);

  constructor() {
    void this.load();
  }

  private async load() {
    this.payment.set(${fetchPayment});
  }
}
`,
    },
    served: 'dist/shop/browser',
    leaves: true,
  },
  'sv create': {
    make: [
      'sv@0.6.16',
      'create',
      'shop',
      '--template',
      'minimal',
      '--types',
      'ts',
      '--no-add-ons',
      '--no-install',
    ],
    files: {
      'src/lib/Checkout.svelte': block('frameworks: Svelte: svelte'),
      'src/lib/shop.mjs': template('shop.mjs'),
      'src/routes/+page.server.ts': `
import { createPayment } from '$lib/shop.mjs';
export const load = async () => ({ payment: await createPayment('A-1') });
`,
      'src/routes/+page.svelte': `
<script lang="ts">
import Checkout from '$lib/Checkout.svelte';
const { data } = $props();
let view = $state('Payment');
</script>

<h1>{view}</h1>
<button onclick={() => (view = 'Cart')}>Leave</button>
{#if view === 'Payment'}
  <Checkout publishableKey={data.payment.publishableKey} clientSecret={data.payment.clientSecret} onpaid={() => (view = 'Thank you!')} />
{/if}
`,
    },
    served: (port) => ['vite', 'preview', '--host', '127.0.0.1', '--port', port, '--strictPort'],
    leaves: true,
  },
  'create-next-app': {
    make: ['create-next-app@16.4.3', 'shop', '--yes', '--skip-install', '--disable-git'],
    files: nextFiles(),
    served: (port) => ['next', 'start', '--hostname', '127.0.0.1', '--port', port],
    path: '/checkout',
    leaves: false,
    again: { 'next.config.ts': 'export default {};\n' }, // without cacheComponents
  },
};

function nextFiles() {
  return {
    'app/checkout/page.tsx': block('frameworks: Next.js: tsx'),
    'app/checkout/checkout.tsx': block('frameworks: Next.js: tsx 2'),
    'app/thanks/page.tsx': block('frameworks: Next.js: tsx 3'),
    '.env.local': block('frameworks: Next.js: ini'),
  };
}

/** The fonts of Next.js's template, which its build requests from Google. */
const FONTS = Object.fromEntries(
  ['Geist', 'Geist+Mono'].map((name) => [
    `https://fonts.googleapis.com/css2?family=${name}:wght@100..900&display=swap`,
    `@font-face { font-family: '${name.replace('+', ' ')}'; font-weight: 100 900; src: local('Arial') }`,
  ]),
);

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** Serves a built app and its server's two addresses. */
const serveBuilt = async (folder: string, service: Service, port: string) => {
  const server = createServer(async ({ url = '/' }, response) => {
    if (url === '/api/payment') {
      const { client_secret: clientSecret } = await service.createIntent();
      const { publishable: publishableKey } = service.keys;
      return response.end(JSON.stringify({ publishableKey, clientSecret, defaultValues: KNOWN_BUYER }));
    }
    if (url === '/api/paid') return response.end('{"paid":true}');
    const path = join(folder, url === '/' ? 'index.html' : url);
    const body = await readFile(path).catch(() => null);
    response.writeHead(body ? 200 : 404, { 'content-type': TYPES[extname(path)] ?? 'text/html' });
    return response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(Number(port), '127.0.0.1', resolve));
  return () => new Promise<void>((resolve) => server.close(() => resolve()));
};

const stopped = (server: ChildProcess) =>
  new Promise<void>((resolve) => {
    server.once('exit', () => resolve());
    server.kill();
  });

/** Their frameworks are in `frameworks.spec.ts` and run in `test:all` there. */
const THOROUGH = ['create-vite, react-ts', 'sv create', 'create-next-app'];

for (const [name, { make, files, served, path = '/', leaves, again }] of Object.entries(GENERATED))
  test(`${name}: a generated project builds with the documented files, pays and unmounts`, {
    tag: THOROUGH.includes(name) ? '@thorough' : [],
  }, async ({ installed, page }) => {
    const [pinned, ...args] = make;
    const generator = IS_NEWEST ? pinned.replace(/@[^@]+$/, '@latest') : pinned;
    const folder = await mkdtemp(join(tmpdir(), 'generated-'));
    const shop = join(folder, 'shop');
    const fonts = join(folder, 'fonts.json');
    const port = `${await freePort()}`;
    const env: NodeJS.ProcessEnv = {
      ...ownEnvironment(),
      ...{ CI: '1', NEXT_TELEMETRY_DISABLED: '1', NG_CLI_ANALYTICS: 'false' },
      NEXT_FONT_GOOGLE_MOCKED_RESPONSES: fonts,
    };
    const run = async (cwd: string, command: string, ...args: readonly string[]) => {
      const running = promisify(execFile)(command, args, { cwd, env, maxBuffer: 1e8 });
      running.child.stdin?.end(); // a generator must not prompt
      await running.catch(({ stdout, stderr }) => {
        throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`);
      });
    };
    const start = async (service: Service) => {
      if (typeof served === 'string') return serveBuilt(join(shop, served), service, port);
      const [program = '', ...args] = served(port);
      const server = spawn(join(shop, 'node_modules/.bin', program), args, {
        cwd: shop,
        env,
        stdio: 'ignore',
      });
      return () => stopped(server);
    };
    /** Starts a new service, because an earlier build has already paid the order. */
    const buildAndPay = async (files: Readonly<Record<string, string>>) => {
      const service = await startService({});
      const { url: origin, keys } = service;
      if (!('.env.local' in files))
        Object.assign(env, { SERVICE: origin, PUBLISHABLE_KEY: keys.publishable, SECRET_KEY: keys.secret });
      for (const [file, text] of Object.entries(files)) {
        await mkdir(dirname(join(shop, file)), { recursive: true });
        const local = text
          .replaceAll(/https:\/\/pay\.example|http:\/\/127\.0\.0\.1:4010/g, origin)
          .replaceAll(/pk_live_sandbox0+1\b/g, keys.publishable)
          .replaceAll(/sk_live_sandbox0+1\b/g, keys.secret);
        await writeFile(join(shop, file), local);
      }
      await run(shop, 'npm', 'run', 'build');
      const stop = await start(service);
      try {
        const url = `http://127.0.0.1:${port}${path}`;
        const status = async () => (await fetch(url).catch(() => null))?.status;
        await expect.poll(status, { timeout: 60_000 }).toBe(200);
        if (leaves) {
          await page.goto(url);
          await checkoutPage(page, 'body').ready();
          await page.getByRole('button', { name: 'Leave' }).click();
          await expect(page.locator('iframe')).toHaveCount(0);
        }
        await page.goto(url);
        await payCardForm(page, {});
        await expect(page.getByRole('heading', { name: /^Thank you/ })).toBeVisible();
        const [latest = ''] = await service.intents();
        expect(await service.record(latest)).toMatchObject({ charges: 1, confirms: 1 });
      } finally {
        await stop();
        await service.stop();
      }
    };
    try {
      await writeFile(fonts, JSON.stringify(FONTS));
      await run(folder, 'npx', '--yes', generator, ...args);
      await run(shop, 'npm', 'install', '--no-audit', '--no-fund', installed.tarball);
      await buildAndPay(files);
      if (again) await buildAndPay({ ...files, ...again });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
