/** Holds a few rules of plain English: comments and docs avoid constructions that an engineer would not say. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Paths below a folder, in it and in the folders below it. */
const filesIn = (folder: string, name: RegExp): readonly string[] =>
  readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => name.test(path) && !path.includes('/node_modules/'));

/** The words, and what to say. */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/\bin place of\b/, '"instead of"'],
  [/(?<!`)\banew\b(?!`)/, '"again", or a verb such as "restart"'],
  [/\bthereby\b/, 'two sentences'],
  [/\bhas the say\b/, '"decides" or "wins"'],
  [/\bhears? of\b/, '"receives" or "learns"'],
];

/** The beginning of a comment that makes a reader wait for the verb. */
const SLOW = /^\s*(?:\/\*\*|\/\/) (Whether) /;

const COMMENT = /^\s*(?:\/\*\*|\*|\/\/)/;

const wordsIn = (text: string): readonly string[] =>
  INSTEAD.flatMap(([word, better]) => {
    const [found] = word.exec(text) ?? [];
    return found ? [`"${found}": say ${better}`] : [];
  });

/** Problems of a source's comments, each with its line number. */
const inComments = (source: string): readonly string[] =>
  source.split('\n').flatMap((line, index) => {
    if (!COMMENT.test(line)) return [];
    const slow = SLOW.test(line) ? ['"Whether …": say "True if …" or "Returns true if …"'] : [];
    return [...wordsIn(line), ...slow].map((problem) => `${index + 1}: ${problem}`);
  });

describe('plain English', () => {
  it('is used in comments', () => {
    const files = ['src', 'e2e'].flatMap((folder) => filesIn(folder, /\.(ts|tsx|mjs)$/));
    expect(files.length).toBeGreaterThan(900);
    const found = files.flatMap((file) =>
      inComments(readFileSync(root + file, 'utf8')).map((problem) => `${file}:${problem}`),
    );
    expect(found).toEqual([]);
  });

  it('is used in the docs', () => {
    const files = [
      ...filesIn('docs', /\.md$/),
      'README.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'CHANGELOG.md',
    ];
    expect(files.length).toBeGreaterThan(20);
    const found = files.flatMap((file) =>
      wordsIn(readFileSync(root + file, 'utf8')).map((problem) => `${file}: ${problem}`),
    );
    expect(found).toEqual([]);
  });

  it.each([
    ['/** Whether it is open. */', 1],
    ['  // Written anew in place of the first.', 2],
    ['const anew = 1; // the name of a field', 0],
    ['/** True if it is open. With `anew`, for another intent. */', 0],
  ])('finds in %s: %i', (source, count) => {
    expect(inComments(source)).toHaveLength(count);
  });
});
