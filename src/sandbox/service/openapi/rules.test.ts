/**
 * Checks that the titles of tests name each rule of the service (docs/contract.md, S1 to S18) and each named row of its
 * tables.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'vite';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../proof/architecture/imports.ts';
import {
  citationsIn,
  namedRows,
  numberedLines,
  readPage,
} from '../../../proof/repository/citations.fixture.ts';

/** Rules that no test of the sandbox can verify. */
const UNTESTED: readonly string[] = [
  'S8.5', // not shown in the API description; our choice is contract 3.3
  'S8.9', // not shown in the API description; our choices are contract 3
  'S16.4', // what a client may repeat: outcomes 2.6
];

/** `S7.4` for a rule, `S3.1: id` for a row. */
const required = (): readonly string[] => {
  const markdown = readPage('contract');
  const rows = namedRows(markdown);
  return numberedLines(markdown)
    .map(({ number }) => number)
    .filter((number) => /^S\d+\.\d+$/.test(number) && !UNTESTED.includes(number))
    .flatMap((number) => rows.get(number)?.map((row) => `${number}: ${row}`) ?? [number]);
};

/** All strings in the tests that can be (part of) a title of a test, a group, or a row of a table. */
const titles = ['src', 'e2e'].flatMap((folder) =>
  readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(test|spec)\.tsx?$/.test(name))
    .flatMap((name) => {
      const found: string[] = [];
      const take = (value: unknown) => {
        if (typeof value === 'string' && value.includes('contract ')) found.push(value);
      };
      new Visitor({
        Literal: ({ value }) => take(value),
        TemplateElement: ({ value }) => take(value.cooked),
      }).visit(parseSync(name, readFileSync(`${ROOT}${folder}/${name}`, 'utf8')).program);
      return found;
    }),
);

const cites = (title: string, rule: string): boolean => {
  const [number = '', row] = rule.split(': ');
  if (!citationsIn(title).some((citation) => citation.page === 'contract' && citation.number === number))
    return false;
  if (row === undefined) return true;
  // `amount_total` does not cite `amount`.
  const at = title.indexOf(`${rule}`);
  return at >= 0 && !/^[\w.]/.test(title.slice(at + rule.length));
};

const uncited = (all: readonly string[]): readonly string[] =>
  required().filter((rule) => !all.some((title) => cites(title, rule)));

describe('threat-model C69: the rules of the service', () => {
  it('each have a test whose title cites them', () => {
    expect(required().length).toBeGreaterThan(180);
    expect(uncited(titles)).toEqual([]);
  });

  it('a rule without a test is found', () => {
    expect(uncited(['contract S11.2', 'contract S3.1: amount_total'])).toEqual(
      expect.arrayContaining(['S11.1', 'S3.1: amount']),
    );
    expect(uncited(['contract S11.1 and S11.2'])).not.toContain('S11.1');
  });
});
