import { expect, test } from 'playwright/test';
import { median, quantile, randomOf, shuffled, summarise } from './statistics.ts';

test('the median is the middle value, or halfway between the two middle ones, in any order', {
  tag: '@thorough',
}, () => {
  expect(median([30, 10, 20])).toBe(20);
  expect(median([40, 10, 20, 30])).toBe(25);
  expect(median([7])).toBe(7);
  expect(median([9, 10, 100])).toBe(10); // as numbers, not as words
});

test('a quantile is interpolated between two values', { tag: '@thorough' }, () => {
  const upToHundred = Array.from({ length: 101 }, (_, at) => 100 - at);
  expect(quantile(upToHundred, 0.95)).toBe(95);
  expect(quantile([10, 20], 0.25)).toBe(12.5);
  expect(quantile([10, 20], 0)).toBe(10);
  expect(quantile([10, 20], 1)).toBe(20);
  expect(() => quantile([1], 95)).toThrow('from 0 to 1; got 95');
});

test('the spread is the least and the largest value; values that are not finite do not count', {
  tag: '@thorough',
}, () => {
  expect(summarise([3, Number.NaN, 1, 2])).toEqual({ median: 2, least: 1, most: 3, count: 3 });
  expect(() => summarise([Number.NaN])).toThrow('no number');
});

test('the same seed gives the same order, another seed another; none is lost or favoured', {
  tag: '@thorough',
}, () => {
  const names = ['a', 'b', 'c', 'd'];
  expect(shuffled(names, randomOf(1))).toEqual(shuffled(names, randomOf(1)));
  expect([...shuffled(names, randomOf(2))].sort()).toEqual(names);
  const random = randomOf(3);
  const first = new Map(names.map((name) => [name, 0]));
  for (let round = 0; round < 4000; round += 1) {
    const [name = ''] = shuffled(names, random);
    first.set(name, (first.get(name) ?? 0) + 1);
  }
  for (const times of first.values()) expect(Math.abs(times - 1000)).toBeLessThan(150);
  expect(names).toEqual(['a', 'b', 'c', 'd']);
});
