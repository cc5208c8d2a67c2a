/**
 * `--state file.json`: saves the store to a file.
 *
 * The file has a header line, then JSON lines, each with the changes of one or more requests. An existing file is
 * appended to, and rewritten when most of it is outdated. A response is sent only after the changes that it reports are
 * on disk, so a killed process loses nothing that it has confirmed. A truncated last line belongs to a request that got
 * no response. The request log, rate limits and faults are not saved.
 */
import { OptionError } from '../../../api/command/option-error.ts';
import { openStateFile, type StateFile } from './state-file.ts';
import { LOGS, type Store } from './store.ts';
import { Table } from './table.ts';

/** The first line of every file. Raise the version when older files can no longer be read. */
const HEADER = { format: 'card-form sandbox state', version: 1 } as const;

/** State that is saved in addition to the store. */
export type Extras = {
  /** How far the clock has been moved, in milliseconds. */
  clockOffset: number;
  /**
   * The number of random characters that ids have used, so that a seeded sequence continues instead of repeating ids.
   */
  chanceUsed: number;
};

/** Saves the store of a service, or does nothing (`noPersistence`). */
export type Persistence = {
  /** True if a saved state was loaded. */
  loaded: boolean;
  extras: Extras;
  /**
   * Resolves when all changes so far are on disk. Responses and webhooks wait for it. Rejects if the write fails; the
   * next call retries all of it.
   */
  save(extras: () => Extras): Promise<void>;
  /** Saves a last time and releases the file. */
  close(extras: () => Extras): Promise<void>;
};

const NO_EXTRAS: Extras = { clockOffset: 0, chanceUsed: 0 };

/** For a store that is only in memory. */
export const noPersistence = (): Persistence => ({
  loaded: false,
  extras: NO_EXTRAS,
  save: () => Promise.resolve(),
  close: () => Promise.resolve(),
});

/** Maximum rows per line of a rewritten file: reading a line puts all of it in memory. */
const MAX_ROWS_PER_LINE = 100;

/**
 * Loads the file at `path` into an empty store and saves the store to it from now on. Creates the file if it does not
 * exist. Throws an `OptionError`, and leaves the file unchanged, if it is not a state file, is damaged, or is in use by
 * another sandbox.
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
/** The store's properties that are neither tables nor logs. They are saved and replaced as a whole. */
type Values = {
  names: readonly string[];
  get: (name: string) => unknown;
  set: (name: string, value: unknown) => void;
};

const isTable = (entry: [string, unknown]): entry is [string, Table<unknown>] => entry[1] instanceof Table;
const isLog = (entry: [string, unknown]): entry is [string, unknown[]] =>
  Array.isArray(entry[1]) && LOGS.some((name) => name === entry[0]);

/** `inForce` is the share of the file's changes that no later change has replaced. */
type Loaded = { loaded: boolean; extras: Extras; inForce: number };

/** Reads the whole file into the store, or throws. */
const load = (file: StateFile, tables: Tables, logs: Logs, values: Values): Loaded => {
  let extras = NO_EXTRAS;
  let loaded = false;
  let changes = 0;
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
    const lists = [line.put, line.drop, line.add, line.is].map((list) => listOf(list, unreadable));
    const [put = [], drop = [], add = [], is = []] = lists;
    changes += put.length + drop.length + add.length;
    const keys = new Map<unknown, string>();
    for (const [name, key, row] of put) {
      const table = tables.get(`${name}`);
      if (table === undefined || typeof key !== 'string' || row === undefined) throw unreadable();
      const own = ownKey(key, row);
      keys.set(own, own);
      table.set(own, row);
    }
    for (const [name, key] of drop) {
      const table = tables.get(`${name}`);
      if (table === undefined || typeof key !== 'string') throw unreadable();
      table.delete(key);
    }
    for (const [name, entry] of add) {
      const log = logs.get(`${name}`);
      if (log === undefined || entry === undefined) throw unreadable();
      shareKeys(entry, keys);
      log.push(entry);
    }
    for (const [name, value] of is) {
      if (!values.names.includes(`${name}`) || value === undefined) throw unreadable();
      values.set(`${name}`, value);
    }
    if (line.aside !== undefined) extras = parseExtras(line.aside, unreadable);
    loaded = true;
  });
  let inForce = 0;
  for (const rows of tables.values()) inForce += rows.size;
  for (const entries of logs.values()) inForce += entries.length;
  return { loaded, extras, inForce: changes === 0 ? 1 : inForce / changes };
};

/** Returns the row's `id` if it equals the key, so that only one copy of the text stays in memory. */
const ownKey = (key: string, row: unknown): string =>
  typeof row === 'object' && row !== null && 'id' in row && row.id === key ? row.id : key;

/** Interns the row keys in an entry, also to save memory. */
const shareKeys = (entry: unknown, keys: ReadonlyMap<unknown, string>): void => {
  if (typeof entry !== 'object' || entry === null) return;
  for (const [field, value] of Object.entries(entry)) {
    const key = keys.get(value);
    if (key !== undefined) Reflect.set(entry, field, key);
  }
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

/** Writes the state as lines of the file and remembers what was written, starting from the loaded state. */
const createWriter = (tables: Tables, logs: Logs, values: Values, loaded: Extras) => {
  const textOf = (name: string): string => JSON.stringify([name, values.get(name)]);
  const writtenEntries = new Map(Array.from(logs, ([name, log]) => [name, log.length]));
  const valuesWritten = new Map(values.names.map((name) => [name, textOf(name)]));
  let extrasWritten = JSON.stringify(loaded);

  /** Returns the changes since the last call as a line of the file, or `null` if nothing changed. */
  const changes = (extras: Extras): string | null => {
    const put: string[] = [];
    const drop: string[] = [];
    const add: string[] = [];
    const is: string[] = [];
    for (const [name, table] of tables) {
      for (const [key, text] of table.takeChanges()) {
        if (text === null) drop.push(JSON.stringify([name, key]));
        else put.push(`[${JSON.stringify(name)},${JSON.stringify(key)},${text}]`);
      }
    }
    for (const [name, log] of logs) {
      for (const entry of log.slice(writtenEntries.get(name) ?? 0)) add.push(JSON.stringify([name, entry]));
      writtenEntries.set(name, log.length);
    }
    for (const name of values.names) {
      const text = textOf(name);
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

  /** Generates the whole state as the lines of a new file. One at a time: all at once would double the memory use. */
  const allLines = function* (extras: Extras): Generator<string> {
    yield `${JSON.stringify(HEADER)}\n`;
    const nothing = { put: [], drop: [], add: [], is: [], extras: null };
    for (const [name, table] of tables) {
      let put: string[] = [];
      for (const [key, row] of table) {
        if (put.push(JSON.stringify([name, key, row])) < MAX_ROWS_PER_LINE) continue;
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
    }
    yield lineOf({ ...nothing, is: values.names.map(textOf), extras: JSON.stringify(extras) });
  };

  return { changes, allLines };
};

const startSaving = (
  file: StateFile,
  tables: Tables,
  logs: Logs,
  values: Values,
  { loaded, extras: extrasAtStart, inForce }: Loaded,
): Persistence => {
  const { changes, allLines } = createWriter(tables, logs, values, extrasAtStart);
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
    // The new file includes the latest changes. Take them now, so that they are not appended again.
    const since = rewrites ? changes(extrasNow()) : null;
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
    const line = changes(extras());
    if (line !== null) waiting.push(line);
    // The response may report another request's changes whose line is still being written.
    if (waiting.length === 0) return lastWrite;
    if (nextWrite === null) {
      nextWrite = lastWrite.catch(() => {}).then(write);
      lastWrite = nextWrite;
      // Waiting callers get the rejection. This handler avoids an unhandled one if nobody waits.
      lastWrite.catch(() => {});
    }
    return nextWrite;
  };

  for (const table of tables.values()) table.watch();
  if (!file.resume(inForce)) file.rewrite(allLines(extrasAtStart));
  return {
    loaded,
    extras: extrasAtStart,
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
