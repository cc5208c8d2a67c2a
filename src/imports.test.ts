/**
 * The walls between the folders (who may import whom), as a test. What a folder must not know it cannot come
 * to know by accident: no schema library on the merchant's page, no DOM in the card rules, no sandbox in the
 * frame.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'vite';
import { describe, expect, it } from 'vitest';

/** What each folder may import besides itself and src/check.ts: folders or files; `type:` by `import type` alone. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'src/card': [],
  'src/address': [],
  'src/i18n': [],
  'src/appearance': [],
  'src/channel': [],
  'src/api': [],
  'src/payment': ['src/api'],
  'src/loader': ['src/channel/protocol.ts', 'type:src/channel/messages.ts'],
  'src/frame': [
    'src/payment',
    'src/api',
    'src/channel',
    'src/card',
    'src/address',
    'src/i18n',
    'src/appearance',
  ],
  'src/hosting': ['src/api/routes.ts'],
  'src/conformance': ['src/api'],
  'src/sandbox': ['src/api', 'src/card', 'src/address', 'src/hosting', 'src/conformance'],
  // A page beside the sandbox, not a part of it: it knows the shapes of what it asks for.
  'src/sandbox/inspector': [
    'type:src/sandbox/overview.ts',
    'type:src/sandbox/journal.ts',
    'type:src/sandbox/deeds.ts',
    'type:src/sandbox/webhook-delivery.ts',
    'type:src/sandbox/webhook-endpoints.ts',
    'type:src/api/schemas.ts',
  ],
  'src/package': ['type:src/loader/types.ts', 'src/loader/unclobbered.ts', 'src/sandbox'],
  // Both sides in one process, for tests; built into nothing.
  'src/loop': [
    'src/api',
    'src/payment',
    'src/frame/view.ts',
    'src/frame/bridge.ts',
    'src/frame/calls.ts',
    'src/frame/secrets.ts',
    'src/frame/tabs.ts',
    'src/frame/turn.ts',
    'type:src/channel/messages.ts',
    'src/sandbox',
  ],
  'src/demo': [],
  e2e: [],
  'src/start.ts': ['src/sandbox', 'src/demo'],
  'src/development.ts': ['src/sandbox', 'src/demo'],
  'src/check.ts': [],
};

/** Exceptions to the above. The sandbox is the other side of the client: it must not share its mistakes. */
const MUST_NOT_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'src/sandbox': ['src/api/client.ts'],
  'src/conformance': ['src/api/client.ts'],
};

/** Folders whose code reaches a page with nothing but itself. */
const NO_PACKAGES: readonly string[] = ['src/loader'];

/** What puts programs together. It is started, never imported. */
const STARTED: readonly string[] = ['src/start.ts', 'src/development.ts'];

/** Folders that stand for somebody else's code; their tests, too, know only what is served. */
const OUTSIDERS: readonly string[] = ['src/demo', 'e2e'];

type Import = { specifier: string; typeOnly: boolean };

/** Every module that a source names, in whatever way. */
const importsOf = (path: string, source: string): { imports: Import[]; defaultExport: boolean } => {
  const { program, errors } = parseSync(path, source);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const imports: Import[] = [];
  let defaultExport = false;
  const add = (specifier: unknown, typeOnly: boolean) =>
    imports.push({ specifier: `${specifier}`, typeOnly });
  new Visitor({
    // `import { type A }` is not `import type`: what is left of it at run time still loads the module.
    ImportDeclaration: (node) => add(node.source.value, node.importKind === 'type'),
    ExportAllDeclaration: (node) => add(node.source.value, node.exportKind === 'type'),
    ExportNamedDeclaration: (node) => {
      if (node.source) add(node.source.value, node.exportKind === 'type');
      for (const { exported } of node.specifiers) {
        if (exported.type === 'Identifier' && exported.name === 'default') defaultExport = true;
      }
    },
    ExportDefaultDeclaration: () => {
      defaultExport = true;
    },
    ImportExpression: ({ source: from }) => add(from.type === 'Literal' ? from.value : '(computed)', false),
    TSImportType: (node) => add(node.source.value, true),
  }).visit(program);
  return { imports, defaultExport };
};

/** The key of the table that a path falls under. */
const placeOf = (path: string): string => {
  if (within(path, INSPECTOR)) return INSPECTOR;
  const [top = '', second] = path.split('/');
  return top === 'src' && second ? `${top}/${second}` : top;
};

const isTest = (path: string) => /\.(test|spec)\.tsx?$/.test(path);
/** The one folder in a folder that has walls of its own. */
const INSPECTOR = 'src/sandbox/inspector';

const within = (path: string, place: string) => path === place || path.startsWith(`${place}/`);

/** What is wrong with one import, or null. */
const problemOf = (path: string, { specifier, typeOnly }: Import): string | null => {
  const place = placeOf(path);
  if (!/^\.{1,2}\//.test(specifier)) {
    // The loader's second file lies beside it, at an address that only a page knows.
    if (specifier === '(computed)' && path === 'src/loader/import-verified.ts') return null;
    if (specifier === '(computed)') return 'imports what cannot be read here';
    if (/^(src|e2e)\/|^[/#~]|^@\//.test(specifier)) return `imports ${specifier}, which is no relative path`;
    if (NO_PACKAGES.includes(place) && !isTest(path)) return `imports the package ${specifier}`;
    return null;
  }
  const target = new URL(specifier.replace(/\?.*$/, ''), `file:///${path}`).pathname.slice(1);
  if (!/\.(ts|tsx|mjs|css|json|html|svg|vue|svelte)$/.test(target))
    return `imports ${specifier} without its extension`;
  if (STARTED.includes(target)) return `imports ${target}, which is only ever started`;
  if (isTest(target)) return `imports the test ${target}`;
  const home = placeOf(target);
  if (home === place) return null;
  if (OUTSIDERS.includes(place)) return `imports ${target}, but may know only what is served`;
  if (target === 'src/check.ts' || isTest(path)) return null; // a test may use what it tests with
  if ((MUST_NOT_IMPORT[place] ?? []).some((forbidden) => within(target, forbidden)))
    return `imports ${target}`;
  const allowed = MAY_IMPORT[place];
  if (!allowed) return `is in ${place}, which the table does not know`;
  if (allowed.some((known) => within(target, known))) return null;
  if (allowed.includes(`type:${target}`)) return typeOnly ? null : `imports ${target} not by "import type"`;
  return `imports ${target}`;
};

/** A way from a folder through others back to it, or null. */
const cycleIn = (edges: ReadonlyMap<string, ReadonlySet<string>>): string | null => {
  const done = new Set<string>();
  const walk = (place: string, way: readonly string[]): string | null => {
    if (way.includes(place)) return [...way.slice(way.indexOf(place)), place].join(' -> ');
    if (done.has(place)) return null;
    for (const next of edges.get(place) ?? []) {
      const cycle = walk(next, [...way, place]);
      if (cycle) return cycle;
    }
    done.add(place);
    return null;
  };
  for (const place of edges.keys()) {
    const cycle = walk(place, []);
    if (cycle) return cycle;
  }
  return null;
};

/** Everything wrong with these sources, by path from the project's root. */
const problemsIn = (sources: Readonly<Record<string, string>>): string[] => {
  const problems: string[] = [];
  const edges = new Map<string, Set<string>>();
  for (const [path, source] of Object.entries(sources)) {
    const { imports, defaultExport } = importsOf(path, source);
    // Playwright wants its configuration as a default export.
    if (defaultExport && !/\.config\.ts$/.test(path)) problems.push(`${path} exports a default`);
    for (const found of imports) {
      const problem = problemOf(path, found);
      if (problem) problems.push(`${path} ${problem}`);
      if (isTest(path) || !found.specifier.startsWith('.')) continue;
      const target = new URL(found.specifier, `file:///${path}`).pathname.slice(1);
      const [from, to] = [placeOf(path), placeOf(target)];
      if (from !== to) edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
  }
  const cycle = cycleIn(edges);
  return cycle ? [...problems, `folders in a circle: ${cycle}`] : problems;
};

const root = fileURLToPath(new URL('..', import.meta.url));
const sourcesUnder = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((path) => /\.tsx?$/.test(path) && !/\.d\.ts$/.test(path))
      .map((path) => [path, readFileSync(`${root}/${path}`, 'utf8')]),
  );

describe('who imports whom', () => {
  it('is as the table says, in every file', () => {
    const sources = { ...sourcesUnder('src'), ...sourcesUnder('e2e') };
    expect(Object.keys(sources)).toContain('src/loader/main.ts');
    expect(problemsIn(sources)).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['src/card/pan.ts', "import { LIMITS } from '../api/limits.ts';", 'src/api/limits.ts'],
    ['src/card/pan.ts', "export * from '../i18n/en.ts';", 'src/i18n/en.ts'],
    ['src/address/check.ts', "const load = () => import('../frame/main.tsx');", 'src/frame/main.tsx'],
    ['src/channel/port.ts', "type A = import('../api/schemas.ts').Currency;", 'src/api/schemas.ts'],
    ['src/payment/state.ts', "import { Init } from '../channel/messages.ts';", 'src/channel/messages.ts'],
    ['src/loader/main.ts', "import { Init } from '../channel/messages.ts';", 'not by "import type"'],
    ['src/loader/main.ts', "import { type Init } from '../channel/messages.ts';", 'not by "import type"'],
    ['src/loader/main.ts', "export { Init } from '../channel/messages.ts';", 'not by "import type"'],
    ['src/loader/main.ts', "import type { A } from '../channel/port.ts';", 'src/channel/port.ts'],
    ['src/loader/main.ts', "import * as z from 'zod/mini';", 'the package zod/mini'],
    [
      'src/frame/main.tsx',
      "import { createSandbox } from '../sandbox/sandbox.ts';",
      'src/sandbox/sandbox.ts',
    ],
    ['src/frame/main.tsx', "import type { A } from '../loader/types.ts';", 'src/loader/types.ts'],
    ['src/sandbox/app.ts', "import { createClient } from '../api/client.ts';", 'src/api/client.ts'],
    [
      'src/sandbox/app.ts',
      "import { transition } from '../payment/transition.ts';",
      'src/payment/transition.ts',
    ],
    ['src/package/load.ts', "import { A } from '../loader/types.ts';", 'not by "import type"'],
    ['src/sandbox/inspector/main.tsx', "import { KEPT } from '../journal.ts';", 'not by "import type"'],
    ['src/sandbox/inspector/main.tsx', "import { json } from '../answer.ts';", 'src/sandbox/answer.ts'],
    ['src/sandbox/app.ts', "import { timelineOf } from './inspector/timeline.ts';", 'inspector/timeline.ts'],
    ['src/package/load.ts', "import type { A } from '../loader/main.ts';", 'src/loader/main.ts'],
    ['src/demo/shop.ts', "import { SERVER_ROUTES } from '../api/routes.ts';", 'only what is served'],
    [
      'src/demo/shop.test.ts',
      "import { createSandbox } from '../sandbox/sandbox.ts';",
      'only what is served',
    ],
    ['src/demo/shop.ts', "import { Check } from '../check.ts';", 'only what is served'],
    ['e2e/pay.spec.ts', "import { en } from '../src/i18n/en.ts';", 'only what is served'],
    ['src/start.ts', "import { LIMITS } from './api/limits.ts';", 'src/api/limits.ts'],
    ['src/sandbox/cli.ts', "import { start } from '../start.ts';", 'only ever started'],
    ['src/check.ts', "import { LIMITS } from './api/limits.ts';", 'src/api/limits.ts'],
    ['src/utils/index.ts', "import { LIMITS } from '../api/limits.ts';", 'the table does not know'],
    ['src/api/client.ts', "import { LIMITS } from './limits';", 'without its extension'],
    ['src/api/client.ts', "import { LIMITS } from './limits.js';", 'without its extension'],
    ['src/api/client.ts', "import { LIMITS } from 'src/api/limits.ts';", 'no relative path'],
    ['src/api/client.ts', "import { A } from './client.test.ts';", 'the test'],
    ['src/api/client.ts', 'const load = (name: string) => import(name);', 'cannot be read'],
    ['src/api/client.ts', 'export default 1;', 'exports a default'],
    ['src/api/client.ts', 'const a = 1; export { a as default };', 'exports a default'],
  ])('would fail if %s said: %s', (path, source, problem) => {
    expect(problemsIn({ [path]: source })).toEqual([expect.stringContaining(problem)]);
  });

  it.each<[string, string]>([
    ['src/loader/types.ts', "export type { Result } from '../channel/messages.ts';"],
    ['src/loader/form.ts', "import { CHANNEL } from '../channel/protocol.ts';"],
    ['src/package/load.ts', "import type { CardFormApi } from '../loader/types.ts';"],
    ['src/card/pan.ts', "import type { Check } from '../check.ts'; import cards from 'credit-card-type';"],
    ['src/frame/main.tsx', "import './form.css'; const pay = () => import('./pay.ts');"],
    ['src/api/client.test.ts', "import { createSandbox } from '../sandbox/sandbox.ts';"],
    ['src/start.ts', "import { listenShop } from './demo/shop.ts';"],
    ['src/api/client.ts', "// import { A } from '../frame/a.ts'\nconst text = \"import '../frame/a.ts'\";"],
    ['e2e/playwright.config.ts', 'export default {};'],
  ])('lets %s say: %s', (path, source) => {
    expect(problemsIn({ [path]: source })).toEqual([]);
  });

  it('would fail if folders came to depend on each other in a circle', () => {
    const problems = problemsIn({
      'src/payment/a.ts': "import type { B } from '../api/b.ts';",
      'src/api/b.ts': "import type { A } from '../payment/a.ts';",
    });
    expect(problems).toContain('folders in a circle: src/payment -> src/api -> src/payment');
  });
});
