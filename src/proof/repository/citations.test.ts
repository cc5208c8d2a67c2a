/** Every citation such as `contract 3.2` leads to a numbered line with a title in docs/. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openApi } from '../../sandbox/service/openapi/openapi.ts';
import { ROOT } from '../architecture/imports.ts';
import {
  CITED_PAGES,
  type CitedPage,
  citationsIn,
  citingFiles,
  numberedLines,
  readPage,
} from './citations.fixture.ts';

const HERE = 'src/proof/repository/citations.test.ts';

const lines = new Map(CITED_PAGES.map((page) => [page, numberedLines(readPage(page))]));
const numbersOf = (page: CitedPage) => lines.get(page)?.map(({ number }) => number) ?? [];

/** Citations that lead nowhere: pages outside this repository, and issues. */
const FOREIGN: readonly RegExp[] = [
  /\bservice-api\b/,
  /\bsecurity-reliability\b/,
  /\bresearch\b[ ,/]*(?:§ ?)?(?:\d|I\d|performance)/i,
  /\bproduct (?:§ ?)?\d/,
  /\barchitecture (?:§ ?)?\d/,
  /\bchecklist \d/i,
  /\bissue \d/i,
  /\[DOC\]/,
  /(?<!docs\/|\()\bcontract\.md\b/,
];

/** The problems with a text's citations. */
const problemsIn = (text: string): readonly string[] => [
  ...FOREIGN.flatMap((form) => form.exec(text)?.[0] ?? []).map((found) => `"${found}" leads nowhere`),
  ...citationsIn(text)
    .filter(({ page, number }) => !numbersOf(page).includes(number))
    .map(({ page, number }) => `docs/${page}.md has no ${number}`),
];

const texts = (): readonly (readonly [path: string, text: string])[] => [
  ...citingFiles()
    .filter((path) => path !== HERE)
    .map((path) => [path, readFileSync(ROOT + path, 'utf8')] as const),
  ['openapi.json', JSON.stringify(openApi('0.0.0'))],
];

describe('citations', () => {
  it('point to a numbered line in docs/, in every file and in openapi.json', () => {
    const all = texts();
    expect(all.flatMap(([path, text]) => problemsIn(text).map((problem) => `${path}: ${problem}`))).toEqual(
      [],
    );
    expect(all.flatMap(([, text]) => citationsIn(text)).length).toBeGreaterThan(500);
  });

  it.each<[string, readonly string[]]>([
    ['a rule (contract 3.2; contract S16.3, not_found)', []],
    ['contract 3.99', ['docs/contract.md has no 3.99']],
    ['contract 3.1, 3.98 and S99', ['docs/contract.md has no 3.98', 'docs/contract.md has no S99']],
    ['wrapped: (contract\n * 3.97)', ['docs/contract.md has no 3.97']],
    ['contract S6.4 to S6.6', ['docs/contract.md has no S6.6']],
    ['outcomes 2.6 and I12', ['docs/outcomes.md has no I12']],
    ['service-api.md, "Limits"', ['"service-api" leads nowhere']],
    ['issue 13, A1', ['"issue 1" leads nowhere']],
    ['as contract.md says', ['"contract.md" leads nowhere']],
    ['as docs/contract.md says; the product is 7 years old', []],
  ])('%s', (text, problems) => {
    expect(problemsIn(text)).toEqual(problems);
  });
});

describe.each(CITED_PAGES)('docs/%s.md', (page) => {
  it('has each number once, with a title', () => {
    const found = lines.get(page) ?? [];
    const numbers = found.map(({ number }) => number);
    expect(found.length).toBeGreaterThan(10);
    expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
    expect(found.filter(({ title }) => title === '')).toEqual([]);
  });
});

it('each check of docs/threat-model.md is cited by a test that it names', () => {
  const checks = [...readPage('threat-model').matchAll(/^\| (C\d+) \|.*\| (.*) \|$/gm)];
  const uncited = checks.filter(([, check = '', held = '']) => {
    const files = [...held.matchAll(/`((?:src|e2e)\/[^`]+)`/g)].map(([, path = '']) => path);
    return !files.some((path) =>
      citationsIn(readFileSync(ROOT + path, 'utf8')).some(
        ({ page, number }) => page === 'threat-model' && number === check,
      ),
    );
  });
  expect(checks.length).toBeGreaterThan(70);
  expect(uncited.map(([, check]) => check)).toEqual([]);
});

it('finds a number without a title', () => {
  expect(numberedLines('## 4. \n\n**4.1** Text\n\n| 4.2 |  | x |\n\n**4.3 Title.** Text')).toEqual([
    { number: '4', title: '' },
    { number: '4.1', title: '' },
    { number: '4.2', title: '' },
    { number: '4.3', title: 'Title.' },
  ]);
});
