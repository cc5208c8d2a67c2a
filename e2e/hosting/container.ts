/**
 * Runs a Containerfile's image without a container engine: its files in an empty root, its user, its entrypoint, on a
 * read-only file system with a writable /tmp. The programs of the base image are those of this machine. An image built
 * by an engine (`built-image.ts`) runs in the same way, with the programs in it.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, open, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Start } from './built-image.ts';
import { type Image, readImage } from './containerfile.ts';

const PATH = '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** True if the machine has a program where the container looks for it. */
const hasProgram = (name: string): boolean =>
  spawnSync('/bin/sh', ['-c', 'readlink -f "$(command -v "$1")"', 'sh', name], {
    encoding: 'utf8',
    env: { PATH },
  }).stdout.startsWith('/usr/');

/** Why an image that uses these programs can't run here; null if it can. */
export const cannotRun = (programs: readonly string[]): string | null => {
  if (
    process.platform !== 'linux' ||
    process.getuid?.() !== 0 ||
    spawnSync('unshare', ['--mount', 'mount', '--make-rprivate', '/']).status !== 0
  )
    return 'needs root on Linux, with the right to mount';
  const missing = programs.filter((name) => !hasProgram(name));
  return missing.length === 0 ? null : `needs ${missing.join(' and ')} below /usr`;
};

/** Folders of this machine with the programs of a base image. */
const PROGRAMS = ['usr', 'etc/alternatives', 'etc/ssl'];

/** Enters the root: folders, devices and processes of this machine, everything read-only, and an empty /tmp. */
const ENTER = `
set -eu
root=$1; user=$2; folders=$3; shift 3
mount --make-rprivate /
mount --bind "$root" "$root"
for folder in $folders; do
  if [ -d "/$folder" ]; then mount --bind "/$folder" "$root/$folder"; mount -o remount,bind,ro "$root/$folder"; fi
done
mount --rbind /dev "$root/dev"
mount --rbind /proc "$root/proc"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -o remount,bind,ro "$root"
exec chroot --userspec="$user" "$root" "$@"
`;

export type Container = {
  url: string;
  /** Everything it wrote to its outputs. */
  log(): Promise<string>;
  /** Runs a command in the same root and as the same user. Resolves with its exit code and output. */
  run(command: readonly string[]): Promise<{ code: number | null; out: string }>;
  /** Runs the HEALTHCHECK; true if it passes. */
  isHealthy(): Promise<boolean>;
  /** The exit code once it has ended; null if a signal killed it. */
  ended: Promise<number | null>;
  /** Sends a signal, by default the STOPSIGNAL. Resolves with the exit code; null if the signal killed it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  remove(): Promise<void>;
};

type Running = {
  env: Readonly<Record<string, string>>;
  /** Replaces the EXPOSE port in the commands, and in the image's file `portFile`. */
  port: number;
  portFile?: string;
};

type Options = Running & {
  containerfile: string;
  /** The folders that COPY takes files from, by the name in `--from`; the build's own folder has the empty name. */
  contexts: Readonly<Record<string, string>>;
};

/** Copies like COPY: a file into a folder whose path ends with a slash, or the content of a folder. */
const copyAll = async (image: Image, contexts: Options['contexts'], root: string): Promise<void> => {
  for (const { context, from, to } of image.copies) {
    const source = contexts[context];
    if (source === undefined) throw new Error(`The build has no context "${context}".`);
    const names = await readdir(source);
    const paths = from.flatMap((path) =>
      path.endsWith('*') ? names.filter((name) => name.startsWith(path.slice(0, -1))) : [path],
    );
    if (paths.length === 0) throw new Error(`COPY finds nothing: ${from.join(' ')}`);
    for (const path of paths) {
      const target = to.endsWith('/') ? join(root, to, basename(path)) : join(root, to);
      await mkdir(dirname(target), { recursive: true });
      await cp(join(source, path), target, { recursive: true });
    }
  }
};

/** Lays out an image and starts it. */
export const startContainer = async (options: Options): Promise<Container> => {
  const image = readImage(await readFile(options.containerfile, 'utf8'));
  const root = await mkdtemp(join(tmpdir(), 'card-form-image-'));
  // Writable for all, so that only the read-only mount keeps the program from writing.
  await chmod(root, 0o777);
  await copyAll(image, options.contexts, root);
  for (const folder of ['dev', 'proc', 'tmp', ...PROGRAMS])
    await mkdir(join(root, folder), { recursive: true });
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) await symlink(`usr/${name}`, join(root, name));
  return startRoot(root, image, options, PROGRAMS);
};

/** Starts an image whose files are in `root`, along with `folders` of this machine. */
export const startRoot = async (
  root: string,
  image: Start,
  { env, port, portFile }: Running,
  folders: readonly string[] = [],
): Promise<Container> => {
  const onPort = (word: string) => word.replaceAll(`${image.port}`, `${port}`);
  if (portFile !== undefined) {
    const file = join(root, portFile);
    await writeFile(file, onPort(await readFile(file, 'utf8')));
  }
  const logs = await mkdtemp(join(tmpdir(), 'card-form-image-log-'));
  const logFile = join(logs, 'log');
  const output = await open(logFile, 'a');
  // Like an engine's pipe, it belongs to whoever starts the container: the user inside inherits it and may not open it
  // again.
  await chmod(logFile, 0o600);

  const enter = (command: readonly string[], out: number | 'pipe'): ChildProcess => {
    const words = [ENTER, 'enter', root, image.user, folders.join(' '), ...command.map(onPort)];
    return spawn('unshare', ['--mount', 'sh', '-c', ...words], {
      stdio: ['ignore', out, out],
      env: { PATH, ...image.env, ...env },
    });
  };
  const started = enter([...image.entrypoint, ...image.cmd], output.fd);
  const ended = new Promise<number | null>((resolve) => started.once('exit', resolve));
  const run: Container['run'] = (command) =>
    new Promise((resolve) => {
      const child = enter(command, 'pipe');
      let out = '';
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (chunk) => {
          out += chunk;
        });
      child.once('close', (code) => resolve({ code, out }));
    });
  return {
    url: `http://127.0.0.1:${port}`,
    log: () => readFile(logFile, 'utf8'),
    run,
    ended,
    isHealthy: async () => (await run(image.healthcheck)).code === 0,
    stop: (signal = image.stopSignal) => {
      started.kill(signal);
      return ended;
    },
    remove: async () => {
      started.kill('SIGTERM');
      await ended;
      await output.close();
      await rm(root, { recursive: true });
      await rm(logs, { recursive: true });
    },
  };
};
