/**
 * Puts what a buyer needs to type into the frame's document itself: the entry's script and style. One response is
 * all that has to arrive then; a policy names both by their hashes (`inline.ts`).
 *
 * A script in a document cannot be imported from. What the other scripts take from the entry, so that nothing arrives
 * twice, it leaves for them in one property of its own global, `SHARED`. The form itself, drawn in advance, is put there
 * by `prerender.ts`.
 */
import { fileURLToPath } from 'node:url';
import { type ESTree, type Plugin, parseSync, type Rolldown, Visitor } from 'vite';

/** The global that holds what the document's script shares with the scripts it loads. */
export const SHARED = '__cardForm';

/** Where a piece of text begins and ends, and what stands there instead. */
type Edit = { start: number; end: number; text: string };

/** The built entry as it can stand in a document. `base`: the folder it would have been loaded from, with a slash. */
export const inlineEntry = (code: string, base: string): string => {
  const edits: Edit[] = [];
  new Visitor({
    ImportDeclaration: ({ source }) => {
      throw new Error(`The frame's entry imports ${source.value}: a second request before anybody can type.`);
    },
    ImportExpression: ({ source }) => {
      const specifier = textOf(source);
      if (specifier === null) throw new Error("The frame's entry imports what cannot be read here.");
      // Relative to the document, not to the entry, and the document has two addresses.
      const url = new URL(specifier, new URL(base, 'file:')).pathname;
      edits.push({ start: source.start, end: source.end, text: JSON.stringify(url) });
    },
    ExportAllDeclaration: unknownExport,
    ExportDefaultDeclaration: unknownExport,
    ExportNamedDeclaration: ({ start, end, source, declaration, specifiers }) => {
      if (source || declaration) unknownExport();
      const shared = specifiers.map(({ local, exported }) => `${nameOf(exported)}:${nameOf(local)}`);
      edits.push({ start, end, text: `globalThis.${SHARED}={${shared.join()}};` });
    },
  }).visit(parsed(code));
  const text = apply(code, edits).trim();
  if (/<\/script|<!--/i.test(text))
    throw new Error("The frame's entry holds what would end a script element.");
  return text;
};

const unknownExport = (): never => {
  throw new Error("The frame's entry exports in a way that is not known here.");
};

/** A built script that takes what it imports from the entry out of the global in its place. */
export const withoutEntry = (code: string, entry: string): string => {
  const edits: Edit[] = [];
  new Visitor({
    ImportDeclaration: ({ start, end, source, specifiers }) => {
      if (source.value !== entry) return;
      const taken = specifiers.map((specifier) => {
        if (specifier.type !== 'ImportSpecifier') throw new Error(`${entry} is imported as a whole.`);
        return `${nameOf(specifier.imported)}:${specifier.local.name}`;
      });
      edits.push({ start, end, text: `const{${taken.join()}}=globalThis.${SHARED};` });
    },
    ImportExpression: ({ source }) => {
      if (textOf(source) === entry) throw new Error(`${entry} is imported late.`);
    },
    ExportAllDeclaration: ({ source }) => {
      if (source.value === entry) throw new Error(`${entry} is exported again.`);
    },
    ExportNamedDeclaration: ({ source }) => {
      if (source?.value === entry) throw new Error(`${entry} is exported again.`);
    },
  }).visit(parsed(code));
  return apply(code, edits);
};

/**
 * Reads and payments go without credentials, and so never over the connection that the document came by: the one they
 * need is opened meanwhile. That costs three round trips, one more than all that is fetched beside takes.
 */
const CONNECTION = '<link rel="preconnect" href="/" crossorigin>';

/**
 * The document with entry and style in it, and links that start the scripts in `ahead` beside it. The entry runs before
 * the rest is read: what it says to the page is answered meanwhile.
 */
export const documentOf = (
  html: string,
  { script, style, ahead }: { script: string; style: string; ahead: readonly string[] },
): string => {
  if (/<\/style/i.test(style)) throw new Error('The style holds what would end a style element.');
  const links = [CONNECTION, ...ahead.map((url) => `<link rel="modulepreload" href="${url}">`)];
  return html
    .replace(/^\s*<link rel="stylesheet"[^>]*>\n/gm, '')
    .replace(/^\s*<script type="module"[^>]*><\/script>\n/gm, '')
    .replace(/^\s+/gm, '')
    .replace(
      '</head>',
      () => `${links.join('\n')}\n<script>${alone(script)}</script>\n<style>${style.trim()}</style>\n</head>`,
    );
};

/** A module's text as a script of the document: it runs at once, and leaves nothing behind. */
const alone = (script: string): string => `"use strict";(()=>{${script}})()`;

/** The bundler's own way to load a script with its styles. */
const PRELOADER = '\0vite/preload-helper.js';

const VERIFIED = fileURLToPath(new URL('../frame/first/verified-import.ts', import.meta.url));

/**
 * Ours have no styles, so that all of it is in vain: 1.5 kB before the first key. In its place every `import()` is
 * watched for scripts that were altered on their way.
 */
export const withoutPreloader = (): Plugin => ({
  name: 'card-form:without-preloader',
  apply: 'build',
  enforce: 'pre',
  load: (id) =>
    id === PRELOADER ? `export { verified as __vitePreload } from ${JSON.stringify(VERIFIED)};` : null,
});

/** Has the build do so for the environment `client`. `ahead`: names of the scripts that the entry always loads. */
export const oneDocument = (base: string, ahead: readonly string[]): Plugin => ({
  name: 'card-form:document',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      if (this.environment.name !== 'client') return;
      const files = Object.values(bundle);
      const chunks = files.filter((file) => file.type === 'chunk');
      const [entry, ...others] = chunks.filter((chunk) => chunk.isEntry);
      const [style, ...styles] = assetsOf(files, '.css');
      const [html] = assetsOf(files, '.html');
      if (!entry || !style || !html || others.length > 0 || styles.length > 0)
        throw new Error('The frame is one document, one entry and one style.');
      const name = `./${entry.fileName.split('/').at(-1)}`;
      for (const chunk of chunks) if (chunk !== entry) chunk.code = withoutEntry(chunk.code, name);
      html.source = documentOf(String(html.source), {
        script: inlineEntry(entry.code, `${base}${entry.fileName}`),
        style: String(style.source),
        ahead: ahead.map((wanted) => {
          const chunk = chunks.find((one) => one.name === wanted);
          if (!chunk) throw new Error(`There is no script ${wanted} to load ahead.`);
          return base + chunk.fileName;
        }),
      });
      delete bundle[entry.fileName];
      delete bundle[style.fileName];
    },
  },
});

const assetsOf = (
  files: readonly (Rolldown.OutputAsset | Rolldown.OutputChunk)[],
  ending: string,
): readonly Rolldown.OutputAsset[] =>
  files.filter((file) => file.type === 'asset').filter(({ fileName }) => fileName.endsWith(ending));

const parsed = (code: string) => {
  const { program, errors } = parseSync('entry.js', code);
  if (errors[0]) throw new Error(`What was built is no script: ${errors[0].message}`);
  return program;
};

/** The text that stands there, in either of two kinds of quotes; null where it is computed. */
const textOf = (node: ESTree.Expression): string | null => {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  return node.type === 'TemplateLiteral' && node.quasis.length === 1
    ? (node.quasis[0]?.value.cooked ?? null)
    : null;
};

const nameOf = (name: { type: string; name?: string; value?: unknown }): string => {
  if (name.type !== 'Identifier' || name.name === undefined) throw new Error('A name of another kind.');
  return name.name;
};

const apply = (code: string, edits: readonly Edit[]): string =>
  [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: by }) => text.slice(0, start) + by + text.slice(end), code);
