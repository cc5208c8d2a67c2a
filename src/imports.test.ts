/**
 * Which folder may import which, as a test: no schema library on the merchant's page, no DOM in the card rules,
 * no sandbox in the frame. A folder with subfolders has walls inside it too, in the same table.
 */
import { describe, expect, it } from 'vitest';
import { type Import, importsOf, sourcesUnder, targetOf } from './architecture/imports.ts';
import { MAY_IMPORT } from './architecture/walls.ts';

/** Exceptions to the table in walls.ts, for nested places too. The sandbox is the other side of the client: it must not share its mistakes. */
const MUST_NOT_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'src/sandbox': ['src/api/client.ts'],
  'src/conformance': ['src/api/client.ts'],
};

/** What runs with nothing but itself: on the merchant's page and server, and before the buyer can type. */
const NO_PACKAGES: readonly string[] = [
  'src/loader',
  'src/frame/main.ts',
  'src/frame/first',
  'src/server-client',
];

/** What puts programs together. It is started, never imported. */
const STARTED: readonly string[] = ['src/start.ts', 'src/development.ts'];

/** Folders that are built into nothing: only tests run them. */
const TEST_ONLY: readonly string[] = ['src/simulation', 'src/model', 'src/mutants', 'src/architecture'];

/** Folders that stand for somebody else's code; their tests, too, know only what is served. */
const OUTSIDERS: readonly string[] = ['src/demo', 'e2e'];

/** Projects of shops, by the rules of their frameworks. */
const SHOPS = 'e2e/frameworks/templates/';

const isTest = (path: string) => /\.(test|spec)\.tsx?$/.test(path);
/** Code that only tests use: what they build their cases from. */
const isFixture = (path: string) => /\.fixture\.tsx?$/.test(path);
const isTestSupport = (path: string) =>
  isTest(path) || isFixture(path) || TEST_ONLY.some((folder) => within(path, folder));

const within = (path: string, place: string) => path === place || path.startsWith(`${place}/`);

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'));

/** The places that contain a file, from the most specific to the outermost. A file that is in none is its own. */
const placesOf = (path: string): [string, ...string[]] => {
  const [place, ...around] = Object.keys(MAY_IMPORT)
    .filter((key) => within(path, key))
    .sort((a, b) => b.length - a.length);
  return place === undefined || isInUnknownSubfolder(path, place) ? [path] : [place, ...around];
};

/** A folder of which one subfolder is a place has a place for each of its subfolders. */
const isInUnknownSubfolder = (path: string, place: string) =>
  path !== place &&
  folderOf(path) !== place &&
  Object.keys(MAY_IMPORT).some((key) => key.startsWith(`${place}/`) && !/\.tsx?$/.test(key));

const placeOf = (path: string): string => placesOf(path)[0];
const outermostPlaceOf = (path: string): string => placesOf(path).at(-1) ?? path;

/** What is wrong with an import of the target by a file of this place, or null. */
const trespassOf = (place: string, target: string, how: Import['how']): string | null => {
  const allowed = MAY_IMPORT[place];
  if (!allowed) return 'is in a folder that the table does not know';
  const isListed = (prefix: string) =>
    allowed.some((known) => known.startsWith(prefix) && within(target, known.slice(prefix.length)));
  if (isListed('') || isListed(`${how}:`)) return null;
  if (isListed('type:')) return `imports ${target} not by "import type"`;
  if (isListed('lazy:')) return `imports ${target} not by "import()"`;
  return `imports ${target}`;
};

/** What is wrong with one import, or null. */
const problemOf = (path: string, { specifier, how }: Import): string | null => {
  const [place, ...around] = placesOf(path);
  if (!/^\.{1,2}\//.test(specifier)) {
    // The loader's second file lies beside it, at an address that only a page knows.
    if (specifier === '(computed)' && path === 'src/loader/import-verified.ts') return null;
    // A bundle that a test has just made.
    if (specifier === '(computed)' && path === 'src/package/framework.fixture.ts') return null;
    if (specifier === '(computed)') return 'imports what cannot be read here';
    if (/^(src|e2e)\/|^[/#~]|^@\//.test(specifier)) return `imports ${specifier}, which is no relative path`;
    if (NO_PACKAGES.some((folder) => within(path, folder)) && !isTestSupport(path))
      return `imports the package ${specifier}`;
    return null;
  }
  const target = targetOf(path, specifier);
  if (!/\.(ts|tsx|mjs|css|json|html|svg|vue|svelte)$/.test(target))
    return `imports ${specifier} without its extension`;
  if (STARTED.includes(target)) return `imports ${target}, which is only ever started`;
  if (isTest(target)) return `imports the test ${target}`;
  if (isFixture(target) && !isTestSupport(path)) return `imports ${target}, which is for tests`;
  const home = placeOf(target);
  if (home === place) return null;
  if (OUTSIDERS.some((folder) => within(path, folder)))
    return `imports ${target}, but may know only what is served`;
  // A test may use what it tests with.
  if (target === 'src/check.ts' || isTest(path) || isFixture(path)) return null;
  const forbidden = [place, ...around].flatMap((name) => MUST_NOT_IMPORT[name] ?? []);
  if (forbidden.some((name) => within(target, name))) return `imports ${target}`;
  const enclosing = around.filter((outer) => !within(target, outer));
  for (const name of [place, ...enclosing]) {
    const problem = trespassOf(name, target, how);
    if (problem) return problem;
  }
  return null;
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

/** From each place to those that its files import. */
type Arrows = Map<string, Set<string>>;
const addArrow = (arrows: Arrows, from: string, to: string) => {
  if (from !== to) arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
};

/** Everything wrong with these sources, by path from the project's root. */
const problemsIn = (sources: Readonly<Record<string, string>>): string[] => {
  const problems: string[] = [];
  // A circle can run between nested places, or between the folders around them through different nested places.
  const nested: Arrows = new Map();
  const outermost: Arrows = new Map();
  for (const [path, source] of Object.entries(sources)) {
    const { imports, defaultExport } = importsOf(path, source);
    // Playwright wants its configuration as a default export.
    if (defaultExport && !/\.config\.ts$/.test(path)) problems.push(`${path} exports a default`);
    for (const found of imports) {
      const problem = problemOf(path, found);
      if (problem) problems.push(`${path} ${problem}`);
      if (isTest(path) || isFixture(path) || !found.specifier.startsWith('.')) continue;
      const target = targetOf(path, found.specifier);
      addArrow(nested, placeOf(path), placeOf(target));
      addArrow(outermost, outermostPlaceOf(path), outermostPlaceOf(target));
    }
  }
  const cycle = cycleIn(nested) ?? cycleIn(outermost);
  return cycle ? [...problems, `folders in a circle: ${cycle}`] : problems;
};

describe('who imports whom', () => {
  it('is as the table says, in every file', () => {
    const all = Object.entries({ ...sourcesUnder('src'), ...sourcesUnder('e2e') });
    const sources = Object.fromEntries(all.filter(([path]) => !path.startsWith(SHOPS)));
    expect(Object.keys(sources)).toContain('src/loader/main.ts');
    expect(problemsIn(sources)).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['src/card/pan.ts', "import { LIMITS } from '../api/limits.ts';", 'src/api/limits.ts'],
    ['src/card/pan.ts', "export * from '../i18n/en.ts';", 'src/i18n/en.ts'],
    ['src/address/check.ts', "const load = () => import('../frame/main.tsx');", 'src/frame/main.tsx'],
    ['src/channel/port.ts', "type A = import('../api/schemas.ts').Currency;", 'src/api/schemas.ts'],
    [
      'src/payment/payment-state.ts',
      "import { Init } from '../channel/messages.ts';",
      'src/channel/messages.ts',
    ],
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
    ['src/frame/main.ts', "import { hydrateForm } from './pay.tsx';", 'not by "import()"'],
    ['src/frame/main.ts', "import { signal } from '@preact/signals';", 'the package @preact/signals'],
    [
      'src/frame/first/typing.ts',
      "import { Init } from '../../channel/messages.ts';",
      'not by "import type"',
    ],
    ['src/frame/first/typing.ts', "import { A } from '../form/card-form.ts';", 'src/frame/form/card-form.ts'],
    ['src/frame/first/typing.ts', "const load = () => import('../../i18n/de.ts');", 'src/i18n/de.ts'],
    ['src/frame/form/card-form.ts', "import { A } from '../session/session.ts';", 'session/session.ts'],
    ['src/frame/utils/a.ts', "import { A } from '../first/fields.ts';", 'the table does not know'],
    ['src/sandbox/app.ts', "import { createClient } from '../api/client.ts';", 'src/api/client.ts'],
    [
      'src/sandbox/app.ts',
      "import { transition } from '../payment/transition.ts';",
      'src/payment/transition.ts',
    ],
    ['src/package/load.ts', "import { A } from '../loader/types.ts';", 'not by "import type"'],
    [
      'src/sandbox/inspector/main.tsx',
      "import { MAX_LOGGED_REQUESTS } from '../core/request-log.ts';",
      'not by "import type"',
    ],
    [
      'src/sandbox/inspector/main.tsx',
      "import { json } from '../core/response.ts';",
      'src/sandbox/core/response.ts',
    ],
    ['src/sandbox/app.ts', "import { timelineOf } from './inspector/timeline.ts';", 'inspector/timeline.ts'],
    ['src/sandbox/new/a.ts', "import { LIMITS } from '../../api/limits.ts';", 'the table does not know'],
    [
      'src/sandbox/core/clock.ts',
      "import type { A } from '../store/table.ts';",
      'src/sandbox/store/table.ts',
    ],
    ['src/sandbox/core/clock.ts', "import { A } from '../service.ts';", 'src/sandbox/service.ts'],
    [
      'src/sandbox/store/store.ts',
      "import type { A } from '../webhooks/plan.ts';",
      'src/sandbox/webhooks/plan.ts',
    ],
    [
      'src/sandbox/payments/intents.ts',
      "import { createClient } from '../../api/client.ts';",
      'src/api/client.ts',
    ],
    ['src/sandbox/payments/intents.ts', "import { A } from '../http/auth.ts';", 'src/sandbox/http/auth.ts'],
    [
      'src/sandbox/payments/confirm.ts',
      "import { applyFault } from '../faults/response-fault.ts';",
      'not by "import type"',
    ],
    [
      'src/sandbox/http/context.ts',
      "import { A } from '../control/control.ts';",
      'src/sandbox/control/control.ts',
    ],
    ['src/sandbox/service.ts', "import { A } from './openapi/openapi.ts';", 'src/sandbox/openapi/openapi.ts'],
    ['src/package/load.ts', "import type { A } from '../loader/main.ts';", 'src/loader/main.ts'],
    ['src/demo/shop.ts', "import { SERVER_ROUTES } from '../api/routes.ts';", 'only what is served'],
    [
      'src/demo/shop.test.ts',
      "import { createSandbox } from '../sandbox/sandbox.ts';",
      'only what is served',
    ],
    ['src/demo/shop.ts', "import { Check } from '../check.ts';", 'only what is served'],
    ['e2e/paying/pay.spec.ts', "import { en } from '../../src/i18n/en.ts';", 'only what is served'],
    ['src/start.ts', "import { LIMITS } from './api/limits.ts';", 'src/api/limits.ts'],
    ['src/sandbox/cli.ts', "import { start } from '../start.ts';", 'only ever started'],
    ['src/check.ts', "import { LIMITS } from './api/limits.ts';", 'src/api/limits.ts'],
    [
      'src/utils/index.ts',
      "import { LIMITS } from '../api/limits.ts';",
      'a folder that the table does not know',
    ],
    ['src/api/client.ts', "import { LIMITS } from './limits';", 'without its extension'],
    ['src/api/client.ts', "import { LIMITS } from './limits.js';", 'without its extension'],
    ['src/api/client.ts', "import { LIMITS } from 'src/api/limits.ts';", 'no relative path'],
    ['src/api/client.ts', "import { A } from './client.test.ts';", 'the test'],
    ['src/api/client.ts', "import { A } from './client.fixture.ts';", 'which is for tests'],
    ['src/sandbox/app.ts', "import { A } from '../api/client.fixture.ts';", 'which is for tests'],
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
    ['src/api/client.test.ts', "import { A } from './client.fixture.ts';"],
    ['src/api/client.fixture.ts', "import { createSandbox } from '../sandbox/sandbox.ts';"],
    ['src/simulation/simulate.ts', "import { A } from '../api/client.fixture.ts';"],
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

  it('would fail if places inside a folder came to depend on each other in a circle', () => {
    const problems = problemsIn({
      'src/sandbox/store/a.ts': "import type { B } from '../core/b.ts';",
      'src/sandbox/core/b.ts': "import type { A } from '../store/a.ts';",
    });
    expect(problems).toContain(
      'folders in a circle: src/sandbox/store -> src/sandbox/core -> src/sandbox/store',
    );
  });

  it('would fail if two folders depended on each other through different places inside them', () => {
    const problems = problemsIn({
      'src/sandbox/inspector/a.ts': "import type { B } from '../../api/b.ts';",
      'src/api/b.ts': "import type { A } from '../sandbox/control/overview.ts';",
    });
    expect(problems).toContain('folders in a circle: src/sandbox -> src/api -> src/sandbox');
  });
});
