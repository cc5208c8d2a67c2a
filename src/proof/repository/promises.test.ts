/** docs/promises.md names, for each promise about the form, the tests that hold it. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../architecture/imports.ts';
import { citationsIn, numberedLines, readPage } from './citations.fixture.ts';

type Holding = { promise: string; tests: readonly string[] };

/** The rows of the promises table, and the tests that hold them. */
const holdingsIn = (markdown: string): readonly Holding[] =>
  [...markdown.matchAll(/^\| [^|]*\((\d\.\d+)\) \| (`.*`) \|$/gm)].map(([, promise = '', tests = '']) => ({
    promise,
    tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
  }));

/** Sections 1 and 2; the others lead to other pages, or name the command that prints a figure. */
const promisesIn = (markdown: string): readonly string[] =>
  numberedLines(markdown).flatMap(({ number }) => (/^[12]\.\d+$/.test(number) ? [number] : []));

/** Promises held by no test, and tests that are missing or don't say which promise they hold. */
const problemsIn = (markdown: string): readonly string[] => {
  const holdings = holdingsIn(markdown);
  const unheld = promisesIn(markdown).filter((number) => !holdings.some(({ promise }) => promise === number));
  return [
    ...unheld.map((number) => `no test holds ${number}`),
    ...holdings.flatMap(({ promise, tests }) =>
      tests.flatMap((path) => {
        if (!existsSync(ROOT + path)) return [`${promise}: there is no ${path}`];
        const cites = citationsIn(readFileSync(ROOT + path, 'utf8')).some(
          ({ page, number }) => page === 'promises' && number === promise,
        );
        return cites ? [] : [`${promise}: ${path} does not cite it`];
      }),
    ),
  ];
};

describe('every promise names a test that holds it', () => {
  const markdown = readPage('promises');

  it('and the test cites the promise', () => {
    expect(problemsIn(markdown)).toEqual([]);
    expect(promisesIn(markdown).length).toBeGreaterThan(15);
  });

  it.each<[string, string, string]>([
    ['a promise without a test', '**1.1 One.** Text.', 'no test holds 1.1'],
    ['a test that is gone', '| One (1.1) | `src/gone.test.ts` |', '1.1: there is no src/gone.test.ts'],
    [
      'a test of something else',
      '| Keys (2.8) | `src/form/card/caret.test.ts` |',
      '2.8: src/form/card/caret.test.ts does not cite it',
    ],
  ])('finds %s', (_, text, problem) => {
    expect(problemsIn(text)).toEqual([problem]);
  });
});
