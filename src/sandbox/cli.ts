/** `card-form <command>`: one program for whoever runs the service or builds against it. Composition only. */
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { askAt } from '../conformance/ask.ts';
import { lineOf, runConformance, summaryOf } from '../conformance/run.ts';
import { commandOf, usage } from './commands.ts';
import { parseConformance } from './conformance-options.ts';
import { INSPECTOR } from './inspector-files.ts';
import { OptionError } from './option-error.ts';
import { parseOptions } from './options.ts';
import { createSandbox } from './sandbox.ts';
import { listen } from './server.ts';

/** Built files lie beside the built sandbox's folder, in folders that mirror their addresses. */
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

const holdToContract = async (argv: readonly string[]): Promise<void> => {
  const { baseUrl, given } = parseConformance(argv);
  const surroundings = {
    wait: (ms: number) => wait(ms),
    now: Date.now,
    say: (line: string) => console.error(line),
  };
  const verdicts = await runConformance(given, askAt(baseUrl), surroundings, (verdict) =>
    console.log(lineOf(verdict)),
  );
  console.log(`\n${baseUrl}: ${summaryOf(verdicts)}`);
  if (verdicts.some(({ kind }) => kind === 'broken')) process.exitCode = 1;
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
      await holdToContract(chosen.argv);
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
  // Ours are told in a sentence; anything else is a defect and shows where it came from.
  console.error(error instanceof OptionError ? error.message : error);
  process.exitCode = 1;
}
