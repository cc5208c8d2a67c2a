// npm run test:browser-retries -- --runs 500 --engine chromium|firefox [--seed n]: n payments over connections that are
// cut, and a table of the results. Without --engine: both engines, one after the other.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { findFirefox, MISSING } from '../browsers/find-browsers.mjs';

const fail = (message) => {
  console.error(message);
  process.exit(1);
};
const whole = (name, text) =>
  /^[1-9]\d{0,8}$/.test(text)
    ? text
    : fail(`--${name} must be a whole number from 1 to 999999999; got ${JSON.stringify(text)}.`);
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '500' },
    seed: { type: 'string', default: `${Date.now() % 1_000_000_000}` },
    engine: { type: 'string' },
  },
});
const { engine } = values;
if (engine !== undefined && !['chromium', 'firefox'].includes(engine)) {
  fail(`--engine must be chromium or firefox; got ${JSON.stringify(engine)}.`);
}
if (engine === 'firefox' && findFirefox() === null) fail(MISSING.firefox);

const { status } = spawnSync(
  'npx',
  [
    'playwright',
    'test',
    '-c',
    'e2e',
    'browser-retries.spec.ts',
    '--workers=1',
    '--timeout=0',
    ...(engine ? ['-g', `: ${engine}$`] : []),
  ],
  {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, RETRY_RUNS: whole('runs', values.runs), RETRY_SEED: whole('seed', values.seed) },
  },
);
process.exit(status ?? 1);
