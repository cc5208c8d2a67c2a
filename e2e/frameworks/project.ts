/** Projects with the packed package: installed, type-checked, built, tested and started by their own tools. */

import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../support/free-port.ts';

const templates = fileURLToPath(new URL('templates', import.meta.url));

/** A program of the project, and its arguments. */
type Command = readonly [program: string, ...args: readonly string[]];

/** The ingredients of a project. Versions are exact, so that a run can be repeated. */
export type Recipe = {
  /** The folder of its files, in templates/. */
  template: string;
  packages: Readonly<Record<string, string>>;
  /** Commands that run one after another, before it starts. */
  build: readonly Command[];
  start: (port: string) => Command;
  /** True if its server renders the page with the form. */
  isRendered: boolean;
};

/** `NEWEST=1 npm run test:frameworks` uses the latest generators and dependencies instead of the pinned ones. */
export const IS_NEWEST = Boolean(process.env.NEWEST);

/**
 * npm installs nothing published after this date, so that a run can be repeated: generated projects use version ranges.
 */
const PINNED = '2026-11-26';

/** The environment without variables that the npm and the Node of this test have set. */
export const ownEnvironment = (): Readonly<Record<string, string | undefined>> => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_/i.test(name))),
  ...(IS_NEWEST ? {} : { npm_config_before: PINNED }),
});

/** Creates a project of ES modules or of CommonJS with these packages, and with this one if its tarball is given. */
export const installProject = async (
  packages: Readonly<Record<string, string>>,
  tarball?: string,
  {
    type = 'module',
    variables = {},
  }: { type?: 'module' | 'commonjs'; variables?: Readonly<Record<string, string>> } = {},
) => {
  const folder = await mkdtemp(join(tmpdir(), 'framework-'));
  const env = { ...ownEnvironment(), CI: '1', ...variables };
  const remove = () => rm(folder, { recursive: true, force: true });
  const program = (name: string) =>
    name === 'node' ? process.execPath : join(folder, 'node_modules/.bin', name);
  const runAny = async (command: string, args: readonly string[], more: NodeJS.ProcessEnv = {}) => {
    try {
      const options = { cwd: folder, env: { ...env, ...more }, maxBuffer: 1e8 };
      const { stdout, stderr } = await promisify(execFile)(command, args, options);
      return `${stdout}${stderr}`;
    } catch (error) {
      const { stdout = '', stderr = '' } = Object(error);
      throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`);
    }
  };
  const own = tarball === undefined ? {} : { '@partner/card-form': `file:${tarball}` };
  const dependencies = { ...packages, ...own };
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'shop', private: true, type, dependencies }),
  );
  try {
    await runAny('npm', ['install', '--no-audit', '--no-fund']);
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    folder,
    /** Runs a program of the project and returns its output. Rejects if it fails. */
    run: ([name, ...args]: Command, more?: NodeJS.ProcessEnv) => runAny(program(name), args, more),
    /** Starts a program of the project. */
    start: ([name, ...args]: Command) =>
      spawn(program(name), args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }),
    /** Puts files into the project. */
    async write(files: Readonly<Record<string, string>>) {
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), text);
      }
    },
    remove,
  };
};

/** Creates a project from a recipe and starts it with these variables. */
export const startProject = async (
  { template, packages, build, start }: Recipe,
  tarball: string,
  given: Readonly<Record<string, string>>,
) => {
  const port = `${await freePort()}`;
  const variables = {
    ...given,
    ...{ PORT: port, HOST: '127.0.0.1', ORIGIN: `http://127.0.0.1:${port}` },
    ...{ NEXT_TELEMETRY_DISABLED: '1', NUXT_TELEMETRY_DISABLED: '1' },
  };
  const project = await installProject(packages, tarball, { variables });
  const { folder, remove } = project;
  try {
    await cp(join(templates, template), folder, { recursive: true });
    await cp(join(templates, 'shop.mjs'), join(folder, 'shop.mjs'));
    for (const command of build) await project.run(command);
  } catch (error) {
    await remove();
    throw error;
  }

  const server = project.start(start(port));
  let said = '';
  server.stdout.on('data', (chunk) => {
    said += chunk;
  });
  server.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));

  return {
    url: `http://127.0.0.1:${port}`,
    said: () => said,
    async stop() {
      server.kill();
      await ended;
      await remove();
    },
  };
};

export type Project = Awaited<ReturnType<typeof startProject>>;
