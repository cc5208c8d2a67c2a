/**
 * Makes a second release from the built one: the same files under another name. Recomputes everything that depends on
 * the name, as the build would: the hashes of the scripts that name the release, and those of the inline scripts.
 */
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { DIST, readManifest } from './hosting.ts';

const hashOf = (content: string | Buffer, algorithm: 'sha256' | 'sha384'): string =>
  `${algorithm}-${createHash(algorithm).update(content).digest('base64')}`;

const INLINE = /<(script|style)\b(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/\1>/g;

/** The hashes of the inline scripts and styles, in order. */
const inlineHashes = (html: string): readonly string[] =>
  Array.from(html.matchAll(INLINE), ([, , text = '']) => hashOf(text, 'sha256'));

/** Files that contain the hashes of others come after them. */
const rank = (path: string): number =>
  path.endsWith('.html') || path.endsWith('/card-form.js') ? 2 : path.endsWith('/page.js') ? 1 : 0;

/**
 * Writes the release `name` into `folder`, laid out like `dist/`. `alter` changes a file by its path in the release.
 */
export const restamp = async (
  folder: string,
  name: string,
  alter: (path: string, text: string) => string = (_, text) => text,
): Promise<void> => {
  const { release, files, ...headers } = await readManifest();
  const home = join(folder, 'partner/v1/card-form', name);
  await mkdir(join(home, '..'), { recursive: true });
  await cp(join(DIST, 'partner/v1/card-form', release), home, { recursive: true });
  const paths = (await readdir(home, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(js|css|html)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort((one, other) => rank(one) - rank(other));
  const renewed: (readonly [string, string])[] = [];
  const renew = (text: string): string =>
    renewed.reduce((all, [before, after]) => all.replaceAll(before, after), text.replaceAll(release, name));
  const hashes = new Map<string, string>();
  for (const path of paths) {
    const before = await readFile(path, 'utf8');
    const after = alter(relative(home, path), renew(before));
    await writeFile(path, after);
    await writeFile(
      `${path}.br`,
      brotliCompressSync(after, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
    );
    await writeFile(`${path}.gz`, gzipSync(after));
    renewed.push([hashOf(before, 'sha256'), hashOf(after, 'sha256')]);
    hashes.set(relative(home, path), hashOf(after, 'sha384'));
    if (!path.endsWith('.html')) continue;
    const inline = inlineHashes(after);
    for (const [index, hash] of inlineHashes(before).entries()) renewed.push([hash, inline[index] ?? hash]);
  }
  const own = (address: string): string => {
    const path = address.replace(/^\/partner\/v1\/(card-form\/)?/, '').replace(`${release}/`, '');
    return hashes.get(path === 'frame' ? 'frame.html' : path) ?? files[address] ?? '';
  };
  const integrity = Object.fromEntries(
    Object.keys(files).map((address) => [address.replace(release, name), own(address)]),
  );
  await writeFile(join(folder, 'sri.json'), JSON.stringify({ release: name, files: integrity }));
  await writeFile(join(folder, 'headers.json'), renew(JSON.stringify({ release, ...headers })));
  for (const text of ['llms.txt', 'llms.txt.br', 'llms.txt.gz'])
    await cp(join(DIST, text), join(folder, text));
};
