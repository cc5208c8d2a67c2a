import { expect, it } from 'vitest';
import budget from './budget.json' with { type: 'json' };
import { charactersBySource, compare } from './size.mjs';

it('promises 7.2 and 7.3: the budget limits what must arrive before a buyer can type, press Pay and pay', () => {
  expect(Object.fromEntries(Object.entries(budget).map(([name, { aim }]) => [name, aim]))).toEqual({
    loader: Math.floor(2.3 * 1024),
    typing: 13 * 1024, // the first flight of a connection, without headers and TLS
    typingElsewhere: 13 * 1024,
    payable: 36 * 1024,
    paying: 54_000,
    second: 4 * 1024,
    requestsToType: 2,
    requestsToPay: 5, // the total has a small one of its own, so that it is shown before what judges a press has arrived
    requestsToConfirm: 7,
  });
  const missed = Object.entries(budget).filter(([, { limit, aim }]) => limit > aim);
  expect(missed.map(([name]) => name)).toEqual(['loader', 'typingElsewhere', 'paying', 'second']);
});

it('reports what is over its limit and what is over its aim', () => {
  const of = (limit: number, aim: number) => ({ what: `up to ${limit}`, limit, aim });
  const { rows, over } = compare({ a: of(10, 5), b: of(10, 5), c: of(10, 5) }, { a: 11, b: 10, c: 5 });
  expect(rows.map(({ verdict }) => verdict)).toEqual(['OVER', 'over its aim', 'ok']);
  expect(over.map(({ now }) => now)).toEqual([11]);
});

it('fails if a part of the budget is not measured', () => {
  expect(() => compare({ a: { what: 'a', limit: 1, aim: 1 } }, { b: 1 })).toThrow('has a');
});

it('attributes each character to its source, across lines and unmapped gaps', () => {
  // "aaa" from the first source, "bb" from the second, "!" from none; in the next line "cccc" from the first.
  const map = { sources: ['../src/frame/a.ts', '/x/node_modules/@b/c/d.js'], mappings: 'AAAA,GCAA,E;ADAA' };
  expect(charactersBySource('aaabb!\ncccc', map)).toEqual([
    ['src/frame/a.ts', 7],
    ['@b/c', 2],
    ['tables and the bundler', 1],
  ]);
});
