/**
 * Writes the hashes of a release's files where browsers enforce them: each file gets the hashes of the files it loads
 * by hash, and the frame's document gets an import map with those of all scripts.
 *
 * All three engines enforce the import map. Scripts that are requested early (`request-early.ts`) also get their hash
 * from it, for engines without `integrity` in import maps. WebKit ignores that one.
 */
import { integrityOf } from '../api/served/inline.ts';

/** Placeholder for this file's hash, which is known only once the file is built. */
export const integrityPlaceholder = (path: string): string => `__INTEGRITY ${path}__`;

const PLACEHOLDERS = /__INTEGRITY (.+?)__/g;

/** SHA-256, because hashes don't compress. */
const hashOf = (content: Buffer): string => integrityOf(content, 'sha256');

/** The text with the hashes of the files it names. Throws if one of them was not built. */
export const withHashes = (text: string, contentOf: (path: string) => Buffer | undefined): string =>
  text.replace(PLACEHOLDERS, (_, path: string) => {
    const content = contentOf(path);
    if (!content) throw new Error(`A file of the release loads ${path}, which was not built.`);
    return hashOf(content);
  });

/**
 * The frame's document with the hash of every script it may load. `scripts` maps addresses to contents. Throws if the
 * document has no script.
 */
export const documentWithIntegrity = (html: string, scripts: ReadonlyMap<string, Buffer>): string => {
  const hashes = Object.fromEntries(Array.from(scripts, ([address, content]) => [address, hashOf(content)]));
  // An import map applies only to what is loaded after it.
  const map = `<script type="importmap">${JSON.stringify({ integrity: hashes })}</script>\n`;
  const first = /<(link|script)\b/.exec(html)?.index;
  if (first === undefined) throw new Error("The frame's document loads no script.");
  return html.slice(0, first) + map + html.slice(first);
};
