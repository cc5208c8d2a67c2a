/**
 * Replaces schema modules in the frame's scripts with readers compiled from them, so that no buyer loads zod. The
 * sandbox, servers and tests use the schemas themselves.
 */
import { fileURLToPath } from 'node:url';
import { normalizePath, type Plugin } from 'vite';
import type * as z from 'zod/mini';
import { ClientPaymentIntent, ErrorBody } from '../api/schemas.ts';
import { cutText } from '../api/texts.ts';
import { Command } from '../form/channel/commands.ts';
import { SearchAnswer } from '../form/channel/search-answer.ts';
import { compileSchema, READERS } from './schema-compiler.ts';

const pathOf = (source: string) => normalizePath(fileURLToPath(new URL(`../${source}`, import.meta.url)));

/**
 * Schemas that the frame parses, by module. A frame script that imports anything else from these modules fails the
 * build.
 */
export const COMPILED = {
  'api/schemas.ts': { ClientPaymentIntent, ErrorBody },
  'form/channel/commands.ts': { Command },
  'form/channel/search-answer.ts': { SearchAnswer },
} as const;

/** The `z.transform()` functions they use, from files without schemas. */
export const TRANSFORMS = {
  cutText: { source: 'api/texts.ts', run: cutText },
} as const;

const importOf = (names: string, source: string, query = ''): string =>
  `import ${names} from ${JSON.stringify(pathOf(source) + query)};`;

/**
 * A module that exports these schemas as readers. With a `query`, it gets its own copy of the readers and shares none.
 */
export const moduleOf = (schemas: Readonly<Record<string, z.core.$ZodType>>, query = ''): string => {
  const transforms = Object.entries(TRANSFORMS);
  const named = new Map(transforms.map(([name, { run }]) => [run, name]));
  return [
    importOf(`* as ${READERS}`, 'api/readers.ts', query),
    ...transforms.map(([name, { source }]) => importOf(`{ ${name} }`, source)),
    ...Object.entries(schemas).map(
      ([name, schema]) =>
        `export const ${name} = /* @__PURE__ */ ${READERS}.schema(${compileSchema(schema, named)});`,
    ),
  ].join('\n');
};

/** Schemas that few pages need: exporting them from the shared file would cost every buyer bytes. */
const APART: readonly string[] = ['form/channel/search-answer.ts'];

/** Applies to the frame, in builds and in the development server. Tests use the schemas, including tests in a DOM. */
export const compiledSchemas = (): Plugin => {
  const modules = new Map(
    Object.entries(COMPILED).map(([source, schemas]) => [
      pathOf(source),
      moduleOf(schemas, APART.includes(source) ? '?apart' : ''),
    ]),
  );
  return {
    name: 'card-form:compiled-schemas',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => ['client', 'fake'].includes(name) && !process.env.VITEST,
    load(id) {
      return modules.get(id) ?? null;
    },
  };
};
