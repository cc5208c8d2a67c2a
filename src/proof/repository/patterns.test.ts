/**
 * Regular expressions with superlinear running time let a few kilobytes stop a server or a checkout. scslre finds them
 * by analysing their automata; each is also run against 100 kB of its slowest input.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { analyse } from 'scslre';
import { parseSync, Visitor } from 'vite';
import { expect, it } from 'vitest';
import { PATH_SEGMENT } from '../../api/served/headers.ts';
import { CLIENT_SECRET, PUBLISHABLE_KEY } from '../../form/channel/protocol.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

type Pattern = { where: string; source: string; flags: string };

/** The regular expressions in a source. */
const patternsIn = (path: string, text: string): Pattern[] => {
  const found: Pattern[] = [];
  new Visitor({
    Literal(node) {
      if ('regex' in node) found.push({ where: path, source: node.regex.pattern, flags: node.regex.flags });
    },
  }).visit(parseSync(path, text).program);
  return found;
};

/** The product's patterns, including those built from constants. */
const patterns = (): readonly Pattern[] => [
  ...readdirSync(`${ROOT}src`, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && !/\.(test|fixture)\.|^(build|proof)\//.test(path))
    .flatMap((path) => patternsIn(`src/${path}`, readFileSync(`${ROOT}src/${path}`, 'utf8'))),
  { where: 'PATH_SEGMENT', source: PATH_SEGMENT, flags: '' },
  { where: 'CLIENT_SECRET', source: CLIENT_SECRET, flags: '' },
  { where: 'PUBLISHABLE_KEY', source: PUBLISHABLE_KEY, flags: '' },
];

/** scslre's reports on a pattern: none if its time is at most linear in the length of its input. */
const faultsOf = ({ source, flags }: Pattern): readonly string[] =>
  analyse({ source, flags }, { reportTypes: { Move: true, Self: true, Trade: true } }).reports.map(
    ({ type }) => type,
  );

const LENGTH = 100_000;
/** In ms. A linear pattern takes one or two; a quadratic one many seconds. */
const LONGEST = 1000;

/** Long runs of characters that the pattern names, and of other kinds, each with an end that matches nothing. */
const hostileTo = ({ source }: Pattern): readonly string[] => {
  const named = source.replace(/\\.|[^\p{L}\p{N}@.=/+-]/gu, '').slice(0, 6);
  return [...new Set(['a', 'A', '0', ' ', '.', '-', ...named])].map((one) => `${one.repeat(LENGTH)}\u0000`);
};

const isSlow = (pattern: Pattern): boolean =>
  hostileTo(pattern).some((text) => {
    const expression = new RegExp(pattern.source, pattern.flags);
    const start = performance.now();
    if (expression.global) text.replace(expression, '');
    else expression.test(text);
    return performance.now() - start > LONGEST;
  });

it('every pattern takes linear time at most, by its automaton', () => {
  const all = patterns();
  expect(all.length).toBeGreaterThan(200);
  const faulty = all
    .map((one) => ({ ...one, faults: faultsOf(one) }))
    .filter(({ faults }) => faults.length > 0);
  expect(faulty).toEqual([]);
});

it('no pattern takes a second for 100 kB of hostile input', { timeout: 120_000 }, () => {
  expect(patterns().filter(isSlow)).toEqual([]);
});

it('finds a pattern that is searched from each character of a word', () => {
  expect(patternsIn('a.ts', 'export const EMAIL = /[\\w.+-]+@[\\w-]+/;').map(faultsOf)).toEqual([['Move']]);
});
