/** A server that reads the generated configuration as Caddy does, for requests without compression. */
import type { GetResponse, HttpGet } from '../hosting/http-get.ts';

/** A line of a Caddyfile with its block. */
type Directive = { words: readonly string[]; block: readonly Directive[] };

const wordsOf = (line: string): string[] =>
  Array.from(line.matchAll(/"((?:\\"|[^"])*)"|(\S+)/g), ([, text, word = '']) =>
    text === undefined ? word : text.replaceAll('\\"', '"'),
  );

/** Reads the lines up to the end of a block. `files` are those that an import finds. */
const readBlock = (lines: string[], files: readonly string[]): readonly Directive[] => {
  const block: Directive[] = [];
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    const words = wordsOf(line.replace(/^\s*#.*/, ''));
    if (words[0] === '}') return block;
    if (words[0] === 'import') for (const text of files) block.push(...readBlock(text.split('\n'), []));
    else if (words.at(-1) === '{') block.push({ words: words.slice(0, -1), block: readBlock(lines, files) });
    else if (words.length > 0) block.push({ words, block: [] });
  }
  return block;
};

type Request = { path: string; headers: Record<string, string>; variables: Map<string, string> };

/** What a handler did: a response, and headers to set when it is sent. */
type Answer = { response: GetResponse | null; headers: Record<string, string> };

const responseOf = (status: number, body: Buffer = Buffer.from('')): GetResponse => ({
  status,
  headers: {},
  body,
});

/**
 * It has the configuration of its last reload, and the files of this moment. It knows the directives that caddy.ts writes.
 * Its own ETag depends on the size of a file alone, which is all that the same second leaves of Caddy's.
 */
export const fakeCaddy = (files: ReadonlyMap<string, Buffer>, origin: string) => {
  let loaded: readonly Directive[] = [];
  const load = () => {
    const main = files.get('caddy/card-form.caddy')?.toString() ?? '';
    const imported = [...files].filter(([path]) => /^caddy\/card-form-.*\.caddy$/.test(path)).sort();
    loaded = readBlock(
      main.split('\n'),
      imported.map(([, content]) => content.toString()),
    );
  };

  const filled = (text: string, { path, variables }: Request): string =>
    text.replace(/\{(path|vars\.(\w+))\}/g, (_, name: string, variable = '') =>
      name === 'path' ? path : (variables.get(variable) ?? ''),
    );

  const matches = ({ words, block }: Directive, request: Request): boolean => {
    const [kind, first = '', ...values] = words;
    const [second = ''] = values;
    switch (kind) {
      case 'path_regexp':
        return new RegExp(first).test(request.path);
      case 'header_regexp':
        return new RegExp(second.replace('(?i)', ''), 'i').test(request.headers[first.toLowerCase()] ?? '');
      case 'header':
        return (request.headers[first.toLowerCase()] ?? 'none').includes(
          filled(second, request).slice(1, -1), // between two stars
        );
      case 'vars':
        return values.includes(filled(first, request));
      case 'file':
        return block.some(({ words: [name, path = ''] }) => name === 'try_files' && files.has(path.slice(1)));
      default:
        throw new Error(`fakeCaddy does not know the matcher ${kind}`);
    }
  };

  const run = (block: readonly Directive[], request: Request): Answer => {
    const matchers = new Map<string, readonly Directive[]>();
    const headers: Record<string, string> = {};
    let wasHandled = false;
    for (const { words, block: inner } of block) {
      const [name = '', ...rest] = words;
      if (name.startsWith('@')) {
        matchers.set(name, rest.length > 0 ? [{ words: rest, block: inner }] : inner);
        continue;
      }
      const [first = ''] = rest;
      const matcher = first.startsWith('@') ? matchers.get(first) : undefined;
      if (first.startsWith('@') && !matcher) throw new Error(`${first} is not defined`);
      if (matcher && !matcher.every((one) => matches(one, request))) continue;
      const given = matcher || first === '*' ? rest.slice(1) : rest;
      let answer: Answer = { response: null, headers: {} };
      switch (name) {
        case 'vars':
          request.variables.set(given[0] ?? '', given[1] ?? '');
          break;
        case 'handle':
          if (wasHandled) break;
          wasHandled = true;
          answer = run(inner, request);
          break;
        case 'route':
          answer = run(inner, request);
          break;
        case 'header':
          for (const { words: header } of inner) {
            const [key = '', value] = header;
            if (value !== undefined) headers[key.toLowerCase()] = filled(value, request);
          }
          break;
        case 'request_header':
          delete request.headers[first.slice(1).toLowerCase()];
          break;
        case 'rewrite':
          request.path = filled(given[0] ?? '', request);
          break;
        case 'respond':
          answer.response = responseOf(Number(given[0]));
          break;
        case 'file_server': {
          const body = files.get(request.path.slice(1));
          const tag = `"${body?.length}"`;
          // An error has none of the headers: they are set when a response is sent.
          if (!body) return { response: responseOf(404), headers: {} };
          answer = {
            response: request.headers['if-none-match'] === tag ? responseOf(304) : responseOf(200, body),
            headers: { etag: tag },
          };
          break;
        }
        default:
          throw new Error(`fakeCaddy does not know the directive ${name}`);
      }
      if (answer.response) return { ...answer, headers: { ...answer.headers, ...headers } };
    }
    return { response: null, headers };
  };

  const get: HttpGet = async (url, headers) => {
    const variables = new Map([['card_form_origin', origin]]);
    const { response, headers: set } = run(loaded, {
      path: new URL(url).pathname,
      headers: { ...headers, 'accept-encoding': 'identity' },
      variables,
    });
    return response ? { ...response, headers: set } : responseOf(404);
  };
  return { load, get, check: () => undefined };
};
