import type { Catalog, MessageKey } from './en.ts';

/** Values for the `{placeholders}` of a text. */
export type Replacements = Readonly<Record<string, string | number>>;

/**
 * The text for this key with its `{placeholders}` replaced; one without a value stays visible. Empty while the catalog
 * doesn't have the text yet.
 */
export const translate = (catalog: Partial<Catalog>, key: MessageKey, values: Replacements = {}): string => {
  return (catalog[key] ?? '').replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : placeholder,
  );
};
