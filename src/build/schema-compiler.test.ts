import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { compileSchema } from './schema-compiler.ts';

const trim = (text: string): string => text.trim();

describe('compileSchema', () => {
  it.each<[string, z.core.$ZodType]>([
    ['read.text(20, /^a"\\/$/, false)', z.string().check(z.maxLength(20), z.regex(/^a"\/$/), z.minLength(1))],
    ['read.text(undefined, undefined, false)', z.string().check(z.minLength(1))],
    ['read.text()', z.string()],
    ['read.integer(0, 5)', z.int().check(z.nonnegative(), z.maximum(5))],
    ['read.integer()', z.int()],
    ['read.literal("a\\"", 1, true)', z.literal(['a"', 1, true])],
    ['read.caught(read.nullable(read.boolean), null)', z.catch(z.nullable(z.boolean()), null)],
    ['read.caught(read.optional(read.number))', z.catch(z.optional(z.number()), undefined)],
    ['read.array(read.boolean, 3)', z.array(z.boolean()).check(z.maxLength(3))],
    [
      'read.union(read.boolean, read.object({ "a-b": read.number }))',
      z.union([z.boolean(), z.object({ 'a-b': z.number() })]),
    ],
    ['read.transformed(read.text(), trim)', z.pipe(z.string(), z.transform(trim))],
  ])('writes %s', (code, schema) => {
    expect(compileSchema(schema, new Map([[trim, 'trim']]))).toBe(code);
  });

  it.each<[string, z.core.$ZodType]>([
    ['a kind without a reader', z.date()],
    ['an object that refuses unknown keys', z.strictObject({})],
    ['an object that keeps unknown keys', z.looseObject({})],
    [
      'a union that is told apart by a field',
      z.discriminatedUnion('type', [z.object({ type: z.literal('a') })]),
    ],
    ['a union of which one only may match', z.xor([z.string(), z.boolean()])],
    ['a field that may be missing, but not undefined', z.exactOptional(z.string())],
    ['a coerced value', z.coerce.string()],
    ['a text of a format', z.email()],
    ['a shortest length of more than one', z.string().check(z.minLength(2))],
    ['the same check twice', z.string().check(z.maxLength(2), z.maxLength(3))],
    ['a changed text', z.string().check(z.trim())],
    ['a regular expression with a state', z.string().check(z.regex(/a/g))],
    ['an exclusive bound', z.int().check(z.gt(0))],
    ['a bounded number', z.number().check(z.maximum(1))],
    ['an integer of 32 bits', z.int32()],
    ['a list of any length', z.array(z.string())],
    ['a list with another check', z.array(z.string()).check(z.maxLength(2), z.minLength(1))],
    ['a check of an object', z.object({}).check(z.refine(() => true))],
    ['a literal undefined', z.literal(undefined)],
    ['a literal NaN', z.literal(Number.NaN)],
    ['a fallback that is computed', z.catch(z.string(), () => 'a')],
    [
      'a transform without a name',
      z.pipe(
        z.string(),
        z.transform((text) => text.length),
      ),
    ],
    ['a pipe into a schema', z.pipe(z.string(), z.string())],
    ['a field that every object inherits', z.object({ constructor: z.string() })],
    ['any value', z.unknown()],
    ['a default', z.object({ text: z._default(z.string(), 'a') })],
  ])('refuses %s', (_, schema) => {
    expect(() => compileSchema(schema, new Map())).toThrow('cannot be compiled for the frame');
  });
});
