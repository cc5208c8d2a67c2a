/**
 * Compares the frame's readers with the schemas they are compiled from: on answers of the service and messages of a
 * page. fast-check prints the seed of an input that they read differently.
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import * as readers from '../api/readers.ts';
import { pick, seeded } from '../form/channel/hostile-messages.fixture.ts';
import { runs } from '../proof/fuzz.ts';
import { COMPILED, moduleOf, TRANSFORMS } from './compiled-schemas.ts';
import { compileSchema, READERS } from './schema-compiler.ts';
import { COMMANDS, ERRORS, INTENTS, inputOf, SUGGESTIONS } from './schema-inputs.fixture.ts';

const INPUTS = runs(100_000);
const TEST_TIMEOUT = 120_000;

type Schema = z.core.$ZodType;
type Examples = readonly [object, ...object[]];

/** The reader that a browser uses instead of this schema. */
const compiled = (schema: Schema): readers.Reader => {
  const transforms = Object.entries(TRANSFORMS);
  const code = compileSchema(schema, new Map(transforms.map(([name, { run }]) => [run, name])));
  const create = new Function(READERS, ...transforms.map(([name]) => name), `return ${code}`);
  return create(readers, ...transforms.map(([, { run }]) => run));
};

/** The result of the schema itself for a value. */
const parsed = (schema: Schema, value: unknown): unknown => {
  const result = z.safeParse(schema, value);
  return result.success ? result.data : readers.INVALID;
};

type Kind = { name: string; schema: Schema; examples: Examples };

/**
 * Compares both ways of reading inputs, nine out of ten with the schema their example belongs to. Returns the number of
 * valid inputs of each kind.
 */
const countValid = (kinds: readonly [Kind, ...Kind[]]): Readonly<Record<string, number>> => {
  const reads = new Map(kinds.map(({ schema }) => [schema, compiled(schema)]));
  const valid: Record<string, number> = {};
  const property = fc.property(fc.nat(), (seed) => {
    const random = seeded(seed);
    const { name, schema, examples } = pick(random, kinds);
    const input = inputOf(random, random() < 0.9 ? examples : pick(random, kinds).examples);
    const output = reads.get(schema)?.(input);
    const expected = parsed(schema, input);
    if (!isDeepStrictEqual(output, expected)) expect({ name, output }).toEqual({ name, output: expected });
    if (expected !== readers.INVALID) valid[name] = (valid[name] ?? 0) + 1;
  });
  fc.assert(property, { numRuns: INPUTS });
  return valid;
};

it('reads answers of the service as their schemas do', { timeout: TEST_TIMEOUT }, () => {
  const { ClientPaymentIntent, ErrorBody } = COMPILED['api/schemas.ts'];
  const valid = countValid([
    { name: 'intent', schema: ClientPaymentIntent, examples: INTENTS },
    { name: 'error', schema: ErrorBody, examples: ERRORS },
  ]);
  expect(valid.intent).toBeGreaterThan(runs(10_000));
  expect(valid.error).toBeGreaterThan(runs(10_000));
});

it('reads commands of a page as its schema does', { timeout: TEST_TIMEOUT }, () => {
  const { Command } = COMPILED['form/channel/commands.ts'];
  const valid = countValid([{ name: 'command', schema: Command, examples: COMMANDS }]);
  expect(valid.command).toBeGreaterThan(runs(10_000));
});

it('reads addresses that a page suggests as their schema does', { timeout: TEST_TIMEOUT }, () => {
  const { SearchAnswer } = COMPILED['form/channel/search-answer.ts'];
  const valid = countValid([{ name: 'answer', schema: SearchAnswer, examples: SUGGESTIONS }]);
  expect(valid.answer).toBeGreaterThan(runs(10_000));
});

it('reads only own properties, and copies none named __proto__', () => {
  const read = compiled(z.object({ id: z.optional(z.string()) }));
  const polluted: unknown = JSON.parse('{"__proto__":{"id":"lg_pi_1"}}');
  expect(read(polluted)).toEqual({});
  expect(read(Object.create({ id: 'lg_pi_1' }))).toEqual({});
  expect(Object.getPrototypeOf(read(polluted))).toBe(Object.prototype);
});

it.each(Object.entries(COMPILED))(
  "%s reaches the frame without zod, and without code that the frame's Content-Security-Policy forbids",
  (_, schemas) => {
    const code = moduleOf(schemas);
    for (const name of Object.keys(schemas)) expect(code).toContain(`export const ${name} = `);
    expect(code).not.toMatch(/zod|Function|eval/);
  },
);
