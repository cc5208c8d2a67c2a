/**
 * `--state file.json`: saves the store to a file.
 *
 * The file has a header line, then JSON lines, each with the changes of one or more requests. It is rewritten when
 * most of it is outdated. A response leaves only after the changes it reports are on the disk, so a killed process
 * loses nothing that it has answered. A last line that was cut off belongs to a request that got no response. The
 * request log, rate limits and faults are not saved.
 */
import { createHash } from 'node:crypto';
import { OptionError } from '../core/option-error.ts';
import { openStateFile, type StateFile } from './state-file.ts';
import { LOGS, type Store } from './store.ts';
import { type Moments, Table } from './table.ts';

/** Written into every file. Raised when a file of before can no longer be understood. */
const HEADER = { format: 'card-form sandbox state', version: 1 } as const;

/** What is saved besides the store. */
export type Extras = {
  /** How far the clock was moved, in milliseconds. */
  clockOffset: number;
  /** How many random characters ids have used, so that a seeded sequence continues instead of repeating ids. */
  chanceUsed: number;
};

/** Saves the store of a service, or does nothing (`noPersistence`). */
export type Persistence = {
  /** Whether there was anything to load. */
  loaded: boolean;
  extras: Extras;
  /** Begins a piece of work that may change the rows it has read until it calls the returned function. */
  beginWork(): () => void;
  /**
   * Resolves when everything that was changed up to now is on the disk. Whatever leaves the service waits for it.
   * Rejects where the disk refuses; the next call tries again with all of it.
   */
  save(extras: () => Extras): Promise<void>;
  /** Saves a last time and lets go of the file. */
  close(extras: () => Extras): Promise<void>;
};

const NO_EXTRAS: Extras = { clockOffset: 0, chanceUsed: 0 };

/** For a service whose store lives only in memory. */
export const noPersistence = (): Persistence => ({
  loaded: false,
  extras: NO_EXTRAS,
  beginWork: () => () => {},
  save: () => Promise.resolve(),
  close: () => Promise.resolve(),
});

/** Rows a line of a file that is begun anew holds at most: one line of everything may be longer than a string can be. */
const ROWS_A_LINE = 1000;

/**
 * Loads the file at `path` into an empty store and keeps the store in it from now on; where there is no file, one
 * is begun. Throws an `OptionError` where what is there is not such a file, is broken, or is held by another
 * sandbox. What is there is then left as it is.
 */
export const openPersistence = (path: string, store: Store, open = openStateFile): Persistence => {
  const tables = new Map(Object.entries<unknown>(store).filter(isTable));
  const logs = new Map(Object.entries<unknown>(store).filter(isLog));
  const values: Values = {
    names: Object.keys(store).filter((name) => !tables.has(name) && !logs.has(name)),
    get: (name) => Object.entries<unknown>(store).find(([own]) => own === name)?.[1],
    set: (name, value) => void Reflect.set(store, name, value),
  };
  const file = open(path);
  try {
    return keep(file, tables, logs, values, load(file, tables, logs, values));
  } catch (error) {
    file.release();
    throw error;
  }
};

type Tables = ReadonlyMap<string, Table<unknown>>;
type Logs = ReadonlyMap<string, unknown[]>;
/** What is neither: kept whole, and replaced whole. */
type Values = {
  names: readonly string[];
  get: (name: string) => unknown;
  set: (name: string, value: unknown) => void;
};

const isTable = (entry: [string, unknown]): entry is [string, Table<unknown>] => entry[1] instanceof Table;
const isLog = (entry: [string, unknown]): entry is [string, unknown[]] =>
  Array.isArray(entry[1]) && LOGS.some((name) => name === entry[0]);

/** Reads everything, or throws. */
const load = (
  file: StateFile,
  tables: Tables,
  logs: Logs,
  values: Values,
): { loaded: boolean; extras: Extras } => {
  let extras = NO_EXTRAS;
  let loaded = false;
  file.readLines((text, number) => {
    const fail = (why: string) =>
      new OptionError(
        `The state file ${file.path} cannot be used: ${why}. It was left as it is; name another file, or move this one away.`,
      );
    const line = readLine(text);
    if (number === 1) {
      if (line?.format !== HEADER.format) throw fail('it is not a state file of this sandbox');
      if (line.version !== HEADER.version) {
        throw fail(
          `it is of version ${JSON.stringify(line.version)}, and this sandbox reads version ${HEADER.version}`,
        );
      }
      return;
    }
    const unreadable = () => fail(`its line ${number} cannot be read`);
    if (line === null) throw unreadable();
    for (const [name, key, row] of listOf(line.put, unreadable)) {
      const table = tables.get(`${name}`);
      if (table === undefined || typeof key !== 'string' || row === undefined) throw unreadable();
      table.set(key, row);
    }
    for (const [name, key] of listOf(line.drop, unreadable)) {
      const table = tables.get(`${name}`);
      if (table === undefined || typeof key !== 'string') throw unreadable();
      table.delete(key);
    }
    for (const [name, entry] of listOf(line.add, unreadable)) {
      const log = logs.get(`${name}`);
      if (log === undefined || entry === undefined) throw unreadable();
      log.push(entry);
    }
    for (const [name, value] of listOf(line.is, unreadable)) {
      if (!values.names.includes(`${name}`) || value === undefined) throw unreadable();
      values.set(`${name}`, value);
    }
    if (line.aside !== undefined) extras = parseExtras(line.aside, unreadable);
    loaded = true;
  });
  return { loaded, extras };
};

const readLine = (text: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(text, revived);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
};

const listOf = (value: unknown, unreadable: () => Error): unknown[][] => {
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every(Array.isArray)) throw unreadable();
  return value;
};

const parseExtras = (value: unknown, unreadable: () => Error): Extras => {
  if (typeof value === 'object' && value !== null && 'clockOffset' in value && 'chanceUsed' in value) {
    const { clockOffset, chanceUsed } = value;
    if (typeof clockOffset === 'number' && typeof chanceUsed === 'number') return { clockOffset, chanceUsed };
  }
  throw unreadable();
};

/** A `Set` as JSON. No value of the API is an object of this one key with a list in it. */
const SET = '$set';
const written = (_key: string, value: unknown): unknown =>
  value instanceof Set ? { [SET]: [...value] } : value;
const revived = (_key: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || !(SET in value)) return value;
  return Array.isArray(value[SET]) ? new Set(value[SET]) : value;
};

const keep = (
  file: StateFile,
  tables: Tables,
  logs: Logs,
  values: Values,
  { loaded, extras: extrasAtStart }: { loaded: boolean; extras: Extras },
): Persistence => {
  /** What each row was when it was last written, as a digest: the text itself would be all of it twice. */
  const digests = new Map<string, string>();
  const writtenEntries = new Map<string, number>();
  const valuesWritten = new Map<string, string>();
  const moments: Moments = { now: 0 };
  /** The moments in which the work that is still under way began, the oldest first. */
  const working = new Set<number>();
  let extrasWritten = '';

  /** What changed since it was last asked, as a line; `null` where nothing did. */
  const changes = (extras: Extras): string | null => {
    const put: string[] = [];
    const drop: string[] = [];
    const add: string[] = [];
    const is: string[] = [];
    const [still = Infinity] = working;
    for (const [name, table] of tables) {
      for (const [key, row] of table.takeTouched(still)) {
        const place = `${name} ${key}`;
        if (row === undefined) {
          if (digests.delete(place)) drop.push(JSON.stringify([name, key]));
          continue;
        }
        const text = JSON.stringify([name, key, row], written);
        const digest = createHash('sha256').update(text).digest('base64');
        if (digests.get(place) === digest) continue;
        digests.set(place, digest);
        put.push(text);
      }
    }
    for (const [name, log] of logs) {
      for (const entry of log.slice(writtenEntries.get(name) ?? 0))
        add.push(JSON.stringify([name, entry], written));
      writtenEntries.set(name, log.length);
    }
    for (const name of values.names) {
      const text = JSON.stringify([name, values.get(name)], written);
      if (valuesWritten.get(name) === text) continue;
      valuesWritten.set(name, text);
      is.push(text);
    }
    const extrasText = JSON.stringify(extras);
    const areExtrasNew = extrasText !== extrasWritten;
    extrasWritten = extrasText;
    if (put.length + drop.length + add.length + is.length === 0 && !areExtrasNew) return null;
    return lineOf({ put, drop, add, is, extras: areExtrasNew ? extrasText : null });
  };

  /** Everything there is, as the lines of a new file. */
  const everything = (): string[] => {
    const lines = [`${JSON.stringify(HEADER)}\n`];
    let put: string[] = [];
    let add: string[] = [];
    const flush = (least: number) => {
      if (put.length + add.length < least) return;
      lines.push(lineOf({ put, drop: [], add, is: [], extras: null }));
      put = [];
      add = [];
    };
    for (const [name, table] of tables) {
      // By the map's own iteration: whoever writes all rows down changes none.
      for (const [key, row] of Map.prototype.entries.call(table)) {
        put.push(JSON.stringify([name, key, row], written));
        flush(ROWS_A_LINE);
      }
    }
    for (const [name, log] of logs) {
      for (const entry of log) {
        add.push(JSON.stringify([name, entry], written));
        flush(ROWS_A_LINE);
      }
    }
    flush(1);
    const is = values.names.map((name) => JSON.stringify([name, values.get(name)], written));
    lines.push(lineOf({ put: [], drop: [], add: [], is, extras: extrasWritten }));
    return lines;
  };

  let waiting: string[] = [];
  let lastWrite: Promise<void> = Promise.resolve();
  let nextWrite: Promise<void> | null = null;
  let closed = false;
  let extrasNow = () => extrasAtStart;

  const write = async (): Promise<void> => {
    nextWrite = null;
    const lines = waiting;
    waiting = [];
    const isAnew = file.isMostlyOutdated();
    // A new file holds what changed since, too: it must not be added to it once more.
    const since = isAnew ? changes(extrasNow()) : null;
    if (since !== null) lines.push(since);
    try {
      if (isAnew) file.begin(everything());
      else await file.append(lines.join(''));
    } catch (error) {
      waiting = [...lines, ...waiting];
      throw error;
    }
  };

  const save = (extras: () => Extras): Promise<void> => {
    if (closed) return lastWrite;
    extrasNow = extras;
    const line = changes(extras());
    if (line !== null) waiting.push(line);
    // What this answer tells of may have been changed by a request whose line is still on its way.
    if (waiting.length === 0) return lastWrite;
    if (nextWrite === null) {
      nextWrite = lastWrite.catch(() => {}).then(write);
      lastWrite = nextWrite;
      // A failed write is told to whoever waits for it; nobody may.
      lastWrite.catch(() => {});
    }
    return nextWrite;
  };

  for (const table of tables.values()) table.watch(moments);
  changes(extrasAtStart);
  file.begin(everything());
  return {
    loaded,
    extras: extrasAtStart,
    beginWork: () => {
      moments.now += 1;
      const began = moments.now;
      working.add(began);
      return () => working.delete(began);
    },
    save,
    close: async (extras) => {
      if (closed) return;
      const last = save(extras);
      closed = true;
      await last.catch(() => {});
      file.release();
    },
  };
};

const lineOf = ({
  put,
  drop,
  add,
  is,
  extras,
}: {
  put: readonly string[];
  drop: readonly string[];
  add: readonly string[];
  is: readonly string[];
  extras: string | null;
}): string => {
  const parts = [
    ...(put.length === 0 ? [] : [`"put":[${put.join()}]`]),
    ...(drop.length === 0 ? [] : [`"drop":[${drop.join()}]`]),
    ...(add.length === 0 ? [] : [`"add":[${add.join()}]`]),
    ...(is.length === 0 ? [] : [`"is":[${is.join()}]`]),
    ...(extras === null ? [] : [`"aside":${extras}`]),
  ];
  return `{${parts.join()}}\n`;
};
