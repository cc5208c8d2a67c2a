import { expect, it } from 'vitest';
import budget from './budget.json' with { type: 'json' };
import { compare, madeOf } from './size.mjs';

it('product 7: the budget holds what must arrive before a buyer can type, and before one can pay', () => {
  expect(Object.fromEntries(Object.entries(budget).map(([name, { aim }]) => [name, aim]))).toEqual({
    loader: Math.floor(2.3 * 1024),
    typing: 14 * 1024, // the first flight of a connection
    paying: 36 * 1024,
    requestsToType: 2,
    requestsToPay: 4,
  });
  const missed = Object.entries(budget).filter(([, { limit, aim }]) => limit > aim);
  expect(missed.map(([name]) => name)).toEqual(['loader', 'paying']);
});

it('says what is over its limit, what is over its aim, and what is neither', () => {
  const of = (limit: number, aim: number) => ({ what: `up to ${limit}`, limit, aim });
  const { rows, over } = compare({ a: of(10, 5), b: of(10, 5), c: of(10, 5) }, { a: 11, b: 10, c: 5 });
  expect(rows.map(({ verdict }) => verdict)).toEqual(['OVER', 'over its aim', 'ok']);
  expect(over.map(({ now }) => now)).toEqual([11]);
});

it('fails where the budget names what nothing measures', () => {
  expect(() => compare({ a: { what: 'a', limit: 1, aim: 1 } }, { b: 1 })).toThrow('names a');
});

it('counts of which source each character is, over lines and gaps', () => {
  // "aaa" of the first source, "bb" of the second, "!" of none; in the next line "cccc" of the first.
  const map = { sources: ['../src/frame/a.ts', '/x/node_modules/@b/c/d.js'], mappings: 'AAAA,GCAA,E;ADAA' };
  expect(madeOf('aaabb!\ncccc', map)).toEqual([
    ['src/frame/a.ts', 7],
    ['@b/c', 2],
    ['tables and the bundler', 1],
  ]);
});
