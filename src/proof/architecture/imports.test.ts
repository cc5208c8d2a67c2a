/**
 * Tests which folder may import which: no schema library on the merchant's page, no DOM in the card rules, no sandbox
 * in the frame. A folder with subfolders also has walls inside, in the same table. No cycles, neither of folders nor of
 * files.
 */
import { describe, expect, it } from 'vitest';
import { type Import, importsOf, sourcesUnder, targetOf } from './imports.ts';
import { WALLS } from './walls.ts';

/** Folders that no browser runs. Whoever imports them has to name them: `src/api` in the table leaves them out. */
const NODE_ONLY: readonly string[] = ['src/api/served', 'src/api/command'];

/**
 * Exceptions to the table in walls.ts, for nested places too. The sandbox is the client's counterpart and must not
 * share its bugs.
 */
const MUST_NOT_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'src/sandbox': ['src/api/client.ts'],
  'src/cli': ['src/api/client.ts'],
  'src/owner/conformance': ['src/api/client.ts'],
};

/** Code that must run without packages: on the merchant's page and server, and before the buyer can type. */
const NO_PACKAGES: readonly string[] = [
  'src/form/loader',
  'src/form/frame/main.ts',
  'src/form/frame/first',
  'src/merchant/server',
];

/** Entry points that assemble programs. They are started, never imported. */
const STARTED: readonly string[] = ['src/sandbox/start.ts', 'src/build/development.ts'];

/** Folders not built into anything: only tests run them. */
const TEST_ONLY: readonly string[] = ['src/proof'];

/** Folders that stand for third-party code. They and their tests may know only what is served. */
const OUTSIDERS: readonly string[] = ['src/sandbox/shop', 'e2e'];

/** Shop projects, laid out by their frameworks' rules. */
const SHOPS = 'e2e/frameworks/templates/';

const isTest = (path: string) => /\.(test|spec)\.tsx?$/.test(path);
/** Code used only by tests to build their cases. */
const isFixture = (path: string) => /\.fixture\.tsx?$/.test(path);
const isTestSupport = (path: string) =>
  isTest(path) || isFixture(path) || TEST_ONLY.some((folder) => within(path, folder));

const within = (path: string, place: string) => path === place || path.startsWith(`${place}/`);

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'));

/** The places that contain a file, most specific first. A file outside all places is its own place. */
const placesOf = (path: string): [string, ...string[]] => {
  const [place, ...around] = Object.keys(WALLS)
    .filter((key) => within(path, key))
    .sort((a, b) => b.length - a.length);
  return place === undefined || isInUnknownSubfolder(path, place) ? [path] : [place, ...around];
};

/** If one subfolder of a folder is a place, each of its subfolders needs one. */
const isInUnknownSubfolder = (path: string, place: string) =>
  path !== place &&
  folderOf(path) !== place &&
  Object.keys(WALLS).some((key) => key.startsWith(`${place}/`) && !/\.tsx?$/.test(key));

const placeOf = (path: string): string => placesOf(path)[0];
const outermostPlaceOf = (path: string): string => placesOf(path).at(-1) ?? path;

/** True if the table's entry `known`, without its prefix, includes the target. */
const includes = (known: string, target: string): boolean => {
  const named = NODE_ONLY.find((folder) => within(target, folder));
  return within(target, known) && (named === undefined || within(known, named));
};

/** Why a file of this place may not import the target, or null. */
const trespassOf = (place: string, target: string, how: Import['how'], isNested: boolean): string | null => {
  const walls = WALLS[place];
  if (!walls) return 'is in a folder that the table does not know';
  const allowed = isNested ? [...walls.imports, ...(walls.inside ?? [])] : walls.imports;
  const isListed = (prefix: string) =>
    allowed.some((known) => known.startsWith(prefix) && includes(known.slice(prefix.length), target));
  if (isListed('') || isListed(`${how}:`)) return null;
  if (isListed('type:')) return `imports ${target} not by "import type"`;
  if (isListed('lazy:')) return `imports ${target} not by "import()"`;
  return `imports ${target}`;
};

/** The problem with one import, or null. */
const problemOf = (path: string, { specifier, how }: Import): string | null => {
  const [place, ...around] = placesOf(path);
  if (!/^\.{1,2}\//.test(specifier)) {
    // The loader's second file lies beside it, at an address known only at run time.
    if (specifier === '(computed)' && path === 'src/form/loader/import-verified.ts') return null;
    // A bundle that a test has just built.
    if (specifier === '(computed)' && path === 'src/merchant/framework.fixture.ts') return null;
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
  // A test may use its own tools.
  if (target === 'src/form/check.ts' || isTest(path) || isFixture(path)) return null;
  const forbidden = [place, ...around].flatMap((name) => MUST_NOT_IMPORT[name] ?? []);
  if (forbidden.some((name) => within(target, name))) return `imports ${target}`;
  const enclosing = around.filter((outer) => !within(target, outer));
  for (const name of [place, ...enclosing]) {
    const problem = trespassOf(name, target, how, name !== place);
    if (problem) return problem;
  }
  return null;
};

/** A path from a file or folder through others back to itself, or null. */
const cycleIn = (edges: ReadonlyMap<string, ReadonlySet<string>>): string | null => {
  const done = new Set<string>();
  const walk = (from: string, way: readonly string[]): string | null => {
    if (way.includes(from)) return [...way.slice(way.indexOf(from)), from].join(' -> ');
    if (done.has(from)) return null;
    for (const next of edges.get(from) ?? []) {
      const cycle = walk(next, [...way, from]);
      if (cycle) return cycle;
    }
    done.add(from);
    return null;
  };
  for (const from of edges.keys()) {
    const cycle = walk(from, []);
    if (cycle) return cycle;
  }
  return null;
};

/** From each file to the files it imports, or from each place to the places its files import. */
type Arrows = Map<string, Set<string>>;
const addArrow = (arrows: Arrows, from: string, to: string) => {
  if (from !== to) arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
};

/** All problems with these sources, by path from the project's root. */
const problemsIn = (sources: Readonly<Record<string, string>>): string[] => {
  const problems: string[] = [];
  const files: Arrows = new Map();
  // A cycle can run between nested places, or between their enclosing folders through different nested places.
  const nested: Arrows = new Map();
  const outermost: Arrows = new Map();
  for (const [path, source] of Object.entries(sources)) {
    const { imports, defaultExport } = importsOf(path, source);
    // Playwright requires its configuration as a default export.
    if (defaultExport && !/\.config\.ts$/.test(path)) problems.push(`${path} exports a default`);
    for (const found of imports) {
      const problem = problemOf(path, found);
      if (problem) problems.push(`${path} ${problem}`);
      if (!found.specifier.startsWith('.')) continue;
      const target = targetOf(path, found.specifier);
      addArrow(files, path, target);
      if (isTest(path) || isFixture(path)) continue;
      addArrow(nested, placeOf(path), placeOf(target));
      addArrow(outermost, outermostPlaceOf(path), outermostPlaceOf(target));
    }
  }
  const folders = cycleIn(nested) ?? cycleIn(outermost);
  if (folders) problems.push(`folders in a circle: ${folders}`);
  const circle = cycleIn(files);
  if (circle) problems.push(`files in a circle: ${circle}`);
  return problems;
};

/** The folders directly in `src/`, in the order of the table. */
const ROOMS: readonly string[] = Object.keys(WALLS).filter((place) => /^src\/\w+$/.test(place));

/** A file, its content, and the expected problem. */
const TRESPASSES = `
src/form/card/pan.ts | import { LIMITS } from '../../api/limits.ts'; | src/api/limits.ts
src/form/payment/guard.ts | import { parseFlags } from '../../api/command/flags.ts'; | src/api/command/flags.ts
src/merchant/binding.ts | import { A } from '../form/frame/form/readings.ts'; | src/form/frame/form/readings.ts
src/form/card/pan.ts | export * from '../i18n/en.ts'; | src/form/i18n/en.ts
src/form/channel/port.ts | type A = import('../../api/schemas.ts').Currency; | src/api/schemas.ts
src/form/loader/main.ts | import { Init } from '../channel/messages.ts'; | not by "import type"
src/form/loader/main.ts | import { type Init } from '../channel/messages.ts'; | not by "import type"
src/form/loader/main.ts | import type { A } from '../channel/port.ts'; | src/form/channel/port.ts
src/form/loader/main.ts | import * as z from 'zod/mini'; | the package zod/mini
src/form/frame/main.tsx | import { createSandbox } from '../../sandbox/service/sandbox.ts'; | src/sandbox/service/sandbox.ts
src/form/frame/main.ts | import { hydrateForm } from './form.tsx'; | not by "import()"
src/form/frame/main.ts | import { signal } from '@preact/signals'; | the package @preact/signals
src/form/frame/first/typing.ts | import { Init } from '../../channel/messages.ts'; | not by "import type"
src/form/frame/form/card-form.ts | import { A } from '../session/session.ts'; | session/session.ts
src/form/frame/utils/a.ts | import { A } from '../first/fields.ts'; | the table does not know
src/sandbox/service/app.ts | import { createClient } from '../../api/client.ts'; | src/api/client.ts
src/sandbox/inspector/main.tsx | import { MAX_LOGGED_REQUESTS } from '../service/core/request-log.ts'; | not by "import type"
src/sandbox/service/core/clock.ts | import { A } from '../../../api/served/headers.ts'; | src/api/served/headers.ts
src/sandbox/service/new/a.ts | import { LIMITS } from '../../../api/limits.ts'; | the table does not know
src/sandbox/service/core/clock.ts | import type { A } from '../store/table.ts'; | src/sandbox/service/store/table.ts
src/sandbox/service/payments/intents.ts | import { createClient } from '../../../api/client.ts'; | src/api/client.ts
src/sandbox/shop/shop.ts | import { SERVER_ROUTES } from '../../api/routes.ts'; | only what is served
src/sandbox/shop/shop.test.ts | import { createSandbox } from '../service/sandbox.ts'; | only what is served
e2e/paying/pay.spec.ts | import { en } from '../../src/form/i18n/en.ts'; | only what is served
src/cli/cli.ts | import { start } from '../sandbox/start.ts'; | only ever started
src/form/check.ts | import { LIMITS } from '../sandbox/service/sandbox.ts'; | src/sandbox/service/sandbox.ts
src/utils/index.ts | import { LIMITS } from '../api/limits.ts'; | a folder that the table does not know
src/api/client.ts | import { LIMITS } from './limits'; | without its extension
src/api/client.ts | import { LIMITS } from 'src/api/limits.ts'; | no relative path
src/api/client.ts | import { A } from './client.test.ts'; | the test
src/api/client.ts | import { A } from './client.fixture.ts'; | which is for tests
src/api/client.ts | const load = (name: string) => import(name); | cannot be read
src/api/client.ts | export default 1; | exports a default
src/api/client.ts | const a = 1; export { a as default }; | exports a default
`;
const FINE = `
src/form/loader/types.ts | export type { Result } from '../channel/messages.ts';
src/form/loader/form.ts | import { CHANNEL } from '../channel/protocol.ts';
src/merchant/load.ts | import type { CardFormApi } from '../form/loader/types.ts';
src/form/card/pan.ts | import type { Check } from '../check.ts'; import cards from 'credit-card-type';
src/form/frame/main.tsx | import './form.css'; const pay = () => import('./pay.ts');
src/api/client.test.ts | import { createSandbox } from '../sandbox/service/sandbox.ts';
src/api/client.test.ts | import { A } from './client.fixture.ts';
src/api/client.fixture.ts | import { createSandbox } from '../sandbox/service/sandbox.ts';
src/proof/simulation/simulate.ts | import { A } from '../../api/client.fixture.ts';
src/sandbox/start.ts | import { listenShop } from './shop/shop.ts';
src/api/client.ts | // import { A } from '../form/frame/a.ts'\nconst text = "import '../form/frame/a.ts'";
e2e/playwright.config.ts | export default {};
`;
const rowsOf = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((row) => row.split(' | '))
    .map(([path = '', source = '', problem = '']): [string, string, string] => [path, source, problem]);

describe('who imports whom', () => {
  it('matches the table, in every file', () => {
    const all = Object.entries({ ...sourcesUnder('src'), ...sourcesUnder('e2e') });
    const sources = Object.fromEntries(all.filter(([path]) => !path.startsWith(SHOPS)));
    expect(Object.keys(sources)).toContain('src/form/loader/main.ts');
    expect(problemsIn(sources)).toEqual([]);
  });

  it('lets a room import only rooms that stand before it in the table', () => {
    for (const [at, room] of ROOMS.entries()) {
      const walls = Object.entries(WALLS).filter(([place]) => within(place, room));
      const imported = walls.flatMap(([, { imports, inside = [] }]) => [...imports, ...inside]);
      const rooms = imported.map((path) => path.replace(/^\w+:/, '').split('/').slice(0, 2).join('/'));
      for (const other of rooms) expect(ROOMS.slice(0, at + 1), `${room} imports ${other}`).toContain(other);
    }
  });

  it('fails for each of these', () => {
    for (const [path, source, problem] of rowsOf(TRESPASSES))
      expect(problemsIn({ [path]: source }), path).toEqual([expect.stringContaining(problem)]);
  });

  it('passes each of these', () => {
    for (const [path, source] of rowsOf(FINE)) expect(problemsIn({ [path]: source }), path).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['at run time', "import { B } from './b.ts';", "import { A } from './a.ts';"],
    ['by their types', "import type { B } from './b.ts';", "type A = typeof import('./a.ts');"],
    ['later', "import { B } from './b.ts';", "const load = () => import('./a.ts');"],
  ])('fails if files depend on each other in a circle, %s', (_, a, b) => {
    const sources = { 'src/api/a.ts': a, 'src/api/b.ts': b };
    expect(problemsIn(sources)).toEqual(['files in a circle: src/api/a.ts -> src/api/b.ts -> src/api/a.ts']);
    expect(problemsIn({ 'src/api/a.ts': a })).toEqual([]);
  });

  it('fails if folders depend on each other in a circle', () => {
    const problems = problemsIn({
      'src/form/payment/a.ts': "import type { B } from '../../api/b.ts';",
      'src/api/b.ts': "import type { A } from '../form/payment/a.ts';",
    });
    expect(problems).toContain('folders in a circle: src/form/payment -> src/api -> src/form/payment');
  });

  it('fails if places inside a folder depend on each other in a circle', () => {
    const problems = problemsIn({
      'src/sandbox/service/store/a.ts': "import type { B } from '../core/b.ts';",
      'src/sandbox/service/core/b.ts': "import type { A } from '../store/a.ts';",
    });
    expect(problems).toContain(
      'folders in a circle: src/sandbox/service/store -> src/sandbox/service/core -> src/sandbox/service/store',
    );
  });

  it('fails if two folders depend on each other through different places inside them', () => {
    const problems = problemsIn({
      'src/sandbox/service/http/a.ts': "import type { B } from '../../../api/b.ts';",
      'src/api/b.ts': "import type { A } from '../sandbox/service/control/overview.ts';",
    });
    expect(problems).toContain('folders in a circle: src/sandbox -> src/api -> src/sandbox');
  });
});
