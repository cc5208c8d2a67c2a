/**
 * A table of the store: rows by key, in order of arrival.
 *
 * It remembers which rows somebody took into the hand, so that whoever keeps the store on a disk (`state.ts`) need
 * not look at all of them after each request. A row that was looked at may have been changed; one that was not
 * looked at cannot have been. Hence one law for everybody who changes rows: take them from the table again after
 * every `await`.
 */
export class Table<Row> extends Map<string, Row> {
  /** `null` until somebody asks: a store that nobody keeps pays nothing. */
  #touched: Set<string> | null = null;

  override get(key: string): Row | undefined {
    this.#touched?.add(key);
    return super.get(key);
  }

  override set(key: string, row: Row): this {
    this.#touched?.add(key);
    return super.set(key, row);
  }

  override delete(key: string): boolean {
    this.#touched?.add(key);
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

  /** The keys that were touched since this was last asked, and what is there now; `undefined`: nothing any more. */
  takeTouched(): [string, Row | undefined][] {
    const touched = this.#touched ?? super.keys();
    const rows = Array.from(touched, (key): [string, Row | undefined] => [key, super.get(key)]);
    this.#touched = new Set();
    return rows;
  }

  #touchAll(): void {
    if (this.#touched !== null) for (const key of super.keys()) this.#touched.add(key);
  }
}
