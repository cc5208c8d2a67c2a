/**
 * Runs `hydrate` without touching the options of the lists below `root`. The components know only the first of each, so
 * Preact would remove the others (`first/early-lists.ts`) one by one, only for `Select` to add them again.
 */
export const keepOptions = (root: Element, hydrate: () => void): void => {
  const lists = root.querySelectorAll('select');
  for (const list of lists)
    Object.defineProperty(list, 'childNodes', { value: [list.firstChild], configurable: true });
  hydrate();
  for (const list of lists) Reflect.deleteProperty(list, 'childNodes');
};
