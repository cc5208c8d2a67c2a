/** `npm start`: the sandbox on one origin, a demo shop on another. Wiring only; the one file that knows both. */
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { parseFlags } from '../api/command/flags.ts';
import { OptionError } from '../api/command/option-error.ts';
import { portFlag, SANDBOX_FLAGS, sandboxOf } from './cli/sandbox-options.ts';
import { line, startService } from './cli/service.ts';
import { SHOP_PORT } from './service/core/ports.ts';
import { listenShop } from './shop/shop.ts';

const FLAGS = z.extend(SANDBOX_FLAGS, {
  shopPort: portFlag('SHOP_PORT', SHOP_PORT, 'port of the demo shop'),
});
/** Folder of the built files, whose subfolders mirror the URLs. */
const root = fileURLToPath(new URL('..', import.meta.url));

try {
  const { shopPort, ...flags } = parseFlags(FLAGS, process.argv.slice(2), process.env);
  let shopUrl: string | undefined;
  const service = await startService(sandboxOf(flags, process.env), { root, shop: () => shopUrl });
  const shop = await listenShop({
    service: service.url,
    secretKey: service.keys.secret,
    publishableKey: service.keys.publishable,
    port: shopPort,
  }).catch((error: Error & { code?: string }) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new OptionError(
      `Port ${shopPort} is in use. Choose another for the shop with --shop-port <n> (or SHOP_PORT).`,
    );
  });
  shopUrl = `http://localhost:${shop.port}`;
  const lines = [
    line('shop', shopUrl),
    line('service', service.url),
    ...service.lines,
    line('test card', '4242 4242 4242 4242, any future date, any security code'),
  ].map((text) => text.replace(/\w/, (first) => first.toUpperCase()));
  console.log(['', ...lines, '', '  Stop with Ctrl+C.', ''].join('\n'));
  process.once('SIGINT', async () => {
    await Promise.all([service.close(), shop.close()]);
    process.exit(0);
  });
} catch (error) {
  console.error(error instanceof OptionError ? error.message : error);
  process.exit(1);
}
