/**
 * Requests the scripts that the entry will import while the document is still being parsed: first the catalog of the
 * buyer's language, which is small and without which the form is not shown, then those in `always`. The browser would
 * request links in the markup before it runs any script, and the catalog would arrive behind 50 kB.
 *
 * It is inlined as text (`document.ts`), so it must not use anything from another module. `folder` is the address
 * of the scripts. Which there are, and their hashes, it reads in the document's import map; the hash is set for engines
 * that know `integrity` on links but not in import maps. The page may ask for another language than the browser's: then
 * the catalog was requested in vain.
 */
export const requestEarly = (folder: string, always: readonly string[]): void => {
  const [map] = document.scripts;
  const { integrity } = JSON.parse(map?.text ?? '{}');
  const address = (name: string) => `${folder}${name}.js`;
  const language = navigator.languages
    .map((tag) => (/^zh-(Hant|TW|HK|MO)/.test(tag) ? 'zh-Hant' : tag.slice(0, 2)))
    .find((name) => name === 'en' || integrity[address(name)]);
  for (const name of [language, ...always]) {
    const hash = integrity[address(`${name}`)];
    if (!hash) continue; // English has no catalog
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = address(`${name}`);
    link.integrity = hash;
    document.head.append(link);
  }
};
