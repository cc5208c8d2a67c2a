import { describe, expect, it } from 'vitest';
import { DEEPEST_MESSAGE, LARGEST_MESSAGE, measure } from './bounds.ts';

const nested = (depth: number): unknown => (depth === 1 ? { end: 1 } : { in: nested(depth - 1) });
const cycle = () => {
  const value: Record<string, unknown> = {};
  value.self = value;
  return value;
};

describe('measure', () => {
  it.each<[string, unknown]>([
    ['a record', { type: 'update', locale: 'de' }],
    ['nothing', undefined],
    ['null', null],
    ['a word', 'hello'],
    ['a list', [1, 'two', true, null]],
    ['the deepest message', nested(DEEPEST_MESSAGE)],
    ['a record without a prototype', Object.create(null)],
    ['the longest word', 'x'.repeat(LARGEST_MESSAGE - 2)],
    ['the longest key', { ['k'.repeat(LARGEST_MESSAGE - 19)]: 1 }],
    ['the longest list of holes', new Array(LARGEST_MESSAGE - 8)],
  ])('accepts %s', (_, value) => {
    expect(measure(value)).toBe('plain');
  });

  it.each<[string, unknown]>([
    ['a cycle', cycle()],
    ['a level too deep', nested(DEEPEST_MESSAGE + 1)],
    ['a word too long', 'x'.repeat(LARGEST_MESSAGE)],
    ['a key too long', { ['k'.repeat(LARGEST_MESSAGE - 18)]: 1 }],
    ['a list of a million holes', new Array(1_000_000)],
    ['ten megabytes', { text: 'x'.repeat(10_000_000) }],
    ['a million of small things', Array.from({ length: 1_000_000 }, () => 0)],
    ['many long keys', Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`${i}`.padEnd(20), 1]))],
  ])('finds %s oversized', (_, value) => {
    expect(measure(value)).toBe('oversized');
  });

  it.each<[string, unknown]>([
    ['an own __proto__', JSON.parse('{"type":"update","__proto__":{"polluted":true}}')],
    ['an own __proto__ further in', JSON.parse('{"a":{"b":{"__proto__":{}}}}')],
    ['an own constructor', { constructor: { prototype: {} } }],
    ['an own prototype', { prototype: {} }],
    ['a Blob', new Blob(['x'])],
    ['a typed array', new Uint8Array(8)],
    ['an ArrayBuffer', new ArrayBuffer(8)],
    ['a Map', new Map([['type', 'update']])],
    ['a Set', new Set([1])],
    ['a Date', new Date(0)],
    ['a pattern', /x/],
    ['an error', new Error('x')],
    ['a bigint', 1n],
    ['a bigint a level too deep', { a: { b: { c: { d: 1n } } } }],
    ['a symbol', Symbol('x')],
    ['a function', () => 1],
  ])('finds %s foreign', (_, value) => {
    expect(measure(value)).toBe('foreign');
  });

  it('changes no prototype', () => {
    measure(JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'));
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});
