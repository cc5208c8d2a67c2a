/**
 * Last steps of the build: names the release after its content, moves it to its addresses, and writes the manifests for
 * the service that hosts it. Nothing depends on the time or the project's path, so two builds of the same source are
 * identical byte for byte.
 */
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { STATIC_ROUTES } from '../api/routes.ts';
import { CODINGS, compressedIn, suffixesIn } from '../api/served/codings.ts';
import { headerRules, headersAt, ORIGIN } from '../api/served/headers.ts';
import { inlineHashes, integrityOf } from '../api/served/inline.ts';
import { FRAME_FILE, languagesAmong } from '../api/served/language-documents.ts';
import { LLMS_TXT } from '../api/served/llms-address.ts';
import type { Signer } from '../api/served/signature.ts';
import { caddyMoving, caddyRelease } from '../owner/hosting/caddy.ts';
import { cloudflareHeaders, cloudflareRedirects } from '../owner/hosting/cloudflare.ts';
import { type HeadersFile, type IntegrityFile, movingTags } from '../owner/hosting/manifest.ts';
import { nginxMoving, nginxRelease } from '../owner/hosting/nginx.ts';
import { securityTxtTemplate, TEMPLATE } from '../owner/hosting/security-txt.ts';
import { documentWithIntegrity, withHashes } from './integrity.ts';
import { scriptsFile } from './script-inventory.ts';

/** Placeholder for the release's name, which contains a hash of the content and so is known only after the build. */
export const RELEASE_PLACEHOLDER = '__RELEASE__';

/** URL and folder of the frame's files until the release has its name. */
export const BASE = STATIC_ROUTES.release(RELEASE_PLACEHOLDER);

/** A release at its addresses below `dist`. */
export type FinishedRelease = {
  release: string;
  /** The frame's document. */
  html: string;
  /** By address, including the moving addresses. */
  files: ReadonlyMap<string, Buffer>;
};

/**
 * Turns the files built in the folder of `RELEASE_PLACEHOLDER` below `dist` into a release. Throws if a file has no
 * rule in headers.ts or names a source map.
 */
export const finishRelease = async (dist: string, version: string): Promise<FinishedRelease> => {
  const staged = join(dist, BASE);
  const paths = (await readdir(staged, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(staged, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
  const hash = createHash('sha256');
  for (const path of paths) hash.update(`${path}\0`).update(await readFile(join(staged, path)));
  const release = `${version}-${hash.digest('hex').slice(0, 12)}`;
  const home = STATIC_ROUTES.release(release);

  const rules = headerRules({ origin: '', release, inline: { scripts: [], styles: [] } });
  const built = new Map<string, string>();
  for (const path of paths) {
    if (!headersAt(home + path, rules))
      throw new Error(`${path} was built, but no rule of headers.ts serves it.`);
    if (path.endsWith('.woff2')) continue; // already compressed, and doesn't contain the release's name
    built.set(path, (await readFile(join(staged, path), 'utf8')).replaceAll(RELEASE_PLACEHOLDER, release));
  }
  const files = new Map<string, Buffer>();
  /** The file as served, made after the files whose hash it contains. */
  const finished = (path: string): Buffer | undefined => {
    const made = files.get(home + path);
    const text = built.get(path);
    if (made || text === undefined) return made;
    const content = Buffer.from(withHashes(text, finished));
    files.set(home + path, content);
    return content;
  };
  for (const path of paths) if (!path.endsWith('.html')) finished(path);
  const scripts = new Map(
    [...files]
      .filter(([address]) => address.startsWith(`${home}assets/`) && address.endsWith('.js'))
      .sort(byAddress),
  );
  for (const [path, text] of built)
    if (path.endsWith('.html')) built.set(path, documentWithIntegrity(text, scripts));
  for (const path of paths) {
    const file = join(staged, path);
    const content = finished(path) ?? (await readFile(file));
    files.set(home + path, content);
    if (path.endsWith('.woff2')) continue;
    const text = content.toString('utf8');
    if (text.includes('sourceMappingURL'))
      throw new Error(`${path} refers to a source map, which is never served.`);
    await writeFile(file, text);
    for (const [suffix, packed] of compressedIn(CODINGS, text)) await writeFile(file + suffix, packed);
  }
  await rm(join(dist, home), { recursive: true, force: true });
  await rename(staged, join(dist, home));

  const moving = new Map<string, Buffer>();
  for (const [address, path, file] of [
    [STATIC_ROUTES.loader, LOADER, STATIC_ROUTES.loader],
    [STATIC_ROUTES.frame, FRAME_FILE, `${STATIC_ROUTES.frame}.html`],
  ] as const) {
    const content = files.get(home + path);
    if (!content) throw new Error(`The build has no ${path}.`);
    moving.set(address, content);
    for (const suffix of suffixesIn(CODINGS))
      await cp(join(dist, home, path + suffix), join(dist, file + suffix));
  }
  const html = moving.get(STATIC_ROUTES.frame)?.toString('utf8') ?? '';
  return { release, html, files: new Map([...moving, ...[...files].sort(byAddress)]) };
};

const LOADER = 'card-form.js';

const byAddress = ([one]: readonly [string, Buffer], [other]: readonly [string, Buffer]): number =>
  one < other ? -1 : 1;

/** Contents of the manifests apart from the release itself. */
export type ManifestInputs = {
  /** Versions of the bundled packages. */
  versions: Readonly<Record<string, string>>;
  /** The text to host at `LLMS_TXT`. */
  documentation: string;
  /** The loader's signer, if there is one. */
  signer?: Signer | null;
};

/** Writes a release's manifests and the documentation. */
export const writeManifests = async (
  dist: string,
  { release, html, files }: FinishedRelease,
  { versions, documentation, signer = null }: ManifestInputs,
): Promise<void> => {
  const inline = inlineHashes(html);
  const loader = files.get(STATIC_ROUTES.loader);
  const signature = loader && signer?.headersFor(loader);
  const rules = headerRules({ origin: ORIGIN, release, inline, signature });
  const languages = languagesAmong([...files.keys()], release);
  const headers: HeadersFile = { release, codings: CODINGS, languages, rules };
  const integrity: IntegrityFile = {
    release,
    ...(signer ? { signedBy: signer.integrity } : {}),
    ...(signer?.former ? { former: signer.former } : {}),
    files: Object.fromEntries(Array.from(files, ([address, content]) => [address, integrityOf(content)])),
  };
  const contents: Readonly<Record<string, string | Buffer>> = {
    'headers.json': `${JSON.stringify(headers, null, 2)}\n`,
    'sri.json': `${JSON.stringify(integrity, null, 2)}\n`,
    'SCRIPTS.md': scriptsFile(release, integrity.files, inline.scripts, versions),
    'nginx/card-form.conf': nginxMoving(rules, [release], release),
    [`nginx/card-form-${release}.conf`]: nginxRelease(rules, headers, movingTags(integrity)),
    'caddy/card-form.caddy': caddyMoving(rules, [release], release),
    [`caddy/card-form-${release}.caddy`]: caddyRelease(rules, headers, movingTags(integrity)),
    'cloudflare/_headers': cloudflareHeaders(rules),
    'cloudflare/_redirects': cloudflareRedirects(),
    [TEMPLATE]: securityTxtTemplate(),
    [LLMS_TXT]: documentation,
    ...Object.fromEntries(
      compressedIn(CODINGS, documentation).map(([suffix, packed]) => [LLMS_TXT + suffix, packed]),
    ),
  };
  for (const [path, content] of Object.entries(contents)) {
    await mkdir(join(dist, path, '..'), { recursive: true });
    await writeFile(join(dist, path), content);
  }
};
