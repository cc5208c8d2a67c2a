/**
 * README.md, taken apart for the tests that hold it to the product: src/readme.test.ts and readme.spec.ts. Knows
 * Markdown as far as that file uses it.
 */
import { readFileSync } from 'node:fs';

/** A block of code. Its name is the heading above it, its language, and a number from the second such on. */
export type Block = { name: string; language: string; code: string };

/** A table, by the heading above it; cells are trimmed. */
export type Table = { heading: string; head: readonly string[]; rows: readonly (readonly string[])[] };

export const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/**
 * What holds each block. One that is not here, or no longer there, fails a test.
 *
 * - `run`, `shell`, `copy`, `compile`: src/readme.test.ts runs it against the sandbox, tries its commands, compares it
 *   with the file that it is a copy of, or compiles it.
 * - `browser`: readme.spec.ts loads it in Chromium.
 * - `nginx`: hosting.ts starts it.
 */
export const HELD = {
  'Card form: sh': 'shell',
  '1. The sandbox: sh': 'shell',
  '1. The sandbox: ini': 'run',
  '2. Your server: js': 'run',
  '2. Your server: sh': 'run',
  'A script tag: html': 'browser',
  'No code: html': 'browser',
  'No code: html 2': 'browser',
  'npm, any framework: ts': 'compile',
  'React: tsx': 'copy',
  'React: tsx 2': 'compile',
  'React: ts': 'compile',
  'Vue: ts': 'copy',
  'Vue: vue': 'compile',
  'Svelte: ts': 'copy',
  'Svelte: svelte': 'compile',
  'The iframe in your HTML: faster: html': 'browser',
  'The iframe in your HTML: faster: ts': 'compile',
  'Appearance: js': 'compile',
  'Webhooks: js': 'run',
  'Webhooks: sh': 'run',
  'Another intent for the same order: ts': 'compile',
  'Content security policy: text': 'browser',
  'Moving, signed or pinned: html': 'browser',
  'Staying with one release: html': 'browser',
  'Staying with one release: ts': 'compile',
  'With Playwright: ts': 'compile',
  'Your server without a network: ts': 'compile',
  'Hosting: nginx': 'nginx',
  'The three routes: sh': 'shell',
  'Control routes: sh': 'shell',
} as const;

/** The names of the blocks that are held in this way. */
export type HeldBy<How> = {
  [Name in keyof typeof HELD]: (typeof HELD)[Name] extends How ? Name : never;
}[keyof typeof HELD];

/** Every block of a text, in order. */
export const blocksIn = (text: string): readonly Block[] => {
  const blocks: Block[] = [];
  const seen = new Map<string, number>();
  let heading = '';
  let open: { language: string; lines: string[] } | null = null;
  for (const line of text.split('\n')) {
    if (open) {
      if (line !== '```') {
        open.lines.push(line);
        continue;
      }
      const named = `${heading}: ${open.language}`;
      const count = (seen.get(named) ?? 0) + 1;
      seen.set(named, count);
      const name = count === 1 ? named : `${named} ${count}`;
      blocks.push({ name, language: open.language, code: `${open.lines.join('\n')}\n` });
      open = null;
    } else if (line.startsWith('```')) open = { language: line.slice(3) || 'text', lines: [] };
    else heading = /^#+ (.+)$/.exec(line)?.[1] ?? heading;
  }
  if (open) throw new Error(`The last block of code below "${heading}" has no end.`);
  return blocks;
};

/** Every table of a text, in order. */
export const tablesIn = (text: string): readonly Table[] => {
  const tables: { heading: string; head: readonly string[]; rows: string[][] }[] = [];
  let heading = '';
  let before = '';
  for (const line of text.replace(/^```[\s\S]*?^```$/gm, '').split('\n')) {
    heading = /^#+ (.+)$/.exec(line)?.[1] ?? heading;
    const cells = cellsOf(line);
    if (cells && !cellsOf(before)) tables.push({ heading, head: cells, rows: [] });
    else if (cells && !cells.every((cell) => /^-+$/.test(cell))) tables.at(-1)?.rows.push(cells);
    before = line;
  }
  return tables;
};

const cellsOf = (line: string): string[] | null =>
  line.startsWith('| ')
    ? line
        .replace(/^\| | ?\|$/g, '')
        .split(/ ?(?<!\\)\| ?/)
        .map((cell) => cell.replaceAll('\\|', '|').trim())
    : null;

/** What stands in backticks in a cell. */
export const codesIn = (cell: string): readonly string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** The code of the block of this name. */
export const block = (name: string): string => {
  const found = blocksIn(README).find((one) => one.name === name);
  if (!found) throw new Error(`README.md has no block "${name}".`);
  return found.code;
};
