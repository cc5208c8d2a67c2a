/** The pages whose numbered lines are cited by code and tests, and the parser for citations. For tests. */
import { readdirSync, readFileSync } from 'node:fs';

import { ROOT } from '../architecture/imports.ts';

/** Cited as `contract 3.2`, `outcomes I3` and so on; each is `docs/<page>.md`. */
export const CITED_PAGES = ['contract', 'outcomes', 'threat-model', 'promises'] as const;
export type CitedPage = (typeof CITED_PAGES)[number];

export const readPage = (page: CitedPage): string => readFileSync(`${ROOT}docs/${page}.md`, 'utf8');

/** `3`, `3.2`, `S16.1`, `I3`. */
const NUMBER = '[A-Z]?\\d+(?:\\.\\d+)*';

const HEADING = new RegExp(`^#{2,3} (${NUMBER})\\.?(?: (.*))?$`);
const RULE = new RegExp(`^(?:- )?\\*\\*(${NUMBER})(?: ([^*]*))?\\*\\*`);
const ROW = new RegExp(`^\\| (${NUMBER}) \\|([^|]*)\\|`);

/** A heading (`## 3. Title`), a rule (`**3.2 Title.** …`) or a row (`| S17.3 | title | …`), in page order. */
export type NumberedLine = { number: string; title: string };

export const numberedLines = (markdown: string): readonly NumberedLine[] =>
  markdown.split('\n').flatMap((line) => {
    const found = HEADING.exec(line) ?? RULE.exec(line) ?? ROW.exec(line);
    return found?.[1] ? [{ number: found[1], title: (found[2] ?? '').trim() }] : [];
  });

/** The named rows of the tables below each number: `S3.1` has `id`, `object`, … */
export const namedRows = (markdown: string): ReadonlyMap<string, readonly string[]> => {
  const rows = new Map<string, string[]>();
  let number = '';
  for (const line of markdown.split('\n')) {
    number = (HEADING.exec(line) ?? RULE.exec(line))?.[1] ?? number;
    const name = /^\| `([^`|]+)` \|/.exec(line)?.[1];
    if (name) rows.set(number, [...(rows.get(number) ?? []), name]);
  }
  return rows;
};

export type Citation = { page: CitedPage; number: string };

const CITATION = new RegExp(
  `\\b(${CITED_PAGES.join('|')})((?:,? (?:and |to )?${NUMBER}(?![\\w%]|\\.\\d))+)`,
  'g',
);

/** Comments are wrapped, so a citation may continue after a line break. */
const unwrapped = (text: string): string => text.replace(/\n\s*(?:\*(?!\/) ?|\/\/ ?)?/g, ' ');

/** Expands `S6.1 to S6.3` to S6.1, S6.2 and S6.3. */
const rangeOf = (first: string, last: string): readonly string[] => {
  const [, stem = '', from = ''] = /^(.*?)(\d+)$/.exec(first) ?? [];
  const to = last.startsWith(stem) ? Number(last.slice(stem.length)) : Number.NaN;
  if (!(to >= Number(from))) return [first, last];
  return Array.from({ length: to - Number(from) + 1 }, (_, at) => `${stem}${Number(from) + at}`);
};

/** Every citation in a text, with lists (`contract 3.1, 3.3 and S9.2`) and ranges expanded. */
export const citationsIn = (text: string): readonly Citation[] =>
  [...unwrapped(text).matchAll(CITATION)].flatMap(([, name, list = '']) => {
    const page = CITED_PAGES.find((known) => known === name);
    if (!page) return [];
    return [...list.matchAll(new RegExp(`(${NUMBER})(?: to (${NUMBER}))?`, 'g'))]
      .flatMap(([, first = '', last]) => (last === undefined ? [first] : rangeOf(first, last)))
      .map((number) => ({ page, number }));
  });

/** Every file that may contain citations, by path from the root. */
export const citingFiles = (): readonly string[] => [
  ...readdirSync(ROOT).filter((name) => /\.(md|ts|json)$/.test(name) && name !== 'package-lock.json'),
  ...['src', 'e2e', 'docs', 'public'].flatMap((folder) =>
    readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((path) => /\.(tsx?|mjs|js|css|html|md|vue|svelte)$/.test(path)),
  ),
];
