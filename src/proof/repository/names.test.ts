/**
 * One word for one idea: each name is exported by only one file. Otherwise a reader must look up which one is meant,
 * and an editor's auto-import is right only by luck.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'vite';
import { expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Files that may repeat another file's name: the package, whose types name the same things for merchants without a
 * schema library, and the type of an intent as the page sees it.
 */
const MAY_REPEAT = /^(merchant\/(?!fake\/)|sandbox\/package\.ts$|form\/channel\/result\.ts$)/;

/** The names a source exports by declaring them. A schema and its type share a name and count once. */
const declaredIn = (path: string, source: string): ReadonlySet<string> => {
  const { program, errors } = parseSync(path, source);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const names = new Set<string>();
  new Visitor({
    ExportNamedDeclaration({ declaration }) {
      if (!declaration) return;
      if (declaration.type !== 'VariableDeclaration') {
        if ('id' in declaration && declaration.id && 'name' in declaration.id) names.add(declaration.id.name);
        return;
      }
      for (const { id } of declaration.declarations) {
        if (id.type === 'Identifier') names.add(id.name);
        if (id.type === 'ObjectPattern')
          for (const { value } of id.properties.filter((property) => property.type === 'Property'))
            if (value.type === 'Identifier') names.add(value.name);
      }
    },
  }).visit(program);
  return names;
};

/** The files for each name that is declared more than once. */
const declaredTwice = (sources: Readonly<Record<string, string>>) => {
  const files = new Map<string, string[]>();
  for (const [path, source] of Object.entries(sources))
    for (const name of declaredIn(path, source)) files.set(name, [...(files.get(name) ?? []), path]);
  return new Map([...files].filter(([, paths]) => paths.length > 1));
};

const TWICE = declaredTwice(
  Object.fromEntries(
    readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(tsx?|mjs)$/.test(path))
      .map((path) => [path.replaceAll('\\', '/'), readFileSync(`${SRC}${path}`, 'utf8')]),
  ),
);

it('no name is exported by two files, except by the package', () => {
  const wrong = [...TWICE].flatMap(([name, paths]) =>
    paths.filter((path) => !MAY_REPEAT.test(path)).length > 1 ? [`${name}: ${paths.join(', ')}`] : [],
  );
  expect(wrong).toEqual([]);
});

it('finds values, types, components and parts of an object', () => {
  const one = 'export const limit = 1;\nexport type Money = number;\nexport const { a, b: c } = {};';
  const other = 'export interface Money {}\nexport function limit() {}\nexport class c {}\nconst a = 1;';
  expect([...declaredTwice({ 'one.ts': one, 'other.ts': other }).keys()].sort()).toEqual([
    'Money',
    'c',
    'limit',
  ]);
});

it('does not count a schema with its type, or a name that is exported again', () => {
  const schema = 'export const Money = {};\nexport type Money = number;';
  const again = "export { Money } from './schema.ts';\nexport type { Money as Amount } from './schema.ts';";
  expect(declaredTwice({ 'schema.ts': schema, 'again.ts': again }).size).toBe(0);
});
