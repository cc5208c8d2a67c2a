import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ENTRIES } from './declare.ts';

const {
  exports: given,
  alias,
  ...fields
} = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** The entries that are modules, by name. */
const modules = Object.entries<string | Record<string, unknown>>(given).flatMap(([name, entry]) =>
  typeof entry === 'string' ? [] : [[name, entry] as const],
);

describe('the entries of the package', () => {
  it('are found by tools that ignore `exports`: Parcel reads `alias`, the others know one entry', () => {
    const [[, main] = [], ...others] = modules;
    expect(alias).toEqual(Object.fromEntries(others.map(([name, entry]) => [name, entry.default])));
    expect(fields).toMatchObject({
      types: main?.types,
      module: main?.default,
      main: './dist/package/card-form.cjs',
    });
  });

  it('have the types that the build declares', () => {
    const types = modules.map(([, entry]) => entry.types);
    expect(types.sort()).toEqual(ENTRIES.map((entry) => `./dist/types/${entry}.d.ts`).sort());
  });

  it.each(modules.filter(([name]) => name !== './svelte'))(
    '%s is an ES module, and CommonJS for tools that cannot require one, such as Jest',
    (_, { types, default: module, ...conditions }) => {
      const both = { types, default: module };
      const required = {
        types: `${types}`.replace(/\.ts$/, '.cts'),
        default: `${module}`.replace(/\.js$/, '.cjs'),
      };
      expect(conditions).toEqual({ 'module-sync': both, require: required });
      // A Node `require` gets the same module as an `import`, so that nothing is loaded twice.
      expect(Object.keys(conditions)).toEqual(['module-sync', 'require']);
    },
  );
});
