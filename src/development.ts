/**
 * `npm run dev`: the service's addresses on one port, the frame from source with reload, the loader bundled
 * anew on request (merchants get a classic script, and so does the developer), the sandbox and the shop beside
 * it. A change in sandbox or shop restarts them, since this file is part of Vite's configuration.
 */
import { readFile } from 'node:fs/promises';
import { build, type Plugin } from 'vite';

/** Where the frame document and the loader stand in development: moving and pinned addresses alike. */
const FRAME = /^\/partner\/v1\/card-form\/(dev\/frame\.html|frame)$/;
const LOADER = /^\/partner\/v1\/card-form(\/dev\/card-form)?\.js$/;
/** What the loader fetches on demand. */
const BESIDE = /^\/partner\/v1\/card-form\/dev\/(page)\.js$/;

/** Mounts the service into Vite's development server. Does nothing for builds and tests. */
export const developmentServer = (): Plugin => {
  const port = Number(process.env.CARD_FORM_SANDBOX_PORT || 4010);
  const shopPort = Number(process.env.SHOP_PORT || 4011);
  return {
    name: 'card-form:development',
    apply: 'serve',

    async config() {
      if (process.env.VITEST) return {};
      const { createSandbox } = await import('./sandbox/sandbox.ts');
      const { listen } = await import('./sandbox/server.ts');
      const { listenShop } = await import('./demo/shop.ts');
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
        `\n  shop       http://localhost:${shop.port}\n  service    ${url}\n  inspector  ${url}/_sandbox/\n`,
      );
      const proxy = { target: service.url, changeOrigin: false };
      return {
        server: {
          host: '127.0.0.1',
          port,
          strictPort: true,
          proxy: { '/partner/v1': proxy, '/_sandbox': proxy },
        },
      };
    },

    configureServer(server) {
      if (process.env.VITEST) return;
      server.httpServer?.once('close', () => void closing());
      server.middlewares.use(async (request, response, next) => {
        const path = (request.url ?? '').split('?')[0] ?? '';
        try {
          if (FRAME.test(path)) {
            const file = 'src/frame/index.html';
            response.setHeader('Content-Type', 'text/html; charset=utf-8');
            response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
            response.end(await server.transformIndexHtml(`/${file}`, await readFile(file, 'utf8')));
          } else if (path === '/_sandbox/') {
            const file = 'src/sandbox/inspector/index.html';
            response.setHeader('Content-Type', 'text/html; charset=utf-8');
            response.end(await server.transformIndexHtml(`/${file}`, await readFile(file, 'utf8')));
          } else if (LOADER.test(path) || BESIDE.test(path)) {
            response.setHeader('Content-Type', 'text/javascript; charset=utf-8');
            response.setHeader('Cache-Control', 'no-store');
            response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
            const beside = BESIDE.exec(path)?.[1];
            response.end(await (beside ? bundle(beside, 'es') : bundle('main', 'iife')));
          } else next();
        } catch (error) {
          next(error);
        }
      });
    },
  };
};

let closing: () => Promise<unknown> = async () => undefined;

/** A script of src/loader as one file. */
const bundle = async (name: string, format: 'iife' | 'es'): Promise<string> => {
  const bundled = await build({
    configFile: false,
    logLevel: 'warn',
    define: { __RELEASE__: '"dev"', __PAGE_INTEGRITY__: '""' },
    build: {
      write: false,
      minify: false,
      rolldownOptions: {
        checks: { bundlerTimings: false },
        input: `src/loader/${name}.ts`,
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
