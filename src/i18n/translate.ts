import type { Catalog, MessageKey } from './en.ts';

/** Values for the `{placeholders}` of a text. */
export type Values = Readonly<Record<string, string | number>>;

/**
 * The text of that key with its `{placeholders}` replaced; one without a value stays visible. Empty while the catalog does
 * not have the text yet.
 */
export function translate(catalog: Partial<Catalog>, key: MessageKey, values: Values = {}): string {
  return (catalog[key] ?? '').replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : placeholder,
  );
}
