// npm run bench -- [--runs 10] [--cycles 1000] [--seed n] [--only load,growth,countries,languages,cycles,canary] [--charts]:
// compares the built card form with a baseline and a peer. Prints the tables and writes them, a JSON file and charts into
// bench/; --charts also writes the charts to public/, for docs/figures.md.
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
    cycles: { type: 'string', default: '1000' },
    seed: { type: 'string', default: `${Date.now() % 1_000_000_000}` },
    only: { type: 'string' },
    charts: { type: 'boolean', default: false },
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
const { bench, PARTS } = await load('run.ts');
const { markdown } = await load('report.ts');
const { chart, waterfall } = await load('charts.ts');

const only = values.only?.split(',') ?? PARTS;
const unknown = only.find((part) => !PARTS.includes(part));
if (unknown !== undefined) fail(`--only must be some of ${PARTS.join(',')}; got ${JSON.stringify(unknown)}.`);

// Ctrl+C ends after the current round and reports the figures so far; a second one ends at once.
const stop = new AbortController();
process.once('SIGINT', () => {
  console.error('bench: this round is the last');
  stop.abort();
});

const options = {
  signal: stop.signal,
  runs: whole('runs'),
  cycles: whole('cycles'),
  seed: whole('seed'),
  only,
};
const keep = async (result) => {
  const charts = { 'bench.svg': chart(result), 'bench-waterfall.svg': waterfall(result) };
  await mkdir(`${root}/bench`, { recursive: true });
  await writeFile(`${root}/bench/bench.json`, `${JSON.stringify(result, null, 1)}\n`);
  await writeFile(`${root}/bench/bench.md`, markdown(result));
  for (const [name, svg] of Object.entries(charts)) {
    if (svg === null) continue;
    await writeFile(`${root}/bench/${name}`, svg);
    if (values.charts) await writeFile(`${root}/public/${name}`, svg);
  }
};
const result = await bench(options, (line) => console.error(`bench: ${line}`), keep);
await keep(result);
console.log(markdown(result));
