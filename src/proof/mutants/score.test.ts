/** The list of equivalent mutants, and the score it enters into. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AREAS } from './current-area.ts';
import equivalents from './equivalents.json' with { type: 'json' };
import { type Equivalent, type Report, scoreOf } from './score.mjs';

const LIST: readonly Equivalent[] = equivalents;

const SOURCE = 'const isLate = (a: number) =>\n  a > 3;\n';
const reportOf = (...statuses: readonly string[]): Report => ({
  files: {
    'src/late.ts': {
      source: SOURCE,
      mutants: statuses.map((status) => ({
        location: { start: { line: 2, column: 3 }, end: { line: 2, column: 8 } },
        mutatorName: 'EqualityOperator',
        replacement: 'a >= 3',
        status,
      })),
    },
  },
});
const KNOWN: Equivalent = {
  file: 'src/late.ts',
  line: 'a > 3;',
  mutator: 'EqualityOperator',
  original: 'a > 3',
  replacement: 'a >= 3',
  reason: 'for this test',
};

describe('the score of a report', () => {
  it('is the share of the covered mutants that were killed; a mutant that never ends counts as killed', () => {
    expect(scoreOf(reportOf('Killed', 'Timeout', 'Killed', 'Survived', 'NoCoverage', 'Ignored'), [])).toEqual(
      {
        killed: 3,
        equivalent: 0,
        survived: [expect.objectContaining({ at: 'src/late.ts:2:3', original: 'a > 3' })],
        notCovered: [expect.objectContaining({ at: 'src/late.ts:2:3' })],
        ignored: 1,
        stale: [],
        score: 0.75,
      },
    );
  });

  it('leaves out a survivor that is listed as equivalent', () => {
    expect(scoreOf(reportOf('Killed', 'Survived'), [KNOWN])).toMatchObject({
      equivalent: 1,
      survived: [],
      stale: [],
      score: 1,
    });
  });

  it.each([
    { file: 'src/later.ts' },
    { line: 'a > 4;' },
    { mutator: 'BlockStatement' },
    { original: 'a' },
    { replacement: 'a < 3' },
  ])('counts a survivor that differs from the list in %o', (different) => {
    expect(scoreOf(reportOf('Survived'), [{ ...KNOWN, ...different }])).toMatchObject({
      equivalent: 0,
      score: 0,
    });
  });

  it('lists entries that no longer survive, among the files of the report', () => {
    const other = { ...KNOWN, file: 'src/later.ts' };
    expect(scoreOf(reportOf('Killed'), [KNOWN, other]).stale).toEqual([KNOWN]);
  });
});

describe('the list of equivalent mutants', () => {
  it('gives each mutant a reason, and lists none twice', () => {
    for (const { reason } of LIST) expect(reason).toMatch(/^.{20,}\.$/);
    const keys = LIST.map(({ reason, ...mutant }) => JSON.stringify(mutant));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('quotes code that still exists, exactly as in the file', () => {
    const gone = LIST.filter(({ file, line, original }) => {
      const source = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
      const lines = source.split('\n').map((one) => one.trim());
      return !lines.includes(line) || !source.replace(/\s+/g, ' ').includes(original);
    });
    expect(gone).toEqual([]);
  });
});

describe('the areas', () => {
  it.each(Object.entries(AREAS))('%s: its files and tests exist', (_, { mutate, tests, slowFiles }) => {
    for (const path of [...mutate, ...tests, ...slowFiles]) {
      const name = path.replace(/^!/, '').replace(/\/\*(\.test)?\.ts$/, '');
      expect(() => readFileSync(new URL(`../../../${name}`, import.meta.url))).not.toThrow(/ENOENT/);
    }
  });
});
