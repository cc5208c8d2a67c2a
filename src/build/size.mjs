/**
 * `npm run size`, after `npm run build`: prints the compressed size of each part of the form and each module's share of
 * it, and compares the sizes with `budget.json`. Exits with 1 if a part is over its limit.
 *
 * Only the code counts. Hashes don't compress, so a release's hashes shift a figure by up to 45 bytes; each is replaced
 * with fixed text of the same kind before compressing.
 *
 * The shares come from source maps, for which the build is repeated in memory. Plain JavaScript, so that Node runs it
 * without compiling.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

/** Characters without a mapping: compiled tables and the bundler's own code. */
const NO_SOURCE = 'tables and the bundler';

/** A script that every buyer loads, but that isn't needed to press Pay: a press waits for it. */
const AFTER = ['form.js'];

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Decodes the Base64 VLQ numbers of one source map segment. */
const decodeSegment = (segment) => {
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

/** Number of characters of code from each source, largest first. */
export const charactersBySource = (code, { sources, mappings }) => {
  const totals = new Map();
  const add = (source, length) => {
    if (length > 0) totals.set(source, (totals.get(source) ?? 0) + length);
  };
  let index = 0;
  const lines = code.split('\n');
  mappings.split(';').forEach((mapping, number) => {
    let column = 0;
    let source = NO_SOURCE;
    for (const segment of mapping.split(',').filter(Boolean)) {
      const [step = 0, change] = decodeSegment(segment);
      add(source, step);
      column += step;
      if (change !== undefined) index += change;
      source = change === undefined ? NO_SOURCE : nameOf(sources[index] ?? '');
    }
    add(source, (lines[number] ?? '').length - column);
  });
  return [...totals].sort(([, one], [, other]) => other - one);
};

/** The name of a package, or the path of one of our modules. */
const nameOf = (source) =>
  /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? source.replace(/^(?:\.\.\/)*/, '');

/** Replaces the release's name and each hash in a text with fixed text. Equal hashes get equal text. */
export const withoutHashes = (text, release) => {
  const fixed = new Map();
  const fixedHash = (hash) => {
    const [algorithm] = hash.split('-');
    if (!fixed.has(hash))
      fixed.set(hash, `${algorithm}-${createHash(algorithm).update(`${fixed.size}`).digest('base64')}`);
    return fixed.get(hash);
  };
  return text
    .replaceAll(release, '1.0.0-5f2c81d09be4')
    .replace(/sha(?:256|384)-[\w+/]{43,64}={0,2}/g, fixedHash);
};

/** A part may exceed its size in `budget.json` by one percent before someone must update it there. */
const MARGIN = 1.01;

/** Size limit of a part: slightly above its measured size, but never above an aim it has reached. */
export const limitOf = ({ measured, aim }) => {
  const limit = Math.floor(measured * MARGIN);
  return measured <= aim ? Math.min(limit, aim) : limit;
};

/** The rows of the table, and those over their limit. `sizes` has the same keys as `budget`. */
export const compare = (budget, sizes) => {
  const rows = Object.entries(budget).map(([name, { what, measured, aim }]) => {
    const now = sizes[name];
    if (typeof now !== 'number') throw new Error(`The budget has ${name}, which is not measured.`);
    const limit = limitOf({ measured, aim });
    const verdict = now > limit ? 'OVER' : now > aim ? 'over its aim' : 'ok';
    return { what, now, limit, aim, verdict };
  });
  return { rows, over: rows.filter(({ verdict }) => verdict === 'OVER') };
};

const format = (bytes) => bytes.toLocaleString('en');

const main = async () => {
  const { build } = await import('vite');
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const folder = `${root}dist/partner/v1/card-form`;
  const release = readdirSync(folder).find((name) => statSync(`${folder}/${name}`).isDirectory());
  const weigh = (file) =>
    brotliCompressSync(withoutHashes(readFileSync(`${folder}/${file}`, 'utf8'), release), {
      params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
    }).length;

  const chunks = [];
  const collectChunks = {
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
    plugins: [collectChunks],
  });

  const html = readFileSync(`${folder}/frame.html`, 'utf8');
  const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '';
  const printBreakdown = (title, bytes, parts) => {
    console.log(`\n${title}: ${format(bytes)} bytes`);
    const all = parts.reduce((sum, [, length]) => sum + length, 0);
    const [shown, rest] = [parts.slice(0, 24), parts.slice(24)];
    const others = rest.reduce((sum, [, length]) => sum + length, 0);
    for (const [name, length] of [...shown, ...(others ? [[`${rest.length} more`, others]] : [])]) {
      console.log(
        `  ${((100 * length) / all).toFixed(1).padStart(5)} %  ${format(length).padStart(7)}  ${name}`,
      );
    }
  };
  console.log(
    'Sizes are compressed with brotli, with fixed hashes. Shares are of the characters before compression.',
  );
  const entry = chunks.find((chunk) => chunk.isEntry);
  const inEntry = charactersBySource(entry.code, entry.map);
  printBreakdown(
    'frame.html',
    weigh('frame.html'),
    [...inEntry, ['src/form/frame/styles/first.css', style.length]].sort((a, b) => b[1] - a[1]),
  );
  const files = readdirSync(`${folder}/${release}/assets`).filter((name) => /\.(js|json)$/.test(name));
  // The last arguments of the script that requests them (`request-early.ts`).
  const [, early] = /assets\/[`"'],(\[[^\]]*\],\[[^\]]*\])\)/.exec(html) ?? [];
  if (early === undefined)
    throw new Error('frame.html was expected to name the scripts that it requests early.');
  const before = early
    .match(/\w+/g)
    .map((name) => `${name}.js`)
    .filter((name) => !AFTER.includes(name));
  for (const name of [...before, ...AFTER]) {
    const chunk = chunks.find(({ fileName }) => basename(fileName) === name);
    printBreakdown(name, weigh(`${release}/assets/${name}`), charactersBySource(chunk.code, chunk.map));
  }
  const sum = (names) => names.reduce((total, name) => total + weigh(`${release}/assets/${name}`), 0);
  const kinds = [
    ['an appearance', (name) => name === 'appearance.js'],
    ['its rules by part and state', (name) => name === 'rule-styles.js'],
    ["a page's own texts, and the button's words by type", (name) => name === 'translations.js'],
    ['address suggestions', (name) => name === 'address-suggestions.js'],
    ["a page's own fonts", (name) => name === 'page-fonts.js'],
    ['each other language', (name) => /^[a-z]{2}(-[A-Z][a-z]{3})?\.json$/.test(name)],
    ["a region's addresses", (name) => /^address-(?!codes|suggestions)/.test(name)],
  ];
  console.log('\nLoaded only if needed:');
  for (const [what, fits] of kinds) {
    const names = files.filter(fits);
    if (names.length === 0) throw new Error(`The release was expected to have a file for ${what}.`);
    console.log(
      `  ${format(Math.round(sum(names) / names.length)).padStart(7)}  ${what}${names.length > 1 ? `, of ${names.length}` : ''}`,
    );
  }

  const documents = readdirSync(`${folder}/${release}`).filter((name) => /^frame\..+\.html$/.test(name));
  const sizes = documents.map((name) => [weigh(`${release}/${name}`), name]).sort(([a], [b]) => a - b);
  console.log(`\nThe document in ${sizes.length} other languages:`);
  for (const [bytes, name] of sizes) console.log(`  ${format(bytes).padStart(7)}  ${name}`);

  const loader = weigh(`${release}/card-form.js`);
  const budget = JSON.parse(readFileSync(new URL('budget.json', import.meta.url), 'utf8'));
  const { rows, over } = compare(budget, {
    loader,
    typing: weigh('frame.html'),
    typingElsewhere: sizes.at(-1)?.[0],
    payable: loader + weigh('frame.html') + sum(before),
    paying: loader + weigh('frame.html') + sum([...before, ...AFTER]),
    second: weigh(`${release}/page.js`),
    requestsToType: 2, // loader and document: the build fails if the document needs another
    requestsToPay: 3 + before.length, // plus the scripts that a press needs and the retrieval of the payment
    requestsToConfirm: 3 + before.length + AFTER.length,
  });
  console.log('\n     now    limit      aim');
  for (const { what, now, limit, aim, verdict } of rows) {
    console.log(
      `${format(now).padStart(8)} ${format(limit).padStart(8)} ${format(aim).padStart(8)}  ${what}: ${verdict}`,
    );
  }
  if (over.length > 0) {
    console.error(`\nOver the limit in src/build/budget.json: ${over.map(({ what }) => what).join('; ')}.`);
    process.exitCode = 1;
  }
};

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
