/** Reads a property of any value at all, but only its own: a polluted prototype must not answer for a message. */
export const ownProperty = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;

/** The keys of a table of ours, which has no others than its type says. */
export const keysOf = <Table extends object>(table: Table): readonly Extract<keyof Table, string>[] =>
  Object.keys(table).filter((key): key is Extract<keyof Table, string> => Object.hasOwn(table, key));

/** A copy without a prototype: what it does not have itself, a polluted prototype does not answer. */
export const ownProperties = <Value extends object>(value: Value | undefined): Value =>
  Object.assign(Object.create(null), value);
