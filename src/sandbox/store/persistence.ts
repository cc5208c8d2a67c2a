/**
 * `--state file.json`: saves the store to a file.
 *
 * The file has a header line, then JSON lines, each with the changes of one or more requests. It is rewritten when
 * most of it is outdated. A response is sent only after the changes it reports are on the disk, so a killed process
 * loses nothing that it has confirmed. A truncated last line belongs to a request that got no response. The request
 * log, rate limits and faults are not saved.
 */
import { hash } from 'node:crypto';
import { OptionError } from '../core/option-error.ts';
import { openStateFile, type StateFile } from './state-file.ts';
import { LOGS, type Store } from './store.ts';
import { Table, type WorkCounter } from './table.ts';

/** The first line of every file. Raise the version when older files can no longer be read. */
const HEADER = { format: 'card-form sandbox state', version: 1 } as const;

/** What is saved besides the store. */
export type Extras = {
  /** How far the clock has been moved, in milliseconds. */
  clockOffset: number;
  /** How many random characters ids have used, so that a seeded sequence continues instead of repeating ids. */
  chanceUsed: number;
};

/** Saves the store of a service, or does nothing (`noPersistence`). */
export type Persistence = {
  /** Whether a saved state was loaded. */
  loaded: boolean;
  extras: Extras;
  /** Starts work that may change the rows it reads, until it calls the returned function. */
  beginWork(): () => void;
  /**
   * Resolves when all changes up to now are on the disk. Responses and webhooks wait for it. Rejects if the write
   * fails; the next call retries all of it.
   */
  save(extras: () => Extras): Promise<void>;
  /** Saves a last time and releases the file. */
  close(extras: () => Extras): Promise<void>;
};

const NO_EXTRAS: Extras = { clockOffset: 0, chanceUsed: 0 };

/** For a store that is in memory only. */
export const noPersistence = (): Persistence => ({
  loaded: false,
  extras: NO_EXTRAS,
  beginWork: () => () => {},
  save: () => Promise.resolve(),
  close: () => Promise.resolve(),
});

/** Maximum rows per line of a rewritten file: a single line could exceed the maximum length of a string. */
const MAX_ROWS_PER_LINE = 1000;

/**
 * Loads the file at `path` into an empty store and saves the store to it from now on. Creates the file if it does not
 * exist. Throws an `OptionError`, and leaves the file unchanged, if it is not a state file, is damaged, or is in use
 * by another sandbox.
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
    return startSaving(file, tables, logs, values, load(file, tables, logs, values));
  } catch (error) {
    file.release();
    throw error;
  }
};

type Tables = ReadonlyMap<string, Table<unknown>>;
type Logs = ReadonlyMap<string, unknown[]>;
/** The properties that are neither tables nor logs. They are saved and replaced whole. */
type Values = {
  names: readonly string[];
  get: (name: string) => unknown;
  set: (name: string, value: unknown) => void;
};

const isTable = (entry: [string, unknown]): entry is [string, Table<unknown>] => entry[1] instanceof Table;
const isLog = (entry: [string, unknown]): entry is [string, unknown[]] =>
  Array.isArray(entry[1]) && LOGS.some((name) => name === entry[0]);

/** Reads the whole file into the store, or throws. */
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
          `it has version ${JSON.stringify(line.version)}, and this sandbox reads version ${HEADER.version}`,
        );
      }
      return;
    }
    const unreadable = () => fail(`its line ${number} cannot be read`);
    if (line === null) throw unreadable();
    for (const [name, key, row] of listOf(line.put, unreadable)) {
      const table = tables.get(`${name}`);
      if (table === undefined || typeof key !== 'string' || row === undefined) throw unreadable();
      decodeSets(row);
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
    const value: unknown = JSON.parse(text);
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

/** The key that marks a `Set` in JSON: `{"$set": […]}`. No API value has this form. */
const SET_KEY = '$set';

/** A row of which all is plain data. Not a function given to `JSON.stringify`, which then takes several times longer. */
const encodeSets = (row: unknown): unknown => {
  if (typeof row !== 'object' || row === null) return row;
  const sets = Object.entries(row).filter(([, value]) => value instanceof Set);
  if (sets.length === 0) return row;
  return { ...row, ...Object.fromEntries(sets.map(([key, value]) => [key, { [SET_KEY]: [...value] }])) };
};

/** Puts the `Set`s back into a row. Not a function given to `JSON.parse`, for the same reason. */
const decodeSets = (row: unknown): void => {
  if (typeof row !== 'object' || row === null) return;
  for (const [key, value] of Object.entries<unknown>({ ...row })) {
    if (typeof value === 'object' && value !== null && SET_KEY in value && Array.isArray(value[SET_KEY]))
      Reflect.set(row, key, new Set(value[SET_KEY]));
  }
};

const textOf = (table: string, key: string, row: unknown): string =>
  JSON.stringify([table, key, encodeSets(row)]);

const digestOf = (text: string): string => hash('sha256', text, 'base64');

/** Writes the state as lines of the file. Remembers what was written. */
const createWriter = (tables: Tables, logs: Logs, values: Values) => {
  /** A digest of each row as last written, by table and key. Keeping the text itself would double the memory. */
  const digests = new Map(Array.from(tables.keys(), (name) => [name, new Map<string, string>()]));
  const writtenEntries = new Map<string, number>();
  const valuesWritten = new Map<string, string>();
  let extrasWritten = '';

  /** The changes since the last call, as a line of the file; `null` if nothing changed. `running`: work, oldest first. */
  const changes = (extras: Extras, running: Iterable<number>): string | null => {
    const [oldestRunning = Infinity] = running;
    const put: string[] = [];
    const drop: string[] = [];
    const add: string[] = [];
    const is: string[] = [];
    for (const [name, table] of tables) {
      const written = digests.get(name);
      for (const [key, row] of table.takeTouched(oldestRunning)) {
        if (row === undefined) {
          if (written?.delete(key)) drop.push(JSON.stringify([name, key]));
          continue;
        }
        const text = textOf(name, key, row);
        const digest = digestOf(text);
        if (written?.get(key) === digest) continue;
        written?.set(key, digest);
        put.push(text);
      }
    }
    for (const [name, log] of logs) {
      for (const entry of log.slice(writtenEntries.get(name) ?? 0)) add.push(JSON.stringify([name, entry]));
      writtenEntries.set(name, log.length);
    }
    for (const name of values.names) {
      const text = JSON.stringify([name, values.get(name)]);
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

  /** The whole state, as the lines of a new file. One at a time: together they would double the memory. */
  const allLines = function* (extras: Extras): Generator<string> {
    yield `${JSON.stringify(HEADER)}\n`;
    const nothing = { put: [], drop: [], add: [], is: [], extras: null };
    for (const [name, table] of tables) {
      let put: string[] = [];
      for (const [key, row] of table.keyedRows()) {
        const text = textOf(name, key, row);
        digests.get(name)?.set(key, digestOf(text));
        if (put.push(text) < MAX_ROWS_PER_LINE) continue;
        yield lineOf({ ...nothing, put });
        put = [];
      }
      if (put.length > 0) yield lineOf({ ...nothing, put });
    }
    for (const [name, log] of logs) {
      for (let start = 0; start < log.length; start += MAX_ROWS_PER_LINE) {
        const entries = log.slice(start, start + MAX_ROWS_PER_LINE);
        yield lineOf({ ...nothing, add: entries.map((entry) => JSON.stringify([name, entry])) });
      }
      writtenEntries.set(name, log.length);
    }
    const is = values.names.map((name) => {
      const text = JSON.stringify([name, values.get(name)]);
      valuesWritten.set(name, text);
      return text;
    });
    extrasWritten = JSON.stringify(extras);
    yield lineOf({ ...nothing, is, extras: extrasWritten });
  };

  return { changes, allLines };
};

const startSaving = (
  file: StateFile,
  tables: Tables,
  logs: Logs,
  values: Values,
  { loaded, extras: extrasAtStart }: { loaded: boolean; extras: Extras },
): Persistence => {
  const { changes, allLines } = createWriter(tables, logs, values);
  const work: WorkCounter = { started: 0 };
  /** The numbers of the work that is still running, the oldest first. */
  const running = new Set<number>();
  let waiting: string[] = [];
  let lastWrite: Promise<void> = Promise.resolve();
  let nextWrite: Promise<void> | null = null;
  let closed = false;
  let extrasNow = () => extrasAtStart;

  const write = async (): Promise<void> => {
    nextWrite = null;
    const lines = waiting;
    waiting = [];
    const rewrites = file.isMostlyOutdated();
    // The new file includes the latest changes, so take them now: they must not be appended again.
    const since = rewrites ? changes(extrasNow(), running) : null;
    if (since !== null) lines.push(since);
    try {
      if (rewrites) file.rewrite(allLines(extrasNow()));
      else await file.append(lines.join(''));
    } catch (error) {
      waiting = [...lines, ...waiting];
      throw error;
    }
  };

  const save = (extras: () => Extras): Promise<void> => {
    if (closed) return lastWrite;
    extrasNow = extras;
    const line = changes(extras(), running);
    if (line !== null) waiting.push(line);
    // The response may report changes of another request whose line is still being written.
    if (waiting.length === 0) return lastWrite;
    if (nextWrite === null) {
      nextWrite = lastWrite.catch(() => {}).then(write);
      lastWrite = nextWrite;
      // Callers that wait get the rejection. This handler avoids an unhandled one if nobody waits.
      lastWrite.catch(() => {});
    }
    return nextWrite;
  };

  for (const table of tables.values()) table.watch(work);
  file.rewrite(allLines(extrasAtStart));
  return {
    loaded,
    extras: extrasAtStart,
    beginWork: () => {
      work.started += 1;
      const number = work.started;
      running.add(number);
      return () => running.delete(number);
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
