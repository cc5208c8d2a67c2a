/**
 * A build step: writes the type declarations of the package. They must not import any other package, so that a shop's
 * compiler needs nothing besides them.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { promisify } from 'node:util';

/** The modules that `package.json` exports, by path in src/. */
const ENTRIES = ['package/card-form', 'package/sandbox', 'package/testing', 'package/themes'] as const;

/** Writes the declarations of the project at `root` to `out`. Rejects if one of them imports a package. */
export const declare = async (root: string, out: string): Promise<void> => {
  const all = await mkdtemp(join(tmpdir(), 'card-form-'));
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    await promisify(execFile)(process.execPath, [tsc, '-p', join(root, 'src/package'), '--outDir', all]);
    await copyDeclarations(all, out, ENTRIES);
  } finally {
    await rm(all, { recursive: true, force: true });
  }
};

/** Copies the declarations of these modules and of all that they import. */
const copyDeclarations = async (from: string, to: string, entries: readonly string[]): Promise<void> => {
  const wanted = new Set(entries);
  for (const module of wanted) {
    const text = await readFile(join(from, `${module}.d.ts`), 'utf8');
    const declaration = text.replace(/(from|import\() ?'([^']+)'/g, (_, word: string, specifier: string) => {
      if (!/^\.{1,2}\//.test(specifier))
        throw new Error(
          `The types of ${module} import ${specifier}. Spell them out, so that the package has no type dependency.`,
        );
      wanted.add(normalize(join(dirname(module), specifier.replace(/\.ts$/, ''))).replaceAll('\\', '/'));
      return `${word} '${specifier.replace(/\.ts$/, '.js')}'`;
    });
    await mkdir(join(to, dirname(module)), { recursive: true });
    await writeFile(join(to, `${module}.d.ts`), declaration);
  }
};
