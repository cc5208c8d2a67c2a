/**
 * Which packages may become part of what is delivered. The build asks what really ended up in each program and
 * fails where that is anything else than what is written here: a dependency is a decision, not an accident.
 *
 * The programs for Node hold theirs, too: who installs the npm package gets one package, and no tree of others.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** By program: the names of packages, sorted. */
export const BUNDLED: Readonly<
  Record<'frame' | 'loader' | 'package' | 'node' | 'inspector', readonly string[]>
> = {
  frame: ['@preact/signals', '@preact/signals-core', 'preact', 'zod'],
  loader: [],
  package: [],
  node: ['@hono/node-server', 'hono', 'zod'],
  inspector: ['@preact/signals', '@preact/signals-core', 'preact'],
};

/** The packages that these modules (ids of the bundler) are of, sorted. */
export const packagesOf = (modules: Iterable<string>): readonly string[] => {
  const names = Array.from(modules, (id) =>
    /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id)?.[1]?.replace('\\', '/'),
  ).filter((name) => name !== undefined);
  return [...new Set(names)].sort();
};

/** Throws if a program consists of other packages than it may. */
export const checkPackages = (program: keyof typeof BUNDLED, modules: Iterable<string>): void => {
  const found = packagesOf(modules);
  const expected = BUNDLED[program];
  if (found.join() === expected.join()) return;
  const list = (names: readonly string[]) => names.join(', ') || 'no package';
  throw new Error(
    `The ${program} must consist of ${list(expected)}; it consists of ${list(found)}. ` +
      'Remove the import, or write the decision down in src/hosting/packages.ts and docs/decisions.md.',
  );
};

/** Has the build ask, of every environment; `client` is the frame. */
export const onlyKnownPackages = (): Plugin => ({
  name: 'card-form:packages',
  apply: 'build',
  generateBundle(_, bundle) {
    const program = PROGRAMS[this.environment.name];
    if (!program) return;
    const modules = Object.values(bundle).flatMap((file) =>
      file.type === 'chunk'
        ? Object.entries(file.modules)
            .filter(([, { renderedLength }]) => renderedLength > 0)
            .map(([id]) => id)
        : [],
    );
    checkPackages(program, modules);
  },
});

const PROGRAMS: Readonly<Record<string, keyof typeof BUNDLED | undefined>> = {
  client: 'frame',
  loader: 'loader',
  package: 'package',
  node: 'node',
  inspector: 'inspector',
};

/** The version of each package in the bundles, as installed below `root`. */
export const installedVersions = async (root: string): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    await Promise.all(
      Object.values(BUNDLED)
        .flat()
        .map(async (name) => {
          const { version } = JSON.parse(
            await readFile(join(root, 'node_modules', name, 'package.json'), 'utf8'),
          );
          return [name, `${version}`] as const;
        }),
    ),
  );
