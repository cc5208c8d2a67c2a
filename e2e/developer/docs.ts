/**
 * Parses the documentation for the tests that check it against the product: src/proof/repository/docs.test.ts and
 * docs.spec.ts. It knows only the Markdown that these files use.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** A Markdown file of the project. `name` is its file name without the extension, such as `quick-start`. */
export type Page = { name: string; path: string; text: string };

/**
 * A block of code, named `<page>: <heading above it>: <language>`, with a number from the second one of the same name
 * on.
 */
export type Block = { name: string; language: string; code: string };

/** A table, identified by its page and the heading above it. Cells are trimmed. */
export type Table = {
  page: string;
  heading: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
};

const root = new URL('../../', import.meta.url);

const pathsIn = (folder: string): readonly string[] =>
  readdirSync(new URL(folder, root))
    .filter((file) => file.endsWith('.md'))
    .map((file) => folder.slice('./'.length) + file)
    .sort();

/** Every Markdown file at the top level and in docs/. */
export const PAGES: readonly Page[] = [...pathsIn('./'), ...pathsIn('./docs/')].map((path) => ({
  name: path.replace(/^docs\/|\.md$/g, ''),
  path,
  text: readFileSync(new URL(path, root), 'utf8'),
}));

/** Returns the page of this name. */
export const page = (name: string): Page => {
  const found = PAGES.find((one) => one.name === name);
  if (!found) throw new Error(`There is no page "${name}".`);
  return found;
};

/**
 * The test that covers each block. A block that is not listed here, or no longer exists, fails a test.
 *
 * - `run`, `shell`, `copy`, `compile`: src/proof/repository/docs.test.ts runs it against the sandbox, tries its commands,
 *   compares it with its original, or compiles it.
 * - `language`: src/proof/repository/languages.test.ts runs it, if its interpreter is installed.
 * - `browser`: docs.spec.ts loads it in Chromium.
 * - `generator`: e2e/frameworks/generators.spec.ts builds it in a project from a framework's generator, or jest.spec.ts
 *   in the same folder runs it.
 * - `app`: apps.spec.ts loads it in Chromium, with the interface of a WebView.
 * - `server`: hosting.ts starts a web server with it.
 * - `image`: src/proof/repository/images.test.ts compares its names with the files that build an image.
 * - `program`: src/cli/cli.test.ts runs its commands with the built program.
 */
export const HELD = {
  'README: Card form: html': 'browser',
  'README: Card form: sh': 'shell',
  'README: From nothing to a paid payment: js': 'run',
  'quick-start: 1. Start the sandbox: sh': 'shell',
  'quick-start: 1. Start the sandbox: ini': 'run',
  'quick-start: 2. Write the server: js': 'run',
  'quick-start: 2. Write the server: sh': 'run',
  'quick-start: 3. Write the page: html': 'browser',
  'quick-start: As a component: tsx': 'compile',
  'quick-start: Show the form sooner: html': 'browser',
  'quick-start: Show the form sooner: ts': 'compile',
  'reference: A Pay button of your own: js': 'compile',
  'reference: The page after the payment: js': 'compile',
  'reference: The page after the payment: js 2': 'compile',
  'no-code: Forms without code: html': 'browser',
  'no-code: Inside your own form: html': 'browser',
  'apps: Your page on your server: html': 'app',
  'apps: Pages inside the app: sh': 'shell',
  'frameworks: npm, any framework: ts': 'compile',
  'frameworks: React: tsx': 'compile',
  'frameworks: React: ts': 'compile',
  'frameworks: React: tsx 2': 'compile',
  'frameworks: Next.js: ini': 'generator',
  'frameworks: Next.js: tsx': 'compile',
  'frameworks: Next.js: tsx 2': 'compile',
  'frameworks: Next.js: tsx 3': 'compile',
  'frameworks: Vue: vue': 'compile',
  'frameworks: Svelte: svelte': 'compile',
  'frameworks: Angular: ts': 'generator',
  'frameworks: Solid: tsx': 'generator',
  'frameworks: Lit: ts': 'generator',
  'frameworks: The element in templates: ts': 'compile',
  'reference: Diagnostics: json': 'run',
  'appearance: Appearance: js': 'compile',
  'appearance: Your own fonts: js': 'compile',
  'reference: Address suggestions: js': 'compile',
  'appearance: Themes: ts': 'compile',
  'appearance: Like your own fields: js': 'compile',
  'appearance: Styles by state: js': 'compile',
  'appearance: Values: js': 'compile',
  'going-live: Webhooks: js': 'run',
  'going-live: Webhooks: sh': 'run',
  'going-live: A new intent for the same order: ts': 'compile',
  'going-live: Your word before a payment: ts': 'compile',
  'going-live: Content security policy: text': 'browser',
  'going-live: Watch it in production: ts': 'compile',
  'going-live: Watch it in production: ts 2': 'compile',
  'going-live: Moving, signed or pinned: html': 'browser',
  'going-live: Pin one release: html': 'browser',
  'going-live: Pin one release: ts': 'compile',
  'testing: With Playwright: ts': 'compile',
  'testing: With Playwright: ts 2': 'compile',
  'testing: With Cypress: js': 'browser',
  'testing: Your components in happy-dom or jsdom: js': 'run',
  'testing: Your components in happy-dom or jsdom: js 2': 'run',
  'testing: Your components in happy-dom or jsdom: js 3': 'generator',
  'testing: Your server in Vitest: js': 'run',
  'testing: Your server in Vitest: js 2': 'run',
  'testing: Your server in Vitest: ts': 'compile',
  'testing: Your server through every fault: js': 'run',
  'testing: Your server through every fault: js 2': 'run',
  'testing: Screenshots: ts': 'compile',
  'server: The client: ts': 'compile',
  'server: Errors: ts': 'compile',
  'server: Lists: ts': 'compile',
  'server: Webhooks with the client: ts': 'compile',
  'server: Python: python': 'language',
  'server: PHP: php': 'language',
  'hosting: With nginx: nginx': 'server',
  'hosting: With Caddy: caddyfile': 'server',
  'hosting: As a container: text': 'image',
  'hosting: Check what browsers get: sh': 'shell',
  'hosting: A browser on a schedule: sh': 'shell',
  'hosting: A browser on a schedule: text': 'shell',
  'hosting: The three routes: sh': 'shell',
  'hosting: The server routes: sh': 'shell',
  'hosting: Releases: sh': 'shell',
  'hosting: Rolling out by share: nginx': 'server',
  'hosting: Rolling out by share: sh': 'shell',
  'hosting: Violation reports: sh': 'shell',
  'sandbox: From a container or another machine: yaml': 'program',
  'sandbox: From a container or another machine: yaml 2': 'program',
  'sandbox: From a container or another machine: yaml 3': 'image',
  'sandbox: Faults: sh': 'shell',
  'sandbox: Make it happen, and listen: sh': 'shell',
  'contract: 3. Client routes: text': 'run',
  'SECURITY: What the merchant must do: text': 'copy',
  'CONTRIBUTING: Contributing: sh': 'shell',
  'ACCESSIBILITY: Accessibility: sh': 'shell',
} as const;

/** The names of the blocks that are tested in this way. */
export type HeldBy<How> = {
  [Name in keyof typeof HELD]: (typeof HELD)[Name] extends How ? Name : never;
}[keyof typeof HELD];

/** Every block of a page, in order. A block in a list keeps the list's indentation. */
export const blocksIn = ({ name: page, text }: Page): readonly Block[] => {
  const blocks: Block[] = [];
  const seen = new Map<string, number>();
  let heading = '';
  let open: { language: string; indent: string; lines: string[] } | null = null;
  for (const line of text.split('\n')) {
    if (open) {
      if (line !== `${open.indent}\`\`\``) {
        open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
        continue;
      }
      const named = `${page}: ${heading}: ${open.language}`;
      const count = (seen.get(named) ?? 0) + 1;
      seen.set(named, count);
      const name = count === 1 ? named : `${named} ${count}`;
      blocks.push({ name, language: open.language, code: `${open.lines.join('\n')}\n` });
      open = null;
      continue;
    }
    const [, indent, language] = /^( *)```(.*)$/.exec(line) ?? [];
    if (indent !== undefined) open = { language: language || 'text', indent, lines: [] };
    else heading = /^#+ (.+)$/.exec(line)?.[1] ?? heading;
  }
  if (open) throw new Error(`The last block of code below "${heading}" of ${page} has no end.`);
  return blocks;
};

/** A page's text without its blocks of code. */
export const proseOf = ({ text }: Page): string => text.replace(/^( *)```[\s\S]*?^\1```$/gm, '');

/** Every table of a page, in order. */
export const tablesIn = (page: Page): readonly Table[] => {
  const tables: { page: string; heading: string; head: readonly string[]; rows: string[][] }[] = [];
  let heading = '';
  let before = '';
  for (const line of proseOf(page).split('\n')) {
    heading = /^#+ (.+)$/.exec(line)?.[1] ?? heading;
    const cells = cellsOf(line);
    if (cells && !cellsOf(before)) tables.push({ page: page.name, heading, head: cells, rows: [] });
    else if (cells && !cells.every((cell) => /^-+:?$/.test(cell))) tables.at(-1)?.rows.push(cells);
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

/** The texts in backticks of a cell. */
export const codesIn = (cell: string): readonly string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** Every block of every page. */
export const BLOCKS: readonly Block[] = PAGES.flatMap(blocksIn);

/** The code of the block of this name. */
export const block = (name: string): string => {
  const found = BLOCKS.find((one) => one.name === name);
  if (!found) throw new Error(`No page has the block "${name}".`);
  return found.code;
};

/** The headings of a page, in order, without their marks. */
export const headingsIn = (page: Page): readonly string[] =>
  [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);

/** The target of each link or picture of a page. */
export const linksIn = (page: Page): readonly string[] =>
  [...proseOf(page).matchAll(/\]\(([^)\s]+)\)|<img src="([^"]+)"/g)].map(([, link, src = '']) => link ?? src);
