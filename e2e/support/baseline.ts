/**
 * The browsers that the form supports, from docs/reference.md, and the web platform features they lack, from MDN's
 * compatibility data. Covers globals, their members and style sheets; not function options or attribute values.
 */
import bcd, { type BrowserName, type Identifier } from '@mdn/browser-compat-data/forLegacyNode';
import { parseAst } from 'vite';

/** Lowest version of each. Chrome 109 is the last on Windows 7 and 8, and Safari 16.4 the first with import maps. */
export const BROWSERS = {
  chrome: '109',
  chrome_android: '109',
  edge: '109',
  firefox: '121',
  safari: '16.4',
  safari_ios: '16.4',
  samsunginternet_android: '21.0',
} as const;

/** Runtimes of `./server`. */
export const SERVERS = { nodejs: '20.19' } as const;

/** Lowest version of each runtime. */
export type Baseline = Readonly<Partial<Record<BrowserName, string>>>;

type Statement = NonNullable<Identifier['__compat']>;

const isLater = (version: string, than: string): boolean => {
  const [one, other] = [version, than].map((text) => text.replace('≤', '').split('.').map(Number));
  const [major = 0, minor = 0] = one ?? [];
  const [majorThan = 0, minorThan = 0] = other ?? [];
  return major > majorThan || (major === majorThan && minor > minorThan);
};

/** Returns true if one of these browsers lacks the feature, or has it only under another name or behind a setting. */
const isLacking = ({ support }: Statement, baseline: Baseline): boolean =>
  Object.entries(baseline).some(([browser, version]) => {
    const [, statements = []] = Object.entries(support).find(([name]) => name === browser) ?? [];
    return ![statements]
      .flat()
      .some(
        ({ version_added: since, version_removed: until, flags, prefix, alternative_name: other }) =>
          since && since !== 'preview' && !until && !flags && !prefix && !other && !isLater(since, version),
      );
  });

const statementsIn = (table: Identifier | undefined): readonly (readonly [string, Statement, Identifier])[] =>
  Object.keys(table ?? {}).flatMap((name) => {
    const entry = name === '__compat' ? undefined : table?.[name];
    return entry?.__compat ? [[name, entry.__compat, entry] as const] : [];
  });

/**
 * Features that one of these browsers lacks: names of globals, and members by the names of their globals. Omits the
 * members of a global that is itself missing.
 */
const platformOf = (baseline: Baseline) => {
  const all = { globals: new Set<string>(), members: new Set<string>() };
  const lacking = { globals: new Set<string>(), members: new Map<string, Set<string>>() };
  const { builtins } = bcd.javascript;
  const tables = [bcd.api, builtins, builtins?.Intl].flatMap(statementsIn);
  for (const [name, statement, entry] of tables) {
    all.globals.add(name);
    if (isLacking(statement, baseline)) {
      lacking.globals.add(name);
      continue;
    }
    for (const [written, member] of statementsIn(entry)) {
      if (written.endsWith('_event')) continue;
      const isStatic = written.endsWith('_static');
      const key = isStatic ? `${name}.${written.replace(/_static$/, '')}` : written;
      if (!isLacking(member, baseline)) all.members.add(key);
      else lacking.members.set(key, (lacking.members.get(key) ?? new Set()).add(name));
    }
  }
  return { all, lacking };
};

/** A global, or a member of one. */
type Lacking = readonly [owner: string, member?: string, place?: 'prototype' | 'constructor' | 'either'];

/** Features that one of these browsers lacks, for removal from a page (`takeAway`). */
export const lackingIn = (baseline: Baseline): readonly Lacking[] => {
  const { lacking } = platformOf(baseline);
  const members = [...lacking.members].flatMap(([key, owners]) =>
    [...owners].map((owner): Lacking => {
      if (key.includes('.')) return [owner, key.slice(key.indexOf('.') + 1), 'constructor'];
      // Only the DOM's tables say if a member is static.
      return [owner, key, bcd.javascript.builtins?.[owner] ? 'either' : 'prototype'];
    }),
  );
  return [...[...lacking.globals].map((name) => [name] as const), ...members];
};

/** Runs in a page: removes the missing features. */
export const takeAway = (lacking: readonly Lacking[]): void => {
  for (const [owner, member, place] of lacking) {
    const found = Object(Reflect.get(globalThis, owner));
    if (member === undefined) Reflect.deleteProperty(globalThis, owner);
    else if (owner === 'Window') Reflect.deleteProperty(globalThis, member);
    else {
      if (place !== 'prototype') Reflect.deleteProperty(found, member);
      if (place !== 'constructor') Reflect.deleteProperty(Object(found.prototype), member);
    }
  }
};

/** Finds the features in a text that a baseline's browsers lack. */
export type FindLacking = (text: string) => ReadonlySet<string>;

/** Finds the names in a script that one of these browsers lacks, wherever they could refer to the platform. */
export const findLackingNames = (baseline: Baseline): FindLacking => {
  const { all, lacking } = platformOf(baseline);
  return (code) =>
    namesIn(code, (key, isGlobal) =>
      isGlobal ? lacking.globals.has(key) : lacking.members.has(key) && !all.members.has(key),
    );
};

/** The names in a script that count: globals, members, and members of a global, such as `URL.canParse`. */
const namesIn = (code: string, counts: (key: string, isGlobal: boolean) => boolean): ReadonlySet<string> => {
  const found = new Set<string>();
  const see = (key: string, isGlobal = false) => {
    if (counts(key, isGlobal)) found.add(key);
  };
  const visit = (node: unknown): void => {
    if (Object(node) !== node) return;
    const { type, computed, name, object, property, properties } = Object(node);
    if (type === 'Identifier') see(name, true);
    if (type === 'MemberExpression' && !computed) {
      see(property.name);
      see(`${object.name}.${property.name}`);
    }
    if (type === 'ObjectPattern') for (const { key } of properties) see(key?.name);
    Object.values(Object(node)).forEach(visit);
  };
  visit(parseAst(code));
  return found;
};

/** Finds the properties, selectors, at-rules and functions in a style sheet that one of these browsers lacks. */
export const findLackingStyles = (baseline: Baseline): FindLacking => {
  const { properties, selectors, types, 'at-rules': rules } = bcd.css;
  const functions = statementsIn(types).flatMap(([, , type]) => statementsIn(type));
  const tables = [
    [/[{;]\s*([a-z-]+)\s*:/g, statementsIn(properties)],
    [/::?([a-z-]+)/g, statementsIn(selectors)],
    [/@([a-z-]+)/g, statementsIn(rules)],
    [/([a-z-]+)\(/g, functions],
  ] as const;
  return (css) => {
    const found = new Set<string>();
    for (const [pattern, statements] of tables)
      for (const [, name = ''] of css.matchAll(pattern)) {
        const known = statements.filter(([one]) => one === name);
        if (known.length > 0 && known.every(([, statement]) => isLacking(statement, baseline)))
          found.add(name);
      }
    return found;
  };
};
