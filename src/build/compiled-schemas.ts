/**
 * Replaces the modules of schemas in the frame's scripts by readers that are compiled from them, so that no buyer loads
 * zod. Sandbox, servers and tests use the schemas themselves.
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

/** What the frame parses, by module. A script of the frame that imports anything else from these does not build. */
export const COMPILED = {
  'api/schemas.ts': { ClientPaymentIntent, ErrorBody },
  'form/channel/commands.ts': { Command },
  'form/channel/search-answer.ts': { SearchAnswer },
} as const;

/** The functions of `z.transform()` in them, from files without schemas. */
export const TRANSFORMS = {
  cutText: { source: 'api/texts.ts', run: cutText },
} as const;

const importOf = (names: string, source: string, query = ''): string =>
  `import ${names} from ${JSON.stringify(pathOf(source) + query)};`;

/** The module that exports these schemas as readers. With a `query` it has their functions to itself, and shares none with others. */
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

/** Applies to the frame, in builds and in the development server. Tests have the schemas, also those in a DOM. */
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
