/**
 * `npm run verify:build`: checks that builds are reproducible. Clones the project twice, into folders with different
 * names and with different time zones, locales and file modes, installs without install scripts, builds both and
 * compares every byte. Exits with 0 if they are equal, and with 1 if not, with a line for each difference.
 *
 * Plain JavaScript, because it runs before anything is built. Uncommitted changes are not part of the clones.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The files below a folder with their content hashes, sorted by path. */
export const filesIn = (folder) =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [
        relative(folder, file).split(sep).join('/'),
        createHash('sha256').update(readFileSync(file)).digest('hex'),
      ])
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );

/** The differences between two such maps, one sentence each. */
export const differencesBetween = (first, second) =>
  [
    ...Array.from(first, ([path, hash]) => {
      if (!second.has(path)) return `${path}: only in the first build`;
      return second.get(path) === hash
        ? ''
        : `${path}: ${hash} in the first build, ${second.get(path)} in the second`;
    }),
    ...Array.from(second.keys(), (path) => (first.has(path) ? '' : `${path}: only in the second build`)),
  ].filter(Boolean);

/** Runs a command to completion. Returns its output; throws with the output if it failed. */
export const run = (command, args, options = {}) => {
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    shell: process.platform === 'win32',
    maxBuffer: 1 << 28,
    ...options,
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
};

/** The two builds' environments differ in everything that could leak into the files. */
const ENVIRONMENTS = [
  { folder: 'a', umask: 0o022, env: { TZ: 'UTC', LC_ALL: 'C', LANG: 'C' } },
  {
    folder: join('another place', 'with a longer name'),
    umask: 0o077,
    env: { TZ: 'Pacific/Kiritimati', LC_ALL: 'C.UTF-8', LANG: 'de_DE.UTF-8' },
  },
];

const verify = () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const changed = run('git', ['status', '--porcelain'], { cwd: root });
  if (changed) console.log('verify:build: uncommitted changes are not part of the builds.');
  const parent = mkdtempSync(join(tmpdir(), 'verify-build-'));
  try {
    const [first, second] = ENVIRONMENTS.map(({ folder, umask, env }) => {
      const cwd = join(parent, folder);
      const before = process.umask(umask);
      const options = { cwd, env: { ...process.env, ...env } };
      run('git', ['clone', '--quiet', '--no-hardlinks', root, cwd]);
      console.log(`verify:build: npm ci --ignore-scripts && npm run build (${env.TZ}, ${env.LANG})`);
      run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], options);
      run('npm', ['run', 'build'], options);
      process.umask(before);
      return filesIn(join(cwd, 'dist'));
    });
    const differences = differencesBetween(first, second);
    for (const difference of differences) console.error(difference);
    const listHash = createHash('sha256')
      .update(JSON.stringify([...first]))
      .digest('hex');
    console.log(
      differences.length === 0
        ? `verify:build: ${first.size} files are equal in both builds; sha256 of the list ${listHash}`
        : `verify:build: ${differences.length} of ${first.size} files differ`,
    );
    return differences.length === 0 ? 0 : 1;
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = verify();
  } catch (error) {
    console.error(`verify:build: ${error.message}`);
    process.exitCode = 2;
  }
}
