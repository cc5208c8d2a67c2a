/** The command `card-form`: a local sandbox, and the conformance suite for a running service. Wiring only. */
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sendTo } from '../conformance/http.ts';
import { formatResult, formatSummary, runConformance } from '../conformance/run.ts';
import { commandOf, usage } from './commands.ts';
import { parseConformance } from './conformance-options.ts';
import { OptionError } from './core/option-error.ts';
import { INSPECTOR } from './http/inspector-files.ts';
import { parseOptions } from './options.ts';
import { createSandbox } from './sandbox.ts';
import { listen } from './server.ts';

/** The folder of the built files, whose subfolders mirror the URLs. */
const root = fileURLToPath(new URL('..', import.meta.url));

const startSandbox = async (argv: readonly string[]): Promise<void> => {
  const { port, sandbox: options } = parseOptions(argv, process.env);
  const sandbox = createSandbox(options);
  const server = await listen(sandbox, { port, root }).catch(async (error: unknown) => {
    await sandbox.close();
    throw error;
  });
  console.log(
    [
      `The payment service runs at ${server.url}`,
      `  inspector        ${server.url}${INSPECTOR}`,
      `  publishable key  ${sandbox.keys.publishable}`,
      `  secret key       ${sandbox.keys.secret}`,
      `  integrity        ${server.integrity}`,
      ...(options.state === undefined ? [] : [`  kept in          ${options.state}`]),
      ...(sandbox.isSeeded ? ['Seeded: its ids and client secrets can be guessed.'] : []),
      'Stop it with Ctrl+C.',
    ].join('\n'),
  );
  const stop = async () => {
    await Promise.all([sandbox.close(), server.close()]);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
};

const checkConformance = async (argv: readonly string[]): Promise<void> => {
  const { baseUrl, options } = parseConformance(argv);
  const environment = {
    wait: (ms: number) => wait(ms),
    now: Date.now,
    log: (line: string) => console.error(line),
  };
  const results = await runConformance(options, sendTo(baseUrl), environment, (result) =>
    console.log(formatResult(result)),
  );
  console.log(`\n${baseUrl}: ${formatSummary(results)}`);
  if (results.some(({ kind }) => kind === 'failed')) process.exitCode = 1;
};

const version = (): string => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return `${version}`;
};

try {
  const chosen = commandOf(process.argv.slice(2));
  switch (chosen.command) {
    case 'sandbox':
      await startSandbox(chosen.argv);
      break;
    case 'conformance':
      await checkConformance(chosen.argv);
      break;
    case 'help':
      console.log(usage());
      break;
    case 'version':
      console.log(version());
      break;
    default:
      chosen satisfies never;
  }
} catch (error) {
  // A wrong option prints its message alone; any other error is a defect and prints its stack.
  console.error(error instanceof OptionError ? error.message : error);
  process.exitCode = 1;
}
