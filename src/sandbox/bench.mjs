// npm run bench:sandbox [-- --seconds n --intents n --state]: how many requests per second the built sandbox
// answers on one core, their latency, and the memory of a payment. Needs a build (npm run build).
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    intents: { type: 'string', default: '100000' },
    connections: { type: 'string', default: '10' },
    state: { type: 'boolean', default: false },
  },
});
const SECONDS = Number(values.seconds);
const INTENTS = Number(values.intents);

const folder = mkdtempSync(join(tmpdir(), 'bench-sandbox-'));
// Triggered by signals, so that the measured program is the one that is shipped.
const probe = `
  process.on('SIGUSR2', () => {
    for (let i = 0; i < 4; i += 1) gc();
    const { heapUsed, rss } = process.memoryUsage();
    process.stderr.write('memory ' + heapUsed + ' ' + rss + '\\n');
  });
  process.on('SIGWINCH', () => {
    const { user, system } = process.cpuUsage();
    process.stderr.write('cpu ' + (user + system) + '\\n');
  });`;
const child = spawn(
  process.execPath,
  [
    '--expose-gc',
    '--import',
    `data:text/javascript,${encodeURIComponent(probe)}`,
    new URL('../../dist/sandbox/cli.js', import.meta.url).pathname,
    'sandbox',
    '--port',
    '0',
    '--client-rate-limit',
    '1000000',
    '--server-rate-limit',
    '1000000',
    ...(values.state ? ['--state', join(folder, 'state.json')] : []),
  ],
  { stdio: ['ignore', 'pipe', 'pipe'] },
);
let out = '';
let err = '';
child.stdout.on('data', (chunk) => {
  out += chunk;
});
child.stderr.on('data', (chunk) => {
  err += chunk;
});
const until = async (read) => {
  for (;;) {
    const found = read();
    if (found) return found;
    if (child.exitCode !== null) throw new Error(`the sandbox ended: ${err}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const url = await until(() => /http:\S+/.exec(out)?.[0]);
const publishable = /pk_live_\w+/.exec(out)?.[0];
const secret = /sk_live_\w+/.exec(out)?.[0];
const headersOf = (key) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });

const ORDER = {
  amount: 1000,
  currency: 'usd',
  items: [{ name: 'Mug', quantity: 1, unit_amount: 1000 }],
  buyer: { name: 'Ada Byron' },
  order_reference: 'A-1',
  shipping_details: { name: 'Ada Byron', address: { line1: '12 St James Square', country: 'GB' } },
};
const confirmOf = (client_secret, number) => ({
  client_secret,
  amount_total: 1000,
  currency: 'usd',
  card: { number, exp_month: 12, exp_year: 2040, cvc: '123' },
  billing_details: {
    email: 'ada@example.com',
    name: 'Ada Byron',
    address: {
      line1: '12 St James Square',
      line2: null,
      city: 'London',
      state: null,
      postal_code: 'SW1Y 4JH',
      country: 'GB',
    },
  },
});

const create = {
  method: 'POST',
  path: '/partner/v1/payment_intents',
  headers: headersOf(secret),
  body: JSON.stringify(ORDER),
};
const retrieve = (client_secret) => ({
  method: 'POST',
  path: '/partner/v1/client/payment_intents/retrieve',
  headers: headersOf(publishable),
  body: JSON.stringify({ client_secret }),
});
const confirm = {
  method: 'POST',
  path: '/partner/v1/client/payment_intents/confirm',
  headers: headersOf(publishable),
};

const made = async () => (await fetch(url + create.path, create)).json();
const memory = async () => {
  const seen = err.length;
  child.kill('SIGUSR2');
  const [, heap, rss] = await until(() => /memory (\d+) (\d+)/.exec(err.slice(seen)));
  return { heap: Number(heap), rss: Number(rss) };
};
/** The CPU time of the sandbox so far, in seconds. */
const cpu = async () => {
  const seen = err.length;
  child.kill('SIGWINCH');
  return Number((await until(() => /cpu (\d+)/.exec(err.slice(seen))))[1]) / 1e6;
};
const fire = async (options) => {
  const before = await cpu();
  const result = await autocannon({ url, connections: Number(values.connections), ...options });
  return { ...result, cpu: (await cpu()) - before };
};

const report = (name, result) => {
  const { p50, p99, max } = result.latency;
  console.log(
    `${name.padEnd(34)} ${String(Math.round(result.requests.average)).padStart(6)} requests/s, ${String(Math.round(result.requests.total / result.cpu)).padStart(5)} per second of CPU time   p50 ${p50} ms   p99 ${p99} ms   longest ${Math.round(max)} ms   refused or failed ${result.non2xx + result.errors}`,
  );
};
const load = () =>
  loadavg()
    .map((one) => one.toFixed(1))
    .join(' ');

console.log(`Load of the machine before: ${load()}. ${values.connections} connections, ${SECONDS} s each.`);
const { client_secret } = await made();
await fire({ requests: [retrieve(client_secret)], duration: 2 }); // warms up the compiler
report('retrieve', await fire({ requests: [retrieve(client_secret)], duration: SECONDS }));

/** The requests of a payment: created by the server, read by the form, confirmed by the buyer, read again. */
const payment = () => [
  {
    ...create,
    onResponse: (status, body, context) => {
      if (status === 200) context.secret = JSON.parse(body).client_secret;
    },
  },
  {
    ...retrieve(''),
    setupRequest: (request, context) => ({
      ...request,
      body: JSON.stringify({ client_secret: context.secret }),
    }),
  },
  {
    ...confirm,
    setupRequest: (request, context) => ({
      ...request,
      body: JSON.stringify(confirmOf(context.secret, '4242424242424242')),
    }),
  },
  {
    ...retrieve(''),
    setupRequest: (request, context) => ({
      ...request,
      body: JSON.stringify({ client_secret: context.secret }),
    }),
  },
];
report('create, retrieve, confirm, retrieve', await fire({ requests: payment(), duration: SECONDS }));

const before = await memory();
const halves = [];
for (let half = 0; half < 2; half += 1) {
  const result = await fire({ requests: [create], amount: INTENTS / 2 });
  halves.push({ ...(await memory()), rate: result.requests.average });
}
const perIntent = (later, earlier) => Math.round((later.heap - earlier.heap) / (INTENTS / 2));
const mb = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MB`;
console.log(
  [
    `Heap before ${mb(before.heap)}, after ${INTENTS / 2} more payments ${mb(halves[0].heap)}, after ${INTENTS} ${mb(halves[1].heap)} (resident ${mb(halves[1].rss)}).`,
    `Bytes per payment: ${perIntent(halves[0], before)} in the first half, ${perIntent(halves[1], halves[0])} in the second.`,
  ].join('\n'),
);
report(
  `retrieve, among ${INTENTS} payments`,
  await fire({ requests: [retrieve(client_secret)], duration: SECONDS }),
);
console.log(`Load of the machine after: ${load()}.`);

child.kill('SIGTERM');
await new Promise((resolve) => child.on('close', resolve));
rmSync(folder, { recursive: true });
