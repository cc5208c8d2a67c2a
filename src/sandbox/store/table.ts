/** Counts the pieces of work that were started (`beginWork`). Shared by the tables of one store. */
export type WorkCounter = { started: number };

/**
 * A table of the store: rows by key, in order of arrival.
 *
 * It records which rows were read or written, and when, so that `persistence.ts` does not have to compare all rows
 * after each request. Rows are mutable: work may change a row it has read until it ends. A row that was
 * not read cannot have changed.
 */
export class Table<Row> extends Map<string, Row> {
  /** `null` until `watch`: a store that is not saved has no overhead. */
  #work: WorkCounter | null = null;
  readonly #touched = new Map<string, number>();

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

  /** Starts recording. Existing rows count as not touched: the caller saves them all. */
  watch(work: WorkCounter): void {
    this.#work = work;
  }

  /**
   * Each touched key with its current row; `undefined` if the row was deleted. Forgets the rows that were touched
   * before the work number `oldestRunning`: no running work can still change them.
   */
  takeTouched(oldestRunning: number): [string, Row | undefined][] {
    return Array.from(this.#touched, ([key, touchedAt]): [string, Row | undefined] => {
      if (touchedAt < oldestRunning) this.#touched.delete(key);
      return [key, super.get(key)];
    });
  }

  #touch(key: string): void {
    if (this.#work !== null) this.#touched.set(key, this.#work.started);
  }

  #touchAll(): void {
    if (this.#work !== null) for (const key of super.keys()) this.#touch(key);
  }
}
