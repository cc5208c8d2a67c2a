// npm run test:nodes [-- --only 20.19.0,26.12.1] [--no-tests] [--workers n]: on each Node of nodes.json, in a clean
// clone of the last commit: npm ci, build, compare every byte of dist/ with the first Node's, run the unit tests, start
// what `npm start` starts, and pay once. Exits with 1 if one differs or fails. The Nodes come from the npm registry and
// stay in a temporary folder for the next run.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { differencesBetween, filesIn, run } from '../../build/verify-build.mjs';

const NODES = JSON.parse(readFileSync(new URL('nodes.json', import.meta.url), 'utf8'));
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const CACHE = join(tmpdir(), 'card-form-nodes');
const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--silent'];

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    'no-tests': { type: 'boolean', default: false },
    workers: { type: 'string', default: '100%' },
  },
});
const chosen = values.only?.split(',') ?? NODES;

/** An environment in which `node` is that Node, so that programs find it through their shebang. */
const environmentOf = (version) => {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = join(CACHE, version);
  const bin = join(folder, 'node_modules', name, 'bin');
  if (!existsSync(bin)) {
    mkdirSync(folder, { recursive: true });
    run('npm', ['install', ...QUIET, '--no-package-lock', '--prefix', folder, `${name}@${version}`]);
  }
  const env = { ...process.env, PATH: bin + delimiter + process.env.PATH };
  const found = run('node', ['--version'], { env }).trim();
  if (found !== `v${version}`)
    throw new Error(`${bin} was expected to have Node ${version}; it has ${found}`);
  return env;
};

/** The lines that a sandbox and its shop print on startup, by name. */
const readStart = async (started) => {
  const printed = new Map();
  for await (const line of createInterface({ input: started.stdout })) {
    const [, name, value] = /^ {2}(\w[\w ]*?) {2,}(\S+)/.exec(line) ?? [];
    if (name !== undefined) printed.set(name, value);
    if (line.includes('Stop with')) return printed;
  }
  throw new Error('the sandbox ended before it ran');
};

/** Creates an intent as a merchant's server does, and confirms it as the form does. Throws unless it is paid. */
const payOnce = async (cwd, env) => {
  const started = spawn('node', ['dist/sandbox/start.js', '--port', '0', '--shop-port', '0'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const printed = await readStart(started);
    const ask = async (path, key, body) => {
      const response = await fetch(printed.get('Service') + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${printed.get(key)}` },
        body: JSON.stringify(body),
      });
      const answer = await response.json();
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`);
      return answer;
    };
    const money = { currency: 'usd' };
    const buyer = { name: 'Ada Lovelace' };
    const address = {
      line1: '12 Orchard Lane',
      city: 'Portland',
      state: 'OR',
      postal_code: '97205',
      country: 'US',
    };
    const intent = await ask('/partner/v1/payment_intents', 'Secret key', {
      ...money,
      amount: 1200,
      items: [{ name: 'Filters', quantity: 1, unit_amount: 1200 }],
      order_reference: '1',
      buyer,
      shipping_details: { ...buyer, address },
    });
    const paid = await ask('/partner/v1/client/payment_intents/confirm', 'Publishable key', {
      ...money,
      client_secret: intent.client_secret,
      amount_total: intent.amount_total,
      card: { number: '4242424242424242', exp_month: 12, exp_year: 2099, cvc: '123' },
      billing_details: { ...buyer, email: 'ada@shop.example', address: { ...address, line2: null } },
    });
    if (paid.status !== 'succeeded') throw new Error(`the payment is ${paid.status}`);
  } finally {
    started.kill('SIGINT');
  }
};

/** The last line of Vitest's summary that counts tests, such as `11,159 passed`. */
const testsIn = (output) => /^\s*Tests\s+(.*?)\s*$/m.exec(output)?.[1] ?? '';

const commit = run('git', ['rev-parse', 'HEAD'], { cwd: ROOT }).trim();
const parent = mkdtempSync(join(tmpdir(), 'test-nodes-'));
let first;
let isFine = true;

/** A Node's row in the table. */
const tryNode = async (version) => {
  const cwd = join(parent, version);
  const env = environmentOf(version);
  run('git', ['clone', '--quiet', '--no-hardlinks', '--no-checkout', ROOT, cwd]);
  run('git', ['checkout', '--quiet', commit], { cwd });
  run('npm', ['ci', ...QUIET], { cwd, env });
  run('npm', ['run', 'build'], { cwd, env });
  const files = filesIn(join(cwd, 'dist'));
  first ??= files;
  const differences = differencesBetween(first, files);
  for (const difference of differences) console.error(`Node ${version}: ${difference}`);
  if (differences.length > 0) isFine = false;
  await payOnce(cwd, env);
  const tests = values['no-tests']
    ? 'not run'
    : testsIn(
        run('npm', ['run', 'test:unit', '--', `--maxWorkers=${values.workers}`], {
          cwd,
          env: { ...env, NO_COLOR: '1' },
        }),
      );
  const icu = run('node', ['-p', 'process.versions.icu'], { env }).trim();
  return {
    ICU: icu,
    'dist/': differences.length === 0 ? `${files.size} files, the same` : `${differences.length} differ`,
    paid: 'yes',
    'unit tests': tests,
  };
};

const table = {};
try {
  if (run('git', ['status', '--porcelain'], { cwd: ROOT }))
    console.log('test:nodes: uncommitted changes are not part of it.');
  for (const version of chosen) {
    console.log(`test:nodes: Node ${version}`);
    try {
      table[version] = await tryNode(version);
    } catch (error) {
      isFine = false;
      console.error(`Node ${version}: ${error.message}`);
      table[version] = { failed: error.message.split('\n')[0] };
    }
    rmSync(join(parent, version), { recursive: true, force: true });
  }
} finally {
  rmSync(parent, { recursive: true, force: true });
}
console.table(table);
process.exitCode = isFine ? 0 : 1;
