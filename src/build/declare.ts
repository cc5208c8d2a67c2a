/**
 * Build step that writes the package's type declarations. They must not import any other package, so that a shop's
 * compiler needs nothing else. A framework's binding may import that framework, which its shop has.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { promisify } from 'node:util';

/** Modules exported by `package.json`, by path in src/. */
export const ENTRIES = [
  'merchant/fake/fake',
  'merchant/card-form',
  'merchant/cypress',
  'merchant/react',
  'sandbox/package',
  'merchant/server',
  'merchant/svelte',
  'merchant/testing',
  'merchant/themes',
  'merchant/vue',
] as const;

/** The only modules whose declarations may import a package, with that package. */
const FRAMEWORKS: Readonly<Record<string, string>> = {
  'merchant/react': 'react',
  'merchant/svelte': 'svelte',
  'merchant/vue': 'vue',
};

/** Writes the declarations of the project at `root` to `out`. Rejects if one imports a package. */
export const declare = async (root: string, out: string): Promise<void> => {
  const all = await mkdtemp(join(tmpdir(), 'card-form-'));
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    await promisify(execFile)(process.execPath, [tsc, '-p', join(root, 'src/merchant'), '--outDir', all]);
    await copyDeclarations(all, out, ENTRIES, '.js');
    // Svelte's own types have no CommonJS form, and its compiler reads only ES modules.
    const required = ENTRIES.filter((entry) => entry !== 'merchant/svelte');
    await copyDeclarations(all, out, required, '.cjs');
  } finally {
    await rm(all, { recursive: true, force: true });
  }
};

/** Extension of a built file: ES module or CommonJS. Compilers want each declared separately. */
type Ending = '.js' | '.cjs';

/** Copies the declarations of these modules and of everything they import. */
const copyDeclarations = async (
  from: string,
  to: string,
  entries: readonly string[],
  ending: Ending,
): Promise<void> => {
  const wanted = new Set(entries);
  for (const module of wanted) {
    const source = await readFile(join(from, `${module}.d.ts`), 'utf8');
    const { text, imports } = publicDeclaration(module, source, ending);
    for (const one of imports) wanted.add(one);
    await mkdir(join(to, dirname(module)), { recursive: true });
    await writeFile(join(to, `${module}.d${ending.replace('j', 't')}`), text);
  }
};

/**
 * A declaration as it ships, with the names of built files, and the modules it imports. Throws if it imports a package
 * other than its own framework, or references a library, which older compilers may lack.
 */
export const publicDeclaration = (
  module: string,
  text: string,
  ending: Ending,
): { text: string; imports: string[] } => {
  const reference = /^\/\/\/ <reference .*/m.exec(text);
  if (reference)
    throw new Error(
      `The types of ${module} say ${reference[0]}. Do without, because older compilers lack it.`,
    );
  const imports: string[] = [];
  const written = text.replace(
    /(from |import\(|import |declare module )(['"])([^'"]+)\2/g,
    (whole: string, word: string, quote: string, specifier: string) => {
      if (/^\.{1,2}\//.test(specifier)) {
        imports.push(normalize(join(dirname(module), specifier.replace(/\.ts$/, ''))).replaceAll('\\', '/'));
        return `${word}${quote}${specifier.replace(/\.ts$/, ending)}${quote}`;
      }
      const framework = FRAMEWORKS[module];
      if (framework && (specifier === framework || specifier.startsWith(`${framework}/`))) return whole;
      throw new Error(
        `The types of ${module} import ${specifier}. Spell them out, so that the package has no type dependency.`,
      );
    },
  );
  return { text: written, imports };
};
