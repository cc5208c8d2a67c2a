/**
 * Requests the scripts that the entry will import before it does. Those in `small`, which offer the payment, at once: they
 * arrive while the link has nothing else to carry, after the document and before the answer to the first read. Those in `large`
 * would fill a slow link in front of that answer, so they are requested when `main.ts` says so, once the form fits. A page that has not answered in time does not keep them waiting. Both at a low priority.
 *
 * The English document is also that of a host that knows no other, and of an early frame that names no language. What shows
 * the form in the browser's language is small, the form waits for it, and it is requested at once. The page may ask for
 * English: then it was requested in vain.
 *
 * It is inlined as text (`document.ts`), so it must not use anything from another module. `folder` is the address of the
 * scripts. Which there are, and their hashes, it reads in the document's import map; the hash is set for engines that know
 * `integrity` on links but not in import maps.
 */
export const requestEarly = (folder: string, small: readonly string[], large: string[]): void => {
  const [map] = document.scripts;
  const { integrity } = JSON.parse(map?.text ?? '{}');
  const address = (name: string) => `${folder}${name}.js`;
  const { lang } = document.documentElement;
  const request = (href: string, priority: 'auto' | 'low') => {
    const hash = integrity[href];
    if (!hash) return;
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = href;
    link.integrity = hash;
    link.fetchPriority = priority;
    document.head.append(link);
  };
  if (lang === 'en' && !/^en/.test(navigator.language))
    for (const name of ['other-language', 'catalog-hashes']) request(address(name), 'auto');
  const requestAll = (names: readonly string[]) => {
    for (const name of names) request(address(name), 'low');
  };
  requestAll(small);
  const requestRest = () => requestAll(large.splice(0));
  window.requestRest = requestRest;
  setTimeout(requestRest, 100);
};
