/**
 * Reads an own property of any value. Inherited ones don't count: a polluted prototype must not answer for a message.
 */
export const ownProperty = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;

/** The keys of one of our tables, which has exactly the keys of its type. */
export const keysOf = <Table extends object>(table: Table): readonly Extract<keyof Table, string>[] =>
  Object.keys(table).filter((key): key is Extract<keyof Table, string> => Object.hasOwn(table, key));

/** A copy without a prototype, so that a polluted prototype can't supply missing properties. */
export const ownProperties = <Value extends object>(value: Value | undefined): Value =>
  Object.assign(Object.create(null), value);
