/**
 * `npm start`: the sandbox on one origin, a demo shop on another. Wiring only: the one file that
 * knows both.
 */
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { INSPECTOR, PLAYGROUND } from '../api/routes.ts';
import { listenShop } from '../demo/shop.ts';
import { OptionError } from '../sandbox/core/option-error.ts';
import { SHOP_PORT } from '../sandbox/core/ports.ts';
import { tokenFragment } from '../sandbox/http/developer-page.ts';
import { createSandbox } from '../sandbox/sandbox.ts';
import { listen } from '../sandbox/server.ts';
import { parseFlags } from './flags.ts';
import { portFlag, SANDBOX_FLAGS, sandboxOf } from './sandbox-options.ts';

const FLAGS = z.extend(SANDBOX_FLAGS, {
  shopPort: portFlag('SHOP_PORT', SHOP_PORT, 'port of the demo shop'),
});
/** The folder of the built files, whose subfolders mirror the URLs. */
const root = fileURLToPath(new URL('..', import.meta.url));

try {
  const { shopPort, ...flags } = parseFlags(FLAGS, process.argv.slice(2), process.env);
  const { sandbox: options, ...address } = sandboxOf(flags, process.env);
  const sandbox = createSandbox(options);
  let shopUrl: string | undefined;
  const service = await listen(sandbox, { ...address, root, shop: () => shopUrl });
  const shop = await listenShop({
    service: service.url,
    secretKey: sandbox.keys.secret,
    publishableKey: sandbox.keys.publishable,
    port: shopPort,
  }).catch((error: Error & { code?: string }) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new OptionError(
      `Port ${shopPort} is in use. Choose another for the shop with --shop-port <n> (or SHOP_PORT).`,
    );
  });
  shopUrl = `http://localhost:${shop.port}`;
  console.log(
    [
      '',
      `  Shop             ${shopUrl}`,
      `  Service          ${service.url}`,
      ...service.elsewhere.map((url) => `  Other machines   ${url}`),
      `  Inspector        ${service.url}${INSPECTOR}${tokenFragment(service.controlToken)}`,
      `  Playground       ${service.url}${PLAYGROUND}${tokenFragment(service.controlToken)}`,
      '',
      `  Publishable key  ${sandbox.keys.publishable}`,
      `  Secret key       ${sandbox.keys.secret}`,
      `  Integrity        ${service.integrity}`,
      ...(service.controlToken === null ? [] : [`  Control token    ${service.controlToken}`]),
      '  Test card        4242 4242 4242 4242, any future date, any security code',
      '',
      ...(sandbox.isSeeded ? ['  Seeded: its ids and client secrets can be guessed.', ''] : []),
      '  Stop with Ctrl+C.',
      '',
    ].join('\n'),
  );
  process.once('SIGINT', async () => {
    sandbox.close();
    await Promise.all([service.close(), shop.close()]);
    process.exit(0);
  });
} catch (error) {
  console.error(error instanceof OptionError ? error.message : error);
  process.exit(1);
}
