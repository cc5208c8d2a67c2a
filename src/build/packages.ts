/**
 * The packages that each built program may contain. The build checks the modules of each bundle and fails on any
 * difference, so every dependency is a deliberate decision. The Node programs also bundle theirs, so that installing
 * the npm package installs no others.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Names of the packages in each program, sorted. */
export const BUNDLED: Readonly<
  Record<'frame' | 'loader' | 'package' | 'fake' | 'node' | 'inspector' | 'playground', readonly string[]>
> = {
  frame: [
    '@fontsource-variable/dm-sans',
    '@fontsource-variable/ibm-plex-sans',
    '@fontsource-variable/inter',
    '@fontsource-variable/montserrat',
    '@fontsource-variable/noto-sans',
    '@fontsource-variable/nunito-sans',
    '@fontsource-variable/open-sans',
    '@fontsource-variable/roboto',
    '@fontsource-variable/source-sans-3',
    '@fontsource-variable/work-sans',
    '@preact/signals',
    '@preact/signals-core',
    'preact',
  ],
  loader: [],
  package: [],
  fake: ['@preact/signals', '@preact/signals-core', 'preact'],
  node: ['@hono/node-server', 'hono', 'zod'],
  inspector: ['@preact/signals', '@preact/signals-core', 'preact'],
  playground: ['@preact/signals', '@preact/signals-core', 'preact'],
};

/** The packages that contain these modules (bundler ids), sorted. */
export const packagesOf = (modules: Iterable<string>): readonly string[] => {
  const names = Array.from(modules, (id) =>
    /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id)?.[1]?.replace('\\', '/'),
  ).filter((name) => name !== undefined);
  return [...new Set(names)].sort();
};

/** Throws if a program doesn't contain exactly the packages listed for it. */
export const checkPackages = (program: keyof typeof BUNDLED, modules: Iterable<string>): void => {
  const found = packagesOf(modules);
  const expected = BUNDLED[program];
  if (found.join() === expected.join()) return;
  const list = (names: readonly string[]) => names.join(', ') || 'no package';
  throw new Error(
    `The ${program} must contain ${list(expected)}; it contains ${list(found)}. ` +
      'Remove the import, or record the decision in src/build/packages.ts and docs/decisions.md.',
  );
};

/** Checks the packages of every build environment; `client` is the frame. */
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
  fake: 'fake',
  node: 'node',
  sandbox: 'node',
  inspector: 'inspector',
  playground: 'playground',
};

/** Installed version of each bundled package. */
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
