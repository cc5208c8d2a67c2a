/** Sends every field of every body of a server route with every JSON type that it must not have. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { API_ROUTES } from '../core/api-routes.ts';
import { createWorld, ORDER, refusedWith } from '../sandbox.fixture.ts';

type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';
type Path = readonly (string | number)[];

/** Values of each type. Each satisfies the rules of fields of its type, so a refusal is due to the type. */
const VALUES: Readonly<Record<JsonType, readonly unknown[]>> = {
  null: [null],
  boolean: [true, false],
  number: [0, 5, -1, 97_201, 1.5],
  string: ['', '5', 'text'],
  array: [[], ['text'], [{}]],
  object: [{}, { name: 'text' }],
};

/** A body with every field of every server route. */
const FULL: Readonly<Record<string, unknown>> = {
  ...ORDER,
  shipping_amount: 0,
  tax_amount: 0,
  discount_amount: 0,
  goods_type: 'physical',
  description: 'Two mugs',
  metadata: { colour: 'red' },
  shipping_details: {
    name: 'Ada Byron',
    phone: '020 7946 0000',
    address: {
      line1: '12 St James Square',
      line2: 'Flat 3',
      city: 'London',
      state: 'England',
      postal_code: 'SW1Y 4JH',
      country: 'GB',
    },
  },
};

const Schema = z.object({
  type: z.optional(z.string()),
  anyOf: z.optional(z.array(z.unknown())),
  properties: z.optional(z.record(z.string(), z.unknown())),
  additionalProperties: z.optional(z.unknown()),
  items: z.optional(z.unknown()),
});

/** Returns the fields of a JSON Schema, each with its allowed types. */
const fieldsOf = (schema: unknown, path: Path = []): { path: Path; types: readonly string[] }[] => {
  const { type, anyOf, properties, additionalProperties, items } = Schema.parse(schema);
  const own = [type ?? [], (anyOf ?? []).flatMap((one) => Schema.parse(one).type ?? [])].flat();
  return [
    { path, types: own.map((one) => (one === 'integer' ? 'number' : one)) },
    ...(anyOf ?? []).flatMap((one) => fieldsOf(one, path).slice(1)),
    ...Object.entries(properties ?? {}).flatMap(([name, one]) => fieldsOf(one, [...path, name])),
    ...(typeof additionalProperties === 'object' && additionalProperties !== null
      ? fieldsOf(additionalProperties, [...path, 'colour'])
      : []),
    ...(items === undefined ? [] : fieldsOf(items, [...path, 0])),
  ];
};

const withValue = (body: unknown, [key, ...rest]: Path, value: unknown): unknown => {
  if (key === undefined) return value;
  if (Array.isArray(body))
    return body.map((one, index) => (index === key ? withValue(one, rest, value) : one));
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  return Object.fromEntries(
    fields.map(([name, one]) => [name, name === key ? withValue(one, rest, value) : one]),
  );
};

const paramOf = (path: Path): string =>
  path
    .reduce<string>((text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${key}`), '')
    .slice(1);

const routes = API_ROUTES.flatMap(({ id, method, path, key, body }) =>
  key === 'secret' && body !== null ? [{ id, method: method.toUpperCase(), path, schema: body.schema }] : [],
);

describe('contract S16.3: validation_error for a field of the wrong type', () => {
  it('covers every server route with a body', () => {
    expect(routes.map(({ id }) => id)).toEqual([
      'createPaymentIntent',
      'updatePaymentIntent',
      'createRefund',
      'createFeeQuote',
    ]);
  });

  it.each(routes)('$id', async ({ method, path, schema }) => {
    const world = createWorld();
    const { id } = await world.intent();
    const fields = fieldsOf(JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: 'input' }))));
    const names = fields.flatMap((one) => one.path[0] ?? []);
    const full = Object.fromEntries(
      Object.entries({ ...FULL, payment_intent: id }).filter(([name]) => names.includes(name)),
    );
    // The unchanged body is valid, so each refusal below is due to the changed field.
    const send = (body: unknown) => world.server(method, path.replace(':id', id), body);
    if (path.includes('refund'))
      expect((await send(full)).body).not.toMatchObject({ error: { code: 'validation_error' } });
    else expect((await send(full)).status).toBe(200);

    for (const field of fields) {
      expect(field.types.length, paramOf(field.path)).toBeGreaterThan(0);
      const wrong = Object.entries(VALUES).filter(([type]) => !field.types.includes(type));
      for (const value of wrong.flatMap(([, values]) => values)) {
        const param = paramOf(field.path);
        // Contract 5.8: an amount of any other type is not a positive integer.
        const code = param === 'amount' ? 'invalid_amount' : 'validation_error';
        expect(
          await send(withValue(full, field.path, value)),
          `${param}: ${JSON.stringify(value)}`,
        ).toMatchObject(param === '' ? refusedWith(400, code) : refusedWith(400, code, param));
      }
    }
  });
});
