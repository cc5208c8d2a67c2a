/**
 * Requests the entry's scripts before the entry imports them, `small` and `large` at low priority. Those in `small`,
 * which offer the payment, are requested immediately: they arrive while the link is otherwise idle, after the document
 * and before the answer to the first read. On a slow link those in `large` would delay that answer, so they are
 * requested when `main.ts` says so, once the form fits. A page that hasn't answered in time doesn't hold them up.
 *
 * The English document is also served by hosts that know no other language, and to an early frame without a language.
 * The script that shows the form in the browser's language is small and the form waits for it, so it is requested
 * immediately. If the page then asks for English, the request was wasted.
 *
 * This function is inlined as text (`document.ts`), so it must not use anything from another module. `folder` is the
 * address of the scripts. It reads their names and hashes from the document's import map; it sets the hash for engines
 * that support `integrity` on links but not in import maps.
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
  if (lang === 'en' && !/^en/.test(navigator.language)) request(address('other-language'), 'auto');
  const requestAll = (names: readonly string[]) => {
    for (const name of names) request(address(name), 'low');
  };
  requestAll(small);
  const requestRest = () => requestAll(large.splice(0));
  window.requestRest = requestRest;
  setTimeout(requestRest, 100);
};
