/**
 * `npm run size`: what each part of the form weighs, compressed as it is sent, and what it is made of; compared with
 * `budget.json`. Exits with 1 where something is over its limit. After `npm run build`.
 *
 * Plain JavaScript, since it asks the bundler itself: the build is repeated in memory with source maps, which tell
 * of every byte which module it is of.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The numbers of one segment of a source map. */
const numbersIn = (segment) => {
  const numbers = [];
  let value = 0;
  let shift = 0;
  for (const character of segment) {
    const digit = BASE64.indexOf(character);
    value += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
};

/** How many characters of the code are of each source, the most first. */
export const madeOf = (code, { sources, mappings }) => {
  const weights = new Map();
  const add = (source, length) => {
    if (length > 0) weights.set(source, (weights.get(source) ?? 0) + length);
  };
  let index = 0;
  const lines = code.split('\n');
  mappings.split(';').forEach((mapping, number) => {
    let column = 0;
    let source = 'tables and the bundler';
    for (const segment of mapping.split(',').filter(Boolean)) {
      const [step = 0, change] = numbersIn(segment);
      add(source, step);
      column += step;
      if (change !== undefined) index += change;
      source = change === undefined ? 'tables and the bundler' : nameOf(sources[index] ?? '');
    }
    add(source, (lines[number] ?? '').length - column);
  });
  return [...weights].sort(([, one], [, other]) => other - one);
};

/** A package by its name, a module of ours by its path. */
const nameOf = (source) =>
  /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? source.replace(/^(?:\.\.\/)*/, '');

/** The rows of the table and what is over its limit. `seen` and `budget` by the same names. */
export const compare = (budget, seen) => {
  const rows = Object.entries(budget).map(([name, { what, limit, aim }]) => {
    const now = seen[name];
    if (typeof now !== 'number') throw new Error(`The budget names ${name}, which nothing measures.`);
    const verdict = now > limit ? 'OVER' : now > aim ? 'over its aim' : 'ok';
    return { what, now, limit, aim, verdict };
  });
  return { rows, over: rows.filter(({ verdict }) => verdict === 'OVER') };
};

const kilo = (bytes) => bytes.toLocaleString('en');

const main = async () => {
  const { build } = await import('vite');
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const folder = `${root}dist/partner/v1/card-form`;
  const release = readdirSync(folder).find((name) => statSync(`${folder}/${name}`).isDirectory());
  const weigh = (file) => statSync(`${folder}/${file}.br`).size;

  const chunks = [];
  const look = {
    name: 'card-form:size',
    generateBundle: {
      order: 'pre',
      handler(_, bundle) {
        for (const file of Object.values(bundle)) if (file.type === 'chunk') chunks.push({ ...file });
      },
    },
  };
  await build({
    configFile: `${root}vite.config.ts`,
    root,
    logLevel: 'error',
    build: { write: false, sourcemap: 'hidden' },
    plugins: [look],
  });

  const html = readFileSync(`${folder}/frame.html`, 'utf8');
  const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '';
  const tell = (title, bytes, parts) => {
    console.log(`\n${title}: ${kilo(bytes)} bytes`);
    const all = parts.reduce((sum, [, length]) => sum + length, 0);
    const [shown, rest] = [parts.slice(0, 24), parts.slice(24)];
    const others = rest.reduce((sum, [, length]) => sum + length, 0);
    for (const [name, length] of [...shown, ...(others ? [[`${rest.length} more`, others]] : [])]) {
      console.log(
        `  ${((100 * length) / all).toFixed(1).padStart(5)} %  ${kilo(length).padStart(7)}  ${name}`,
      );
    }
  };
  console.log('Compressed by brotli as sent; of each part the share of its characters before that.');
  const entry = chunks.find((chunk) => chunk.isEntry);
  const inEntry = madeOf(entry.code, entry.map);
  tell(
    'frame.html',
    weigh('frame.html'),
    [...inEntry, ['src/frame/styles/first.css', style.length]].sort((a, b) => b[1] - a[1]),
  );
  const files = readdirSync(`${folder}/${release}/assets`).filter((name) => name.endsWith('.js'));
  const always = (html.match(/rel="modulepreload" href="[^"]+"/g) ?? []).map((link) =>
    basename(link.slice(0, -1)),
  );
  for (const name of always) {
    const chunk = chunks.find(({ fileName }) => basename(fileName) === name);
    tell(name, weigh(`${release}/assets/${name}`), madeOf(chunk.code, chunk.map));
  }
  const sum = (names) => names.reduce((total, name) => total + weigh(`${release}/assets/${name}`), 0);
  const kinds = [
    ['an appearance', (name) => name === 'appearance.js'],
    ["a page's own words", (name) => name === 'translations.js'],
    ['each other language', (name) => /^[a-z]{2}\.js$/.test(name)],
    ['each country with a list of states', (name) => name.startsWith('address-')],
    ['all other countries', (name) => name === 'others.js'],
  ];
  console.log('\nOnly where it is needed:');
  for (const [what, fits] of kinds) {
    const names = files.filter(fits);
    console.log(
      `  ${kilo(Math.round(sum(names) / names.length)).padStart(7)}  ${what}${names.length > 1 ? `, of ${names.length}` : ''}`,
    );
  }

  const loader = statSync(`${root}dist/partner/v1/card-form.js.br`).size;
  const budget = JSON.parse(readFileSync(new URL('budget.json', import.meta.url), 'utf8'));
  const { rows, over } = compare(budget, {
    loader,
    typing: weigh('frame.html'),
    paying: loader + weigh('frame.html') + sum(always),
    requestsToType: 2, // loader and document: the build fails where the document needs another
    requestsToPay: 3 + always.length, // and what is loaded beside it, and the read of the payment
  });
  console.log('\n     now    limit      aim');
  for (const { what, now, limit, aim, verdict } of rows) {
    console.log(
      `${kilo(now).padStart(8)} ${kilo(limit).padStart(8)} ${kilo(aim).padStart(8)}  ${what}: ${verdict}`,
    );
  }
  if (over.length > 0) {
    console.error(`\nOver the limit in src/hosting/budget.json: ${over.map(({ what }) => what).join('; ')}.`);
    process.exitCode = 1;
  }
};

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
