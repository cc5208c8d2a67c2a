/**
 * A table of the store: rows by key, in order of arrival. Rows are plain data and read-only to everybody else: a row
 * changes by `change`, which notes that it has to be saved.
 */
export class Table<Row> extends Map<string, Row> {
  /** The keys of rows that were put, changed or deleted since `takeChanges`; `null` until `watch`. */
  #changed: Set<string> | null = null;

  override set(key: string, row: Row): this {
    this.#changed?.add(key);
    return super.set(key, row);
  }

  /** Changes these fields of a row. It stays the same object, so that whoever holds it sees the change, too. */
  change(key: string, fields: Partial<Row>): void {
    const row = this.get(key);
    if (typeof row !== 'object' || row === null) return;
    Object.assign(row, fields);
    this.#changed?.add(key);
  }

  override delete(key: string): boolean {
    this.#changed?.add(key);
    return super.delete(key);
  }

  override clear(): void {
    for (const key of this.keys()) this.#changed?.add(key);
    super.clear();
  }

  /** Starts noting what changes. The rows that are there count as saved. */
  watch(): void {
    this.#changed = new Set();
  }

  /** The key of each row that changed since the last call, with the row in JSON; `null` if it was deleted. */
  takeChanges(): [string, string | null][] {
    const keys = [...(this.#changed ?? [])];
    this.#changed?.clear();
    return keys.map((key) => {
      const row = this.get(key);
      return [key, row === undefined ? null : JSON.stringify(row)];
    });
  }
}
