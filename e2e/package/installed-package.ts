/** The npm package as a shop gets it: packed, and installed offline into an empty project. */
import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test as base } from '../support/fixtures.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A program's output and exit code. */
export type ProgramResult = { code: number; output: string };

const run = (cwd: string, command: string, args: readonly string[]): Promise<ProgramResult> =>
  new Promise((resolve) => {
    execFile(command, args, { cwd, env: shopsOwn(), maxBuffer: 1e8 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}${stderr}` });
    });
  });

/** The environment without the variables of the npm that runs this test. */
const shopsOwn = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

/** Packs the built package and installs it. */
const installPackage = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shop-'));
  const good = async (promise: Promise<ProgramResult>) => {
    const { code, output } = await promise;
    if (code !== 0) throw new Error(output);
    return output;
  };
  await good(run(root, 'npm', ['pack', '--ignore-scripts', '--pack-destination', folder]));
  const { name, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const tarball = join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  const project = join(folder, 'project');
  await mkdir(project);
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await good(run(project, 'npm', ['install', '--offline', '--no-audit', '--no-fund', tarball]));

  return {
    tarball,
    project,
    folder: join(project, 'node_modules', name),

    /** Runs a tool that this project has, such as a compiler. */
    tool: (path: string, ...args: readonly string[]) =>
      run(project, process.execPath, [join(root, 'node_modules', path), ...args]),

    /** Puts files into the project. */
    async write(files: Readonly<Record<string, string>>) {
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(project, path)), { recursive: true });
        await writeFile(join(project, path), text);
      }
    },

    /** Makes packages of this project available, by the names they have in each. */
    async borrow(packages: Readonly<Record<string, string>>) {
      for (const [name, own] of Object.entries(packages)) {
        const at = join(project, 'node_modules', name);
        await rm(at, { recursive: true, force: true });
        await cp(join(root, 'node_modules', own), at, { recursive: true });
      }
    },

    read: (path: string) => readFile(join(project, path), 'utf8'),

    /** Runs a module of the project in Node. */
    node: (path: string, ...flags: readonly string[]) => run(project, process.execPath, [...flags, path]),

    /** Starts a program and waits until its output matches `until`. */
    async start(command: string, args: readonly string[], until: RegExp) {
      // A separate process group, so that npx and everything it started end together.
      const child = spawn(command, args, { cwd: project, env: shopsOwn(), detached: true });
      let output = '';
      await new Promise<void>((resolve, reject) => {
        const hear = (chunk: Buffer) => {
          output += chunk;
          if (until.test(output)) resolve();
        };
        child.stdout.on('data', hear);
        child.stderr.on('data', hear);
        child.on('exit', (code) => reject(new Error(`It ended with ${code}: ${output}`)));
      });
      return {
        output,
        stop: () =>
          new Promise<void>((resolve) => {
            child.on('exit', () => resolve());
            if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
          }),
      };
    },

    remove: () => rm(folder, { recursive: true, force: true }),
  };
};

export type InstalledPackage = Awaited<ReturnType<typeof installPackage>>;

/** The fixtures of every test, and the package. One installation serves all tests of a worker. */
export const test = base.extend<object, { installed: InstalledPackage }>({
  installed: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from the pattern
    async ({}, use) => {
      const shop = await installPackage();
      await use(shop);
      await shop.remove();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});
