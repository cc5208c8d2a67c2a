/**
 * `npm run dev`: all URLs of the service on one port, with the frame served from source with hot reload. The loader is
 * bundled on each request, because it must be a classic script in development too. The sandbox and the shop run beside
 * it; Vite restarts them after a change, because this file is part of its configuration.
 */

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, runnerImport } from 'vite';
import { CONTROL, INSPECTOR, PLAYGROUND, PREFIX } from '../api/routes.ts';
import { SERVICE_PORT, SHOP_PORT } from '../sandbox/service/core/ports.ts';
import { greetingScript, isFrame } from './document.ts';

/** Release name of code served from source. */
const DEVELOPMENT = 'dev';

/** URLs of the frame document and the loader, moving and pinned. */
const FRAME = /^\/partner\/v1\/card-form\/(dev\/frame\.html|frame)$/;
const LOADER = /^\/partner\/v1\/card-form(\/dev\/card-form)?\.js$/;
/** Folders of the pages that a sandbox serves, by path. */
const DEVELOPER_PAGES: Readonly<Record<string, string>> = {
  [INSPECTOR]: 'sandbox/inspector',
  [PLAYGROUND]: 'sandbox/playground',
};
/** Scripts that the loader imports on demand. */
const LAZY_SCRIPT = /^\/partner\/v1\/card-form\/dev\/(page|mistakes)\.js$/;

/** Modules that the demo shop imports by name, from source. */
export const PACKAGE = {
  '@partner/card-form/server': fileURLToPath(new URL('../merchant/server.ts', import.meta.url)),
};

/** Adds the service to Vite's development server. Does nothing in builds and tests. */
export const developmentServer = (): Plugin => {
  const port = Number(process.env.CARD_FORM_SANDBOX_PORT || SERVICE_PORT);
  const shopPort = Number(process.env.SHOP_PORT || SHOP_PORT);
  return {
    name: 'card-form:development',
    apply: 'serve',

    async config() {
      if (process.env.VITEST) return {};
      const { createSandbox } = await import('../sandbox/service/sandbox.ts');
      const { listen } = await import('../sandbox/service/server.ts');
      // Not with `import()`: the shop imports the package by name, which resolves to a build that may not exist.
      const { module: shopModule } = await runnerImport<typeof import('../sandbox/shop/shop.ts')>(
        fileURLToPath(new URL('../sandbox/shop/shop.ts', import.meta.url)),
        { configFile: false, logLevel: 'warn', resolve: { alias: PACKAGE } },
      );
      const { listenShop } = shopModule;
      const sandbox = createSandbox();
      const service = await listen(sandbox, { port: 0 });
      const url = `http://127.0.0.1:${port}`;
      const shop = await listenShop({
        service: url,
        secretKey: sandbox.keys.secret,
        publishableKey: sandbox.keys.publishable,
        port: shopPort,
      });
      closing = () => Promise.all([service.close(), shop.close()]);
      console.log(
        `\n  shop       http://localhost:${shop.port}\n  service    ${url}\n  inspector  ${url}${INSPECTOR}\n  playground ${url}${PLAYGROUND}\n`,
      );
      const proxy = { target: service.url, changeOrigin: false };
      return {
        server: {
          host: '127.0.0.1',
          port,
          strictPort: true,
          proxy: { [PREFIX]: proxy, [CONTROL]: proxy },
        },
      };
    },

    // A build has the greeting in its early script.
    transformIndexHtml: (_, { filename }) =>
      isFrame(filename)
        ? [{ tag: 'script', children: greetingScript(DEVELOPMENT), injectTo: 'head-prepend' }]
        : [],

    configureServer(server) {
      if (process.env.VITEST) return;
      server.httpServer?.once('close', () => void closing());
      server.middlewares.use(async (request, response, next) => {
        const path = (request.url ?? '').split('?')[0] ?? '';
        try {
          const page = FRAME.test(path) ? 'form/frame' : (DEVELOPER_PAGES[path] ?? null);
          if (page !== null) {
            const file = `src/${page}/index.html`;
            response.setHeader('Content-Type', 'text/html; charset=utf-8');
            if (page === 'form/frame') response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
            response.end(await server.transformIndexHtml(`/${file}`, await readFile(file, 'utf8')));
          } else if (LOADER.test(path) || LAZY_SCRIPT.test(path)) {
            response.setHeader('Content-Type', 'text/javascript; charset=utf-8');
            response.setHeader('Cache-Control', 'no-store');
            response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
            const script = LAZY_SCRIPT.exec(path)?.[1];
            response.end(await (script ? bundle(script, 'es') : bundle('main', 'iife')));
          } else next();
        } catch (error) {
          next(error);
        }
      });
    },
  };
};

let closing: () => Promise<unknown> = async () => undefined;

/** Bundles a script of src/form/loader into one file. */
const bundle = async (name: string, format: 'iife' | 'es'): Promise<string> => {
  const bundled = await build({
    configFile: false,
    logLevel: 'warn',
    define: {
      __RELEASE__: JSON.stringify(DEVELOPMENT),
      __PAGE_INTEGRITY__: '""',
      __MISTAKES_INTEGRITY__: '""',
    },
    build: {
      write: false,
      minify: false,
      rolldownOptions: {
        checks: { bundlerTimings: false },
        input: `src/form/loader/${name}.ts`,
        preserveEntrySignatures: 'exports-only',
        output: { format },
      },
    },
  });
  const [first] = Array.isArray(bundled) ? bundled : [bundled];
  const chunk = first && 'output' in first ? first.output[0] : undefined;
  if (!chunk) throw new Error('The loader could not be bundled.');
  return chunk.code;
};
