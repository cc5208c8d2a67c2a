import { expect, it } from 'vitest';
import budget from './budget.json' with { type: 'json' };
import { charactersBySource, compare, withoutHashes } from './size.mjs';

it('promises 7.2 and 7.3: the budget limits what must arrive before a buyer can type, press Pay and pay', () => {
  expect(Object.fromEntries(Object.entries(budget).map(([name, { aim }]) => [name, aim]))).toEqual({
    loader: 3680,
    typing: 13 * 1024, // the first flight of a connection, without headers and TLS
    typingElsewhere: 13 * 1024,
    payable: 36 * 1024,
    paying: 68_000,
    second: 13 * 1024, // judges and shows whether the amount is visible; delays nothing
    requestsToType: 2,
    requestsToPay: 4,
    requestsToConfirm: 5,
  });
  const missed = Object.entries(budget).filter(([, { measured, aim }]) => measured > aim);
  expect(missed.map(([name]) => name)).toEqual(['paying']);
});

it('reports parts over their limit and parts over their aim', () => {
  const part = { what: 'a part', measured: 1000, aim: 500 };
  const { rows, over } = compare({ a: part, b: part, c: part }, { a: 1011, b: 1010, c: 500 });
  expect(rows.map(({ verdict }) => verdict)).toEqual(['OVER', 'over its aim', 'ok']);
  expect(over.map(({ now }) => now)).toEqual([1011]);
});

it('a part that has reached its aim may not exceed it', () => {
  const part = { what: 'a part', measured: 998, aim: 1000 };
  const { rows } = compare({ a: part, b: part }, { a: 1000, b: 1001 });
  expect(rows.map(({ verdict }) => verdict)).toEqual(['ok', 'OVER']);
});

it('measures the code independently of the hashes and the name of the release', () => {
  const hash = (bytes: number, byte: number) => Buffer.alloc(bytes, byte).toString('base64');
  const text = (release: string, one: number, other: number) =>
    `load('/${release}/a.js','sha256-${hash(32, one)}');again('sha256-${hash(32, one)}','sha384-${hash(48, other)}')`;
  const fixed = withoutHashes(text('0.1.0-0123456789ab', 1, 2), '0.1.0-0123456789ab');
  expect(fixed).toBe(withoutHashes(text('12.0.0-ba9876543210', 3, 4), '12.0.0-ba9876543210'));
  expect(fixed).toHaveLength(text('1.0.0-0123456789ab', 1, 2).length);
  const [first, again, last] = fixed.match(/sha\d+-[^']+/g) ?? [];
  expect(again).toBe(first);
  expect(last).not.toContain(first?.slice(7, 20));
});

it('fails if a part of the budget is not measured', () => {
  expect(() => compare({ a: { what: 'a', measured: 1, aim: 1 } }, { b: 1 })).toThrow('has a');
});

it('attributes each character to its source, across lines and unmapped gaps', () => {
  // "aaa" from the first source, "bb" from the second, "!" from none; "cccc" in the next line from the first.
  const map = { sources: ['../src/frame/a.ts', '/x/node_modules/@b/c/d.js'], mappings: 'AAAA,GCAA,E;ADAA' };
  expect(charactersBySource('aaabb!\ncccc', map)).toEqual([
    ['src/frame/a.ts', 7],
    ['@b/c', 2],
    ['tables and the bundler', 1],
  ]);
});
