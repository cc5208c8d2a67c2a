/**
 * Writes the hashes of a release's scripts where browsers enforce them: into the frame's document for every script that
 * the frame loads, and into the loader and its second file for the one script that each of them loads.
 *
 * All three engines enforce the import map. The scripts that are requested early (`request-early.ts`) get
 * their hash from it, too, for engines without `integrity` in import maps. WebKit ignores that one.
 */
import { integrityOf } from '../operate/hosting/inline.ts';

/** The placeholder in the loader for the hash of `page.js`. */
export const PAGE_INTEGRITY = '__PAGE_INTEGRITY__';

/** The placeholder in `page.js` for the hash of `mistakes.js`. */
export const MISTAKES_INTEGRITY = '__MISTAKES_INTEGRITY__';

/** SHA-256, because hashes do not compress and the frame's document contains about seventy. */
const hashOf = (content: Buffer): string => integrityOf(content, 'sha256');

/**
 * The frame's document with the hash of every script that it may load. `scripts` maps addresses to contents. Throws if
 * the document has no script.
 */
export const documentWithIntegrity = (html: string, scripts: ReadonlyMap<string, Buffer>): string => {
  const hashes = Object.fromEntries(Array.from(scripts, ([address, content]) => [address, hashOf(content)]));
  // An import map applies only to what is loaded after it.
  const map = `<script type="importmap">${JSON.stringify({ integrity: hashes })}</script>\n`;
  const first = /<(link|script)\b/.exec(html)?.index;
  if (first === undefined) throw new Error("The frame's document loads no script.");
  return html.slice(0, first) + map + html.slice(first);
};

/** The loader with the hash of the script that it loads. Throws if the loader needs a script that was not built. */
export const loaderWithIntegrity = (loader: string, page: Buffer | undefined): string => {
  if (!loader.includes(PAGE_INTEGRITY)) return loader;
  if (!page) throw new Error('The loader loads page.js, which was not built.');
  return loader.replaceAll(PAGE_INTEGRITY, hashOf(page));
};

/** `page.js` with the hash of the script that it loads. Throws if that was not built. */
export const pageWithIntegrity = (page: string, mistakes: Buffer | undefined): string => {
  if (!page.includes(MISTAKES_INTEGRITY)) return page;
  if (!mistakes) throw new Error('page.js loads mistakes.js, which was not built.');
  return page.replaceAll(MISTAKES_INTEGRITY, hashOf(mistakes));
};
