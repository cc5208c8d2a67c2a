/** Counts the pieces of work that were begun; shared by the tables of one store. */
export type Moments = { now: number };

/**
 * A table of the store: rows by key, in order of arrival.
 *
 * It remembers which rows somebody took into the hand, and when, so that whoever keeps the store on a disk
 * (`persistence.ts`) need not look at all of them after each request. A row that was looked at may be changed for as long
 * as the work lasts in which it was; one that was not looked at cannot have been.
 */
export class Table<Row> extends Map<string, Row> {
  /** `null` until somebody watches: a store that nobody keeps pays nothing. */
  #moments: Moments | null = null;
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

  /** From now on it is remembered what is touched. All there is counts as touched before. */
  watch(moments: Moments): void {
    this.#moments = moments;
    for (const key of super.keys()) this.#touched.set(key, -1);
  }

  /**
   * Each key that was touched, and what is there now; `undefined`: nothing any more. Those that were touched before
   * the moment `still`, in which the oldest work still under way began, are forgotten.
   */
  takeTouched(still: number): [string, Row | undefined][] {
    return Array.from(this.#touched, ([key, moment]): [string, Row | undefined] => {
      if (moment < still) this.#touched.delete(key);
      return [key, super.get(key)];
    });
  }

  #touch(key: string): void {
    if (this.#moments !== null) this.#touched.set(key, this.#moments.now);
  }

  #touchAll(): void {
    if (this.#moments !== null) for (const key of super.keys()) this.#touch(key);
  }
}
