/** Counts the pieces of work that were started (`beginWork`). Shared by the tables of one store. */
export type WorkCounter = { started: number };

/** The last work that may have read or written a row, and the row as it was last saved, in JSON; `null`: not at all. */
type Touch = { at: number; saved: string | null };

/**
 * A table of the store: rows by key, in order of arrival. Rows are plain data.
 *
 * It records which rows were read or written, and when, so that `persistence.ts` does not have to compare all rows
 * after each request. Rows are mutable: work may change a row it has read until it ends. A row that was
 * not read cannot have changed, so what was saved of it is only kept from the first read to the end of the work.
 */
export class Table<Row> extends Map<string, Row> {
  /** `null` until `watch`: a store that is not saved has no overhead. */
  #work: WorkCounter | null = null;
  readonly #touched = new Map<string, Touch>();

  override get(key: string): Row | undefined {
    this.#touch(key);
    return super.get(key);
  }

  override set(key: string, row: Row): this {
    this.#touch(key);
    return super.set(key, row);
  }

  override delete(key: string): boolean {
    this.#touch(key);
    return super.delete(key);
  }

  override clear(): void {
    this.#touchAll();
    super.clear();
  }

  override forEach(visit: (row: Row, key: string, table: Map<string, Row>) => void): void {
    this.#touchAll();
    super.forEach(visit);
  }

  override values(): MapIterator<Row> {
    this.#touchAll();
    return super.values();
  }

  override entries(): MapIterator<[string, Row]> {
    this.#touchAll();
    return super.entries();
  }

  override [Symbol.iterator](): MapIterator<[string, Row]> {
    return this.entries();
  }

  /** The rows, without counting as a read: the caller must not change them. */
  rows(): MapIterator<Row> {
    return super.values();
  }

  /** The rows with their keys, without counting as a read. */
  keyedRows(): MapIterator<[string, Row]> {
    return super.entries();
  }

  /** Starts recording. Existing rows count as saved. */
  watch(work: WorkCounter): void {
    this.#work = work;
  }

  /**
   * The key of each row that changed since the last call, with the row in JSON; `null` if it was deleted. They count as
   * saved. Forgets the rows that were touched before the work number `oldestRunning`: no running work can still change
   * them.
   */
  takeChanges(oldestRunning: number): [string, string | null][] {
    const changes: [string, string | null][] = [];
    for (const [key, touch] of this.#touched) {
      const text = this.#textOf(key);
      if (text !== touch.saved) changes.push([key, text]);
      touch.saved = text;
      if (touch.at < oldestRunning) this.#touched.delete(key);
    }
    return changes;
  }

  #textOf(key: string): string | null {
    const row = super.get(key);
    return row === undefined ? null : JSON.stringify(row);
  }

  #touch(key: string): void {
    if (this.#work === null) return;
    const known = this.#touched.get(key);
    if (known === undefined) this.#touched.set(key, { at: this.#work.started, saved: this.#textOf(key) });
    else known.at = this.#work.started;
  }

  #touchAll(): void {
    if (this.#work !== null) for (const key of super.keys()) this.#touch(key);
  }
}
