/**
 * Builds an image with buildah, so that an engine reads the Containerfile. It needs no registry: the base image has the
 * required programs, copied from this machine, and the libraries they need.
 */
import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { type Image, readImage, stopSignalOf } from './containerfile.ts';

/** How to run an image. */
export type Start = Omit<Image, 'base' | 'copies'>;

/** Why no image can be built here; null if one can. */
export const cannotBuild = (): string | null =>
  spawnSync('buildah', ['--version']).status === 0 ? null : 'needs buildah, which builds the image';

/** An engine's description of an image in Docker's format, limited to the parts that these images use. */
const Inspected = z.object({
  Docker: z.object({
    config: z.object({
      User: z.string(),
      ExposedPorts: z.record(z.string(), z.unknown()),
      Env: z.array(z.string()),
      Cmd: z.nullish(z.array(z.string())),
      Entrypoint: z.array(z.string()),
      StopSignal: z.string(),
      Healthcheck: z.object({ Test: z.array(z.string()) }),
    }),
  }),
});

const run = promisify(execFile);

/** Copies programs of this machine into a root, at their own paths, with the libraries that each of them names. */
const copyPrograms = async (programs: readonly string[], root: string): Promise<void> => {
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) {
    await mkdir(join(root, 'usr', name), { recursive: true });
    await symlink(`usr/${name}`, join(root, name));
  }
  for (const folder of ['dev', 'proc', 'tmp']) await mkdir(join(root, folder));
  for (const name of programs) {
    const path = (await run('/bin/sh', ['-c', 'command -v "$1"', 'sh', name])).stdout.trim();
    const libraries = (await run('ldd', [path])).stdout.match(/\/\S+/g) ?? [];
    for (const file of [path, ...libraries]) {
      await mkdir(dirname(join(root, file)), { recursive: true });
      await cp(file, join(root, file), { dereference: true });
    }
  }
};

/** Builds an image. `contexts` are those of `container.ts`; `programs` are those of its base image. */
export const buildImage = async (options: {
  containerfile: string;
  contexts: Readonly<Record<string, string>>;
  programs: readonly string[];
}): Promise<{ root: string; start: Start; remove(): Promise<void> }> => {
  const { '': context = '', ...named } = options.contexts;
  const { argument } = readImage(options.containerfile).base;
  const folder = await mkdtemp(join(tmpdir(), 'card-form-buildah-'));
  const storage = [
    '--storage-driver',
    'vfs',
    '--root',
    join(folder, 'images'),
    '--runroot',
    join(folder, 'run'),
  ];
  const buildah = async (...args: string[]) => (await run('buildah', [...storage, ...args])).stdout.trim();
  const build = (...args: string[]) =>
    buildah('build', '--isolation', 'chroot', '--pull-never', '--layers=false', ...args);

  const base = join(folder, 'base');
  await copyPrograms(options.programs, join(base, 'root'));
  await writeFile(join(base, 'Containerfile'), 'FROM scratch\nCOPY root/ /\n');
  await build('--tag', 'base', base);

  const file = join(folder, 'Containerfile');
  await writeFile(file, options.containerfile);
  const contexts = Object.entries(named).map(([name, path]) => `--build-context=${name}=${path}`);
  const baseImage = `--build-arg=${argument}=localhost/base`;
  await build('--format', 'docker', '--file', file, baseImage, ...contexts, '--tag', 'built', context);

  const { config } = Inspected.parse(JSON.parse(await buildah('inspect', '--type', 'image', 'built'))).Docker;
  const [, ...healthcheck] = config.Healthcheck.Test;
  const env = Object.fromEntries(config.Env.map((one) => one.split('=', 2)));
  const container = await buildah('from', '--pull-never', 'built');
  return {
    root: await buildah('mount', container),
    start: {
      env,
      user: config.User,
      port: Number.parseInt(Object.keys(config.ExposedPorts).join(), 10),
      stopSignal: stopSignalOf(config.StopSignal),
      healthcheck,
      entrypoint: config.Entrypoint,
      cmd: config.Cmd ?? [],
    },
    remove: async () => {
      await buildah('umount', container);
      await rm(folder, { recursive: true });
    },
  };
};
