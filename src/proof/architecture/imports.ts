/** Reads the imports of every module from the sources. Only the test of the walls between folders uses it. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'vite';

/** `lazy` means `import()`, loaded later if at all; the specifier is `(computed)` if it is an expression. */
export type Import = { specifier: string; how: 'value' | 'type' | 'lazy' };

/** Every module that a source names, in any way. `path` is relative to the project's root. */
export const importsOf = (path: string, source: string): { imports: Import[]; defaultExport: boolean } => {
  const { program, errors } = parseSync(path, source);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const imports: Import[] = [];
  let defaultExport = false;
  const add = (specifier: unknown, how: Import['how']) => imports.push({ specifier: `${specifier}`, how });

  new Visitor({
    // `import { type A }` is not `import type`: the rest of it still loads the module at run time.
    ImportDeclaration: (node) => add(node.source.value, node.importKind ?? 'value'),
    ExportAllDeclaration: (node) => add(node.source.value, node.exportKind ?? 'value'),
    ExportNamedDeclaration: (node) => {
      if (node.source) add(node.source.value, node.exportKind ?? 'value');
      for (const { exported } of node.specifiers) {
        if (exported.type === 'Identifier' && exported.name === 'default') defaultExport = true;
      }
    },
    ExportDefaultDeclaration: () => {
      defaultExport = true;
    },
    ImportExpression: ({ source: from }) => add(from.type === 'Literal' ? from.value : '(computed)', 'lazy'),
    TSImportType: (node) => add(node.source.value, 'type'),
  }).visit(program);
  return { imports, defaultExport };
};

/** The file that a relative specifier in `path` refers to, from the project's root. */
export const targetOf = (path: string, specifier: string): string =>
  new URL(specifier.replace(/\?.*$/, ''), `file:///${path}`).pathname.slice(1);

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The TypeScript sources below a folder, by path from the project's root. */
export const sourcesUnder = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((path) => /\.tsx?$/.test(path) && !/\.d\.ts$/.test(path))
      .map((path) => [path, readFileSync(`${ROOT}${path}`, 'utf8')]),
  );
