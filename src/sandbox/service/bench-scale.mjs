// npm run bench:scale [-- --payments n --dist folder --dist folder]: measures how long a sandbox takes to open a state
// file with many paid payments, to list them and to sum their balance, and how much memory it needs. Compares several
// builds, one after the other, in one run. Needs a build (npm run build).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { manyPayments } from './many-payments.mjs';

const { values } = parseArgs({
  options: {
    payments: { type: 'string', default: '100000' },
    reads: { type: 'string', default: '50' },
    dist: {
      type: 'string',
      multiple: true,
      default: [fileURLToPath(new URL('../../../dist', import.meta.url))],
    },
  },
});
const PAYMENTS = Number(values.payments);
const READS = Number(values.reads);
const folder = mkdtempSync(join(tmpdir(), 'bench-scale-'));

const start = async (dist, state) => {
  const begun = performance.now();
  const limits = ['--client-rate-limit', '1000000', '--server-rate-limit', '1000000'];
  const child = spawn(
    process.execPath,
    [join(dist, 'sandbox/cli.js'), 'sandbox', '--port', '0', ...limits, '--state', state],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  while (!/sk_live_\w+/.test(out)) {
    const [code] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    if (typeof code === 'number') throw new Error(`the sandbox ended with code ${code}`);
  }
  const url = /http:\S+/.exec(out)[0];
  const call = async (path, body, key = /sk_live_\w+/.exec(out)[0]) => {
    const response = await fetch(`${url}/partner/v1/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  await call('balance');
  return {
    opened: performance.now() - begun,
    openedCpu: cpu(child.pid),
    publishable: /pk_live_\w+/.exec(out)[0],
    call,
    resident: () => memory(child.pid, 'VmRSS'),
    peak: () => memory(child.pid, 'VmHWM'),
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'close');
    },
  };
};

/** Returns the CPU time so far, in seconds. Linux reports it in hundredths. */
const cpu = (pid) => {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').slice(11, 13);
  return (Number(user) + Number(system)) / 100;
};

/** In MB, as Linux reports it. */
const memory = (pid, name) =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

const ADDRESS = { line1: '12 St James Square', line2: null, city: 'London', state: null };
const ORDER = {
  amount: 1000,
  currency: 'usd',
  items: [{ name: 'Mug', quantity: 1, unit_amount: 1000 }],
  buyer: { name: 'Ada Byron' },
  order_reference: 'A-1',
  shipping_details: { name: 'Ada Byron', address: { line1: '12 St James Square', country: 'GB' } },
};
const pay = async ({ call, publishable }) => {
  const { id, client_secret } = await call('payment_intents', ORDER);
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' };
  const address = { ...ADDRESS, postal_code: 'SW1Y 4JH', country: 'GB' };
  const billing_details = { email: 'ada@example.com', name: 'Ada Byron', address };
  const body = { client_secret, amount_total: 1000, currency: 'usd', card, billing_details };
  await call('client/payment_intents/confirm', body, publishable);
  return { id, client_secret };
};

/** Writes a state file with many copies of one paid payment, each with unique ids. */
const makeFile = async (path) => {
  const seed = join(folder, 'seed.json');
  const sandbox = await start(values.dist[0], seed);
  const { id, client_secret } = await pay(sandbox);
  await sandbox.stop();
  const out = createWriteStream(path);
  const payment = { id, client_secret, order_reference: ORDER.order_reference };
  for (const line of manyPayments(readFileSync(seed, 'utf8'), payment, PAYMENTS))
    if (!out.write(line)) await once(out, 'drain');
  out.end();
  await once(out, 'finish');
};

const median = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
const timed = async (run) => {
  const times = [];
  for (let read = 0; read < READS; read += 1) {
    const begun = performance.now();
    await run();
    times.push(performance.now() - begun);
  }
  return `${median(times).toFixed(1)} ms (longest ${Math.max(...times).toFixed(1)})`;
};
const load = () =>
  loadavg()
    .map((one) => one.toFixed(1))
    .join(' ');

const file = join(folder, 'state.json');
await makeFile(file);
console.log(
  `${PAYMENTS} paid payments, ${(statSync(file).size / 2 ** 20).toFixed(0)} MB, ${READS} reads of each kind.`,
);
for (const dist of values.dist) {
  const copy = join(folder, 'copy.json');
  await pipeline(createReadStream(file), createWriteStream(copy));
  console.log(`\n${dist}, load of the machine ${load()}`);
  const sandbox = await start(dist, copy);
  console.log(
    `opened, first balance answered  ${(sandbox.opened / 1000).toFixed(2)} s, ${sandbox.openedCpu.toFixed(2)} s of CPU time`,
  );
  console.log(
    `resident after opening          ${sandbox.resident().toFixed(0)} MB, at most ${sandbox.peak().toFixed(0)} MB`,
  );
  const all = await sandbox.call('payment_intents?limit=100');
  const middle = all.data.at(-1).id;
  console.log(
    `list, 10                        ${await timed(() => sandbox.call('payment_intents?limit=10'))}`,
  );
  console.log(
    `list, 100, after the newest     ${await timed(() => sandbox.call(`payment_intents?limit=100&starting_after=${middle}`))}`,
  );
  console.log(
    `list of an unused reference     ${await timed(() => sandbox.call('payment_intents?order_reference=none'))}`,
  );
  console.log(`balance                         ${await timed(() => sandbox.call('balance'))}`);
  console.log(`a payment, created and paid     ${await timed(() => pay(sandbox))}`);
  console.log(
    `resident after these            ${sandbox.resident().toFixed(0)} MB, at most ${sandbox.peak().toFixed(0)} MB`,
  );
  await sandbox.stop();
  rmSync(copy);
}
rmSync(folder, { recursive: true });
