/** A project as a framework's own command would make it, installed, type-checked, built and started. */

import { execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../support/free-port.ts';

const templates = fileURLToPath(new URL('templates', import.meta.url));

/** A program of the project, and its arguments. */
type Command = readonly [program: string, ...args: readonly string[]];

/** What a project is made from. Versions are exact, so that a run can be repeated. */
export type Recipe = {
  /** The folder of its files, in templates/. */
  template: string;
  packages: Readonly<Record<string, string>>;
  /** Run one after another, before it starts. */
  build: readonly Command[];
  start: (port: string) => Command;
  /** Whether its server writes the page with the form. */
  isRendered: boolean;
};

/** `NEWEST=1 npm run test:frameworks` uses the latest generators and dependencies instead of the pinned ones. */
export const IS_NEWEST = Boolean(process.env.NEWEST);

/** npm installs nothing that was published later, so that a run can be repeated: generated projects name ranges. */
const PINNED = '2026-11-26';

/** The environment without what the npm and the Node that run this test have set. */
export const ownEnvironment = (): Readonly<Record<string, string | undefined>> => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_/i.test(name))),
  ...(IS_NEWEST ? {} : { npm_config_before: PINNED }),
});

/** Makes a project with this package and starts it with these variables. */
export const startProject = async (
  { template, packages, build, start }: Recipe,
  tarball: string,
  variables: Readonly<Record<string, string>>,
) => {
  const folder = await mkdtemp(join(tmpdir(), 'framework-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const port = `${await freePort()}`;
  const env = {
    ...ownEnvironment(),
    ...variables,
    ...{ PORT: port, HOST: '127.0.0.1', ORIGIN: `http://127.0.0.1:${port}`, CI: '1' },
    ...{ NEXT_TELEMETRY_DISABLED: '1', NUXT_TELEMETRY_DISABLED: '1' },
  };
  const run = async (command: string, args: readonly string[]) => {
    try {
      await promisify(execFile)(command, args, { cwd: folder, env, maxBuffer: 1e8 });
    } catch (error) {
      const { stdout = '', stderr = '' } = Object(error);
      throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`);
    }
  };
  const program = (name: string) =>
    name === 'node' ? process.execPath : join(folder, 'node_modules/.bin', name);

  try {
    await cp(join(templates, template), folder, { recursive: true });
    await cp(join(templates, 'shop.mjs'), join(folder, 'shop.mjs'));
    const dependencies = { ...packages, '@partner/card-form': `file:${tarball}` };
    await writeFile(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'shop', private: true, type: 'module', dependencies }),
    );
    await run('npm', ['install', '--no-audit', '--no-fund']);
    for (const [name, ...args] of build) await run(program(name), args);
  } catch (error) {
    await remove();
    throw error;
  }

  const [name, ...args] = start(port);
  const server = spawn(program(name), args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
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
