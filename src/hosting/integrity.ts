/**
 * Puts the hashes of a release where the browser enforces them: into the frame's document for every script that it
 * loads, and into the loader for the one script that it loads.
 *
 * The import map is what all three engines enforce. WebKit ignores `integrity` on a `modulepreload` link, so the link
 * alone would not do; it has the hash as well, for engines that know no `integrity` in import maps.
 */
import { integrityOf } from './inline.ts';

/** Stands in the loader for the hash of `page.js`, until that file exists. */
export const PAGE_INTEGRITY = '__PAGE_INTEGRITY__';

/** The shorter hash: it cannot be compressed, and the frame's document has some seventy of them. */
const hashOf = (content: Buffer): string => integrityOf(content, 'sha256');

const PRELOAD = /<link rel="modulepreload" href="([^"]+)">/g;

/**
 * The frame's document with the hash of every script it may load, now or later. `scripts` by address. Throws where the
 * document loads a script that is not among them: no browser would run it.
 */
export const documentWithIntegrity = (html: string, scripts: ReadonlyMap<string, Buffer>): string => {
  const hashes = Object.fromEntries(Array.from(scripts, ([address, content]) => [address, hashOf(content)]));
  // A map counts only for what is loaded after it.
  const map = `<script type="importmap">${JSON.stringify({ integrity: hashes })}</script>\n`;
  const linked = html.replace(PRELOAD, (_, address: string) => {
    const hash = hashes[address];
    if (hash === undefined) throw new Error(`The frame's document loads ${address}, which was not built.`);
    return `<link rel="modulepreload" href="${address}" integrity="${hash}">`;
  });
  const first = /<(link|script)\b/.exec(linked)?.index;
  if (first === undefined) throw new Error("The frame's document loads no script.");
  return linked.slice(0, first) + map + linked.slice(first);
};

/** The loader with the hash of the script that it loads. Throws where it wants one and there is none. */
export const loaderWithIntegrity = (loader: string, page: Buffer | undefined): string => {
  if (!loader.includes(PAGE_INTEGRITY)) return loader;
  if (!page) throw new Error('The loader loads page.js, which was not built.');
  return loader.replaceAll(PAGE_INTEGRITY, hashOf(page));
};
