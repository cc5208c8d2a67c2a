// npm run test:model -- [--tabs 2] [--presses 3] …: explores the states of a world, and prints counts or the shortest
// violation.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const NUMBERS = [
  'tabs',
  'attempts',
  'intents',
  'presses',
  'faults',
  'disturbances',
  'sleeps',
  'outages',
  'polls',
  'states',
];
const SWITCHES = ['locks', 'holds', 'beforePay', 'parks'];
const CHOICES = {
  told: ['status', 'word', 'nothing'],
  confirms: ['atomic', 'running', 'both'],
  swaps: ['none', 'after cancel', 'both payable'],
};

const wrong = (message) => {
  console.error(message);
  process.exit(1);
};
const { values } = parseArgs({
  options: {
    ...Object.fromEntries([...NUMBERS, ...Object.keys(CHOICES)].map((name) => [name, { type: 'string' }])),
    ...Object.fromEntries(SWITCHES.map((name) => [name, { type: 'boolean' }])),
  },
});
const bounds = Object.fromEntries(
  Object.entries(values).map(([name, value]) => {
    if (SWITCHES.includes(name)) return [name, true];
    if (name in CHOICES) {
      if (!CHOICES[name].includes(value))
        wrong(`--${name} must be one of ${CHOICES[name].join(', ')}; got "${value}".`);
      return [name, value];
    }
    if (!/^\d+$/.test(value)) wrong(`--${name} must be a whole number; got "${value}".`);
    return [name, Number(value)];
  }),
);
const { status } = spawnSync(
  'npx',
  ['vitest', 'run', 'src/proof/model/model.test.ts', '--disable-console-intercept'],
  {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: {
      ...process.env,
      FUZZ: 'full',
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --max-old-space-size=8192`.trim(),
      ...(Object.keys(bounds).length > 0 ? { MODEL_BOUNDS: JSON.stringify(bounds) } : {}),
    },
  },
);
process.exit(status ?? 1);
