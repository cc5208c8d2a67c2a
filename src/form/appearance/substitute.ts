/** Substitutes the page's custom properties for `var()`, like CSS. The result is parsed like any other value. */

/** Replaces each `var(--name)` by the page's value, or else by the fallback after the comma, or else by nothing. */
export type Substitute = (text: string) => string;

const VAR = /var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)/g;

/**
 * `style` is the loader's reading (`loader/describe-page.ts`): pairs of name and value. Anything else counts as empty.
 */
export const substituteFrom = (style: unknown): Substitute => {
  const values = new Map<unknown, string>();
  for (const pair of Array.isArray(style) ? style : [])
    if (Array.isArray(pair) && typeof pair[1] === 'string') values.set(pair[0], pair[1].trim());
  return (text) =>
    text.replace(VAR, (_, name: string, otherwise = '') => values.get(name) || otherwise.trim());
};
