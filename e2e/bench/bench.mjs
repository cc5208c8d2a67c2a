// npm run bench -- [--runs 10] [--seed n]: compares the built card form with a baseline and a peer. Prints the tables,
// and writes them and a JSON file into bench/.
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';

const fail = (message) => {
  console.error(message);
  process.exit(1);
};
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10' },
    seed: { type: 'string', default: `${Date.now() % 1_000_000_000}` },
  },
});
const whole = (name) =>
  /^[1-9]\d{0,8}$/.test(values[name])
    ? Number(values[name])
    : fail(`--${name} must be a whole number from 1 to 999999999; got ${JSON.stringify(values[name])}.`);

const root = fileURLToPath(new URL('../..', import.meta.url));
const load = async (file) =>
  (
    await runnerImport(fileURLToPath(new URL(file, import.meta.url)), {
      configFile: false,
      root,
      logLevel: 'warn',
    })
  ).module;
const { bench } = await load('run.ts');
const { markdown } = await load('report.ts');

// Ctrl+C finishes the current round and reports the figures so far; a second Ctrl+C exits immediately.
const stop = new AbortController();
process.once('SIGINT', () => {
  console.error('bench: this round is the last');
  stop.abort();
});

const options = { signal: stop.signal, runs: whole('runs'), seed: whole('seed') };
const result = await bench(options, (line) => console.error(`bench: ${line}`));
await mkdir(`${root}/bench`, { recursive: true });
await writeFile(`${root}/bench/bench.json`, `${JSON.stringify(result, null, 1)}\n`);
await writeFile(`${root}/bench/bench.md`, markdown(result));
console.log(markdown(result));
