/**
 * The package's types in the compilers that docs/frameworks.md names; e2e/package/package.spec.ts tests today's
 * compiler.
 */
import { test } from '../package/installed-package.ts';
import { typedProgram } from '../package/typed-program.ts';
import { expect } from '../support/fixtures.ts';
import { installProject } from './project.ts';

/**
 * The lowest version, the first with `using` in wide use, and the last before the compiler in Go. `node18` came with
 * 5.8.
 */
const VERSIONS = {
  '5.0.4': ['esnext', 'node16', 'nodenext'],
  '5.4.5': ['esnext', 'node16', 'nodenext'],
  '5.9.3': ['esnext', 'node16', 'node18', 'nodenext'],
} as const;

for (const [version, modules] of Object.entries(VERSIONS))
  test(`TypeScript ${version} compiles a strict program, including its libraries`, async ({ installed }) => {
    const project = await installProject({ typescript: version }, installed.tarball);
    try {
      const { files, configurations } = typedProgram(modules);
      await project.write(files);
      for (const name of configurations) expect(await project.run(['tsc', '-p', name]), name).toBe('');
    } finally {
      await project.remove();
    }
  });
