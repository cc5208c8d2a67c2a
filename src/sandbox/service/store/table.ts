/**
 * A table of the store: rows by key, in order of arrival. Rows are plain data and read-only to all other code. `change`
 * is the only way to change a row; it records that the row must be saved.
 */
export class Table<Row> extends Map<string, Row> {
  /** Keys of rows that were put, changed or deleted since `takeChanges`; `null` until `watch`. */
  #changed: Set<string> | null = null;

  override set(key: string, row: Row): this {
    this.#changed?.add(key);
    return super.set(key, row);
  }

  /** Changes fields of a row. The row stays the same object, so that all holders see the change. */
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

  /** Starts recording changes. Existing rows count as saved. */
  watch(): void {
    this.#changed = new Set();
  }

  /**
   * Returns the key of each row that changed since the last call, with the row as JSON, or `null` if it was deleted.
   */
  takeChanges(): [string, string | null][] {
    const keys = [...(this.#changed ?? [])];
    this.#changed?.clear();
    return keys.map((key) => {
      const row = this.get(key);
      return [key, row === undefined ? null : JSON.stringify(row)];
    });
  }
}
