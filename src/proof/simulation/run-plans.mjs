// npm run test:faults -- --runs 100000 [--seed n]: runs the simulation with this many plans, and prints a table at the
// end.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const whole = (name, text) => {
  if (/^[1-9]\d*$/.test(text)) return text;
  console.error(`--${name} must be a whole number from 1; got ${JSON.stringify(text)}.`);
  process.exit(1);
};
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: `${Date.now() % 2 ** 31}` },
  },
});
const { status } = spawnSync(
  'npx',
  ['vitest', 'run', 'src/proof/simulation', '-t', 'no fault', '--disable-console-intercept'],
  {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: {
      ...process.env,
      SIMULATION_RUNS: whole('runs', values.runs),
      SIMULATION_SEED: whole('seed', values.seed),
      SIMULATION_TABLE: '1',
    },
  },
);
process.exit(status ?? 1);
