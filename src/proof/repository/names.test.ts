/**
 * One word for one idea: each name is exported by only one file. Otherwise a reader must look up which one is meant,
 * and an editor's auto-import is right only by luck.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'vite';
import { expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../../', import.meta.url));

/** Names that may be declared twice: the files that may declare them in addition to one other, and why. */
const DECLARED_AGAIN: readonly { files: readonly string[]; names: readonly string[]; because: string }[] = [
  {
    files: ['package/react.ts', 'package/svelte.ts', 'package/vue.ts'],
    names: ['CardForm', 'CardFormProps', 'CardFormElementProps'],
    because: 'Each framework has an entry of its own, and a merchant imports the form from any by one name.',
  },
  {
    files: ['package/sandbox.ts'],
    names: ['Sandbox', 'SandboxOptions', 'createSandbox', 'listen'],
    because: "The package's sandbox: the same by the same name, without what only this repository may use.",
  },
  {
    files: ['package/server/api-types.ts', 'package/server/list.ts'],
    names: [
      'Balance',
      'CreateFeeQuote',
      'CreatePaymentIntent',
      'CreateRefund',
      'FeeQuote',
      'List',
      'ListPaymentIntentsQuery',
      'ListRefundsQuery',
      'PaymentIntent',
      'Refund',
      'UpdatePaymentIntent',
      'WebhookSigningKey',
    ],
    because:
      "The package's types of what src/api has schemas for: they need no zod, and a test holds both equal.",
  },
  {
    files: ['form/channel/result.ts'],
    names: ['ClientPaymentIntent'],
    because: 'The same for what the page hears of an intent.',
  },
];

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

it('no name is exported by two files, but for those that are right twice', () => {
  const wrong = [...TWICE].flatMap(([name, paths]) => {
    const again = DECLARED_AGAIN.filter(({ names }) => names.includes(name)).flatMap(({ files }) => files);
    const others = paths.filter((path) => !again.includes(path));
    return others.length > 1 || again.length === 0 ? [`${name}: ${paths.join(', ')}`] : [];
  });
  expect(wrong).toEqual([]);
});

it('every name that is right twice is still exported twice', () => {
  const gone = DECLARED_AGAIN.flatMap(({ files, names }) =>
    names.filter((name) => !TWICE.get(name)?.some((path) => files.includes(path))),
  );
  expect(gone).toEqual([]);
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
