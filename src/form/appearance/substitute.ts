/** Puts the page's custom properties in place of `var()`, as CSS does. What comes out is parsed like any other value. */

/** Replaces each `var(--name)` by the page's value; if it has none, by what follows a comma, else by nothing. */
export type Substitute = (text: string) => string;

const VAR = /var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)/g;

/** `style` is what the loader read (`loader/describe-page.ts`): pairs of name and value. Anything else counts as none. */
export const substituteFrom = (style: unknown): Substitute => {
  const values = new Map<unknown, string>();
  for (const pair of Array.isArray(style) ? style : [])
    if (Array.isArray(pair) && typeof pair[1] === 'string') values.set(pair[0], pair[1].trim());
  return (text) =>
    text.replace(VAR, (_, name: string, otherwise = '') => values.get(name) || otherwise.trim());
};
