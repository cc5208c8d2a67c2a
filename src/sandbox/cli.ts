import { fileURLToPath } from 'node:url';
import { OptionError } from './option-error.ts';
import { parseOptions } from './options.ts';
import { createSandbox } from './sandbox.ts';
import { listen } from './server.ts';

/** Built files lie beside the built sandbox's folder, in folders that mirror their addresses. */
const root = fileURLToPath(new URL('..', import.meta.url));

try {
  const { port, sandbox: options } = parseOptions(process.argv.slice(2), process.env);
  const sandbox = createSandbox(options);
  const server = await listen(sandbox, { port, root });
  console.log(
    [
      `The payment service runs at ${server.url}`,
      `  publishable key  ${sandbox.keys.publishable}`,
      `  secret key       ${sandbox.keys.secret}`,
      ...(sandbox.isSeeded ? ['Seeded: its ids and client secrets can be guessed.'] : []),
      'Stop it with Ctrl+C.',
    ].join('\n'),
  );
  process.once('SIGINT', async () => {
    sandbox.close();
    await server.close();
  });
} catch (error) {
  // Ours are told in a sentence; anything else is a defect and shows where it came from.
  console.error(error instanceof OptionError ? error.message : error);
  process.exitCode = 1;
}
