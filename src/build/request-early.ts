/**
 * Requests the scripts that the entry will import before it does: those in `always` and the catalog of the document's
 * language. They would fill a slow link in front of the answer to the first read, so they are requested at a low priority,
 * and when `main.ts` says so: those that offer the payment once the read was sent, before it makes the form fit, which takes a slow
 * processor some 90 ms; then the others, which would share a slow link with them. A page that has not answered in time does not
 * keep them waiting.
 *
 * The English document is also that of a host that knows no other, and of an early frame that names no language. What shows
 * the form in the browser's language is small, the form waits for it, and it is requested at once. The page may ask for
 * another language: then it was requested in vain.
 *
 * It is inlined as text (`document.ts`), so it must not use anything from another module. `folder` is the address of the
 * scripts. Which there are, and their hashes, it reads in the document's import map; the hash is set for engines that know
 * `integrity` on links but not in import maps.
 */
export const requestEarly = (folder: string, always: string[]): void => {
  const [map] = document.scripts;
  const { integrity } = JSON.parse(map?.text ?? '{}');
  const address = (name: string) => `${folder}${name}.js`;
  const { lang } = document.documentElement;
  const language = navigator.languages
    .map((tag) => (/^zh-(Hant|TW|HK|MO)/.test(tag) ? 'zh-Hant' : tag.slice(0, 2)))
    .find((name) => name === 'en' || integrity[address(name)]);
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
  if (lang !== 'en') always.push(lang);
  else if (language && language !== 'en')
    for (const name of [language, 'other-language']) request(address(name), 'auto');
  const requestRest = (most = 9) => {
    for (const name of always.splice(0, most)) request(address(name), 'low');
  };
  window.requestRest = requestRest;
  setTimeout(() => requestRest(), 100);
};
