/** A small release, a target folder in memory, and a server that reads the generated configuration like nginx. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { GetResponse, HttpGet } from '../../api/command/http-get.ts';
import type { Signer } from '../../api/served/signature.ts';
import { BUNDLED } from '../../build/packages.ts';
import { finishRelease, RELEASE_PLACEHOLDER, writeManifests } from '../../build/release.ts';
import type { Disk } from './disk.ts';

export const SITE_ORIGIN = 'https://pay.example';

/** Builds a release into `folder` like the product's build, signed if there is a signer. Returns its name. */
export const buildRelease = async (
  folder: string,
  version: string,
  signer: Signer | null = null,
): Promise<string> => {
  const staged = join(folder, 'partner/v1/card-form', RELEASE_PLACEHOLDER);
  const asset = `/partner/v1/card-form/${RELEASE_PLACEHOLDER}/assets/form.js`;
  const files = {
    'card-form.js': `load('${RELEASE_PLACEHOLDER}')`,
    'frame.html': `<link rel="modulepreload" href="${asset}"><script>start('${RELEASE_PLACEHOLDER}')</script>`,
    'assets/form.js': `pay('${version}')`,
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(staged, path, '..'), { recursive: true });
    await writeFile(join(staged, path), text);
  }
  const finished = await finishRelease(folder, version);
  const versions = Object.fromEntries(BUNDLED.frame.map((name) => [name, '9.9.9']));
  await writeManifests(folder, finished, { versions, documentation: `# Card form ${version}\n`, signer });
  return finished.release;
};

/** A disk in memory. `before` is called before each change, and `after` once a change is visible to a server. */
export const memoryDisk = (
  files: Map<string, Buffer>,
  before: () => void = () => undefined,
  after: () => Promise<void> = async () => undefined,
): Disk => {
  const below = (path: string) =>
    [...files.keys()].filter((name) => name === path || name.startsWith(`${path}/`));
  const change = async (paths: readonly string[], make: () => void | Promise<void>) => {
    before();
    await make();
    if (paths.some((path) => !path.startsWith('.card-form/'))) await after();
  };
  /** Not atomic: a concurrent reader gets half of the file. */
  const write = async (path: string, content: Buffer) => {
    await change([path], () => void files.set(path, content.subarray(0, content.length / 2)));
    await change([path], () => void files.set(path, content));
  };
  return {
    read: async (path) => files.get(path) ?? null,
    list: async (path) =>
      [...new Set(below(path).map((name) => name.slice(path.length + 1).split('/')[0] ?? ''))].sort(),
    exists: async (path) => below(path).length > 0,
    create: async (path, content) => {
      if (files.has(path)) throw new Error(`EEXIST: ${path}`);
      await write(path, Buffer.from(content));
    },
    copy: async (from, to) => {
      for (const name of below(from))
        await write(to + name.slice(from.length), files.get(name) ?? Buffer.from(''));
    },
    copyIn: async (from, to) => {
      // Not atomic: a kill may come after any file.
      for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        if (!entry.isFile()) continue;
        const content = await readFile(path);
        await write(`${to}/${relative(from, path)}`, content);
      }
    },
    rename: (from, to) =>
      change([to, from], () => {
        const moved = below(from);
        if (moved.length === 0) throw new Error(`ENOENT: ${from}`);
        if (!files.has(to) && below(to).length > 0) throw new Error(`ENOTEMPTY: ${to}`);
        const contents = moved.map(
          (name) => [name.slice(from.length), files.get(name) ?? Buffer.from('')] as const,
        );
        for (const name of moved) files.delete(name);
        for (const [rest, content] of contents) files.set(to + rest, content);
      }),
    remove: async (path) => {
      // Not atomic either.
      for (const name of below(path)) await change([name], () => void files.delete(name));
    },
  };
};

/** A line of a location, parsed if it is one of these directives. */
const readDirective = (line: string) => {
  const [, marker = ''] = /^if \(-f \$card_form_root\/(\S+)\) \{$/.exec(line) ?? [];
  const [, chosen] = /^set \$card_form_release (\S+);$/.exec(line) ?? [];
  const [, pattern] = /^if \(\$card_form_known ~ "(.*)"\) \{$/.exec(line) ?? [];
  const [, to = '', how] = /^rewrite \^ (\S+) (last|break);$/.exec(line) ?? [];
  const [, type] = /^default_type "(.*)";$/.exec(line) ?? [];
  const [, name = '', value] = /^add_header (\S+) "(.*)";$/.exec(line) ?? [];
  const known = pattern === undefined ? null : new RegExp(pattern);
  return { line, marker, chosen, known, to, how, type, name, value };
};

/** Cached: configurations are read thousands of times, and most of their lines are always the same. */
const directives = new Map<string, ReturnType<typeof readDirective>>();
const directiveOf = (line: string) => {
  const directive = directives.get(line) ?? readDirective(line);
  directives.set(line, directive);
  return directive;
};

/** A location of the configuration. */
type Location = {
  isExact: boolean;
  pattern: string;
  regexp: RegExp;
  lines: ReturnType<typeof readDirective>[];
  inner: Location[];
};

const LOCATION = /^location (=|~|\^~) (\S+) \{$/;

/** Reads the blocks of a generated file. */
const readLocations = (text: string): Location[] => {
  const top: Location = { isExact: false, pattern: '', regexp: /^/, lines: [], inner: [] };
  const open = [top];
  let depth = 0;
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    const here = open.at(-1) ?? top;
    const [, how, pattern = ''] = LOCATION.exec(line) ?? [];
    if (how !== undefined) {
      const location: Location = {
        isExact: how === '=',
        pattern,
        regexp: new RegExp(how === '=' ? '^$' : how === '^~' ? `^${pattern}` : pattern),
        lines: [],
        inner: [],
      };
      here.inner.push(location);
      open.push(location);
    } else if (line.endsWith('{')) {
      depth += 1;
      here.lines.push(directiveOf(line));
    } else if (line === '}') {
      if (depth > 0) depth -= 1;
      else open.pop();
    } else if (line !== '') here.lines.push(directiveOf(line));
  }
  return top.inner;
};

const SPLIT = 'nginx/http/card-form-canary.conf';

const NOT_FOUND: GetResponse = { status: 404, headers: {}, body: Buffer.from('') };

/**
 * A server with the configuration of its last reload and the current files. It supports the directives that nginx.ts
 * writes, for requests without compression. The number at the end of a user agent decides its side of a split.
 */
export const fakeNginx = (files: ReadonlyMap<string, Buffer>) => {
  let loaded: Location[] = [];
  let split = { share: 0, release: '' };
  /** Fails like `nginx -t`, or like a start after a crash. */
  const check = () => {
    const isUsed = files.get('nginx/card-form.conf')?.includes('$card_form_canary') ?? false;
    if (isUsed && !files.has(SPLIT)) throw new Error('unknown "card_form_canary" variable');
  };
  const load = () => {
    check();
    const [, share = '0', canary = ''] = /^ +(\d+)% (\S+);$/m.exec(`${files.get(SPLIT) ?? ''}`) ?? [];
    split = { share: Number(share), release: canary };
    loaded = [...files]
      .filter(([path]) => /^nginx\/[^/]+\.conf$/.test(path))
      .flatMap(([, content]) => readLocations(content.toString()));
  };
  const find = (path: string, locations: readonly Location[]): Location | null => {
    for (const location of locations) {
      const isHit = location.isExact ? location.pattern === path : location.regexp.test(path);
      if (isHit) return find(path, location.inner) ?? location;
    }
    return null;
  };
  const isInShare = (agent: string): boolean =>
    (Number(/(\d+)\D*$/.exec(agent)?.[1] ?? 99) * 37) % 100 < split.share;
  const answer = (path: string, known: string, isInternal: boolean, agent: string): GetResponse => {
    const location = find(path, loaded);
    if (!location || (!isInternal && location.lines.some(({ line }) => line === 'internal;')))
      return NOT_FOUND;
    let release = '';
    let file = path;
    let isMarked = true;
    const headers: Record<string, string> = { etag: '"of the server"' };
    for (const { line, marker, chosen, known: pattern, to, how, type, name, value } of location.lines) {
      if (line === 'return 404;') return NOT_FOUND;
      if (marker) isMarked = files.has(marker);
      else if (line === 'if ($card_form_canary) {') isMarked = isInShare(agent);
      else if (chosen !== undefined) {
        if (isMarked) release = chosen === '$card_form_canary' ? split.release : chosen;
        isMarked = true;
      } else if (pattern?.test(` ${known}`)) return { status: 304, headers: {}, body: Buffer.from('') };
      else if (how === 'last') return answer(to.replace('$card_form_release', release), known, true, agent);
      else if (how === 'break') file = to.replace('$uri', path).replace('$card_form_suffix', '');
      else if (type !== undefined) headers['content-type'] = type;
      else if (value)
        headers[name] = value
          .replaceAll('\\"', '"')
          .replaceAll('$card_form_origin', SITE_ORIGIN)
          .replaceAll('$card_form_suffix', '');
    }
    const body = files.get(file.slice(1));
    if (!body) return NOT_FOUND;
    return known === headers.etag
      ? { status: 304, headers, body: Buffer.from('') }
      : { status: 200, headers, body };
  };
  const get: HttpGet = async (url, headers) =>
    answer(new URL(url).pathname, headers['if-none-match'] ?? '', false, headers['user-agent'] ?? '');
  return { load, get, check };
};
