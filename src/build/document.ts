/**
 * Inlines the entry's script and style into the frame's document, so that a buyer can type after one response. The
 * Content-Security-Policy allows them by hash (`inline.ts`). `prerender.ts` adds the rendered form.
 *
 * An inline script can't be imported. The entry therefore puts its exports on a global (`SHARED`), and the other
 * scripts read them there instead of importing them, so that no code is loaded twice.
 */
import { fileURLToPath } from 'node:url';
import { type ESTree, minifySync, type Plugin, type Rolldown, Visitor } from 'vite';
import { greetEarly, helloOf } from '../form/channel/handshake.ts';
import { applyEdits, literalText, parseModule, type SourceEdit } from './edit-script.ts';
import { requestEarly } from './request-early.ts';

/** Returns true for the source of the frame's document. */
export const isFrame = (filename: string): boolean => filename.endsWith('/frame/index.html');

/** Global with the exports of the inline entry. */
export const SHARED = '__cardForm';

/** The built entry as an inline script. `base` is the URL it would have been loaded from. */
export const inlineEntry = (code: string, base: string): string => {
  const edits: SourceEdit[] = [];
  new Visitor({
    ImportDeclaration: ({ source }) => {
      throw new Error(`The frame's entry imports ${source.value}: a second request before a buyer can type.`);
    },
    ImportExpression: ({ source }) => {
      // An inline import() resolves against the document, which has two addresses.
      const absolute = (specifier: string) => new URL(specifier, new URL(base, 'file:')).pathname;
      const specifier = literalText(source);
      if (specifier === null)
        throw new Error("The frame's entry has an import() whose specifier is not a string.");
      edits.push({ start: source.start, end: source.end, text: JSON.stringify(absolute(specifier)) });
    },
    ExportAllDeclaration: rejectExport,
    ExportDefaultDeclaration: rejectExport,
    ExportNamedDeclaration: ({ start, end, source, declaration, specifiers }) => {
      if (source || declaration) rejectExport();
      const shared = specifiers.map(({ local, exported }) => `${nameOf(exported)}:${nameOf(local)}`);
      edits.push({ start, end, text: `globalThis.${SHARED}={${shared.join()}};` });
    },
  }).visit(parseModule(code));
  const text = applyEdits(code, edits).trim();
  if (/<\/script|<!--/i.test(text))
    throw new Error("The frame's entry contains text that would end a script element.");
  return text;
};

const rejectExport = (): never => {
  throw new Error("The frame's entry has an export that is not of the form export { a as b }.");
};

/** Replaces a built script's imports from the entry with reads of the global. */
export const importFromGlobal = (code: string, entry: string): string => {
  const edits: SourceEdit[] = [];
  new Visitor({
    ImportDeclaration: ({ start, end, source, specifiers }) => {
      if (source.value !== entry) return;
      const bindings = specifiers.map((specifier) => {
        if (specifier.type !== 'ImportSpecifier')
          throw new Error(`${entry} is imported as a namespace or default, not by names.`);
        return `${nameOf(specifier.imported)}:${specifier.local.name}`;
      });
      edits.push({ start, end, text: `const{${bindings.join()}}=globalThis.${SHARED};` });
    },
    ImportExpression: ({ source }) => {
      if (literalText(source) === entry) throw new Error(`${entry} is imported dynamically.`);
    },
    ExportAllDeclaration: ({ source }) => {
      if (source.value === entry) throw new Error(`${entry} is re-exported.`);
    },
    ExportNamedDeclaration: ({ source }) => {
      if (source?.value === entry) throw new Error(`${entry} is re-exported.`);
    },
  }).visit(parseModule(code));
  return applyEdits(code, edits);
};

/**
 * Shortens Vite's wrapper around each `import()`: the helper has no use for the list of styles, which is empty, and the
 * names that were picked from the script are the caller's to pick again.
 */
export const shortImports = (code: string): string => {
  const edits: SourceEdit[] = [];
  new Visitor({
    CallExpression: ({ arguments: [load, styles, ...others] }) => {
      if (load?.type !== 'ArrowFunctionExpression' || styles?.type !== 'ArrayExpression') return;
      const { body } = load;
      const picked = body.type === 'BlockStatement' ? pickedImport(code, body.body) : null;
      const isImport = picked !== null || /^import\(/.test(code.slice(body.start));
      if (!isImport || styles.elements.length > 0 || others.length > 0) return;
      if (picked !== null) edits.push({ start: load.start, end: load.end, text: `()=>${picked}` });
      edits.push({ start: load.end, end: styles.end, text: '' });
    },
  }).visit(parseModule(code));
  return applyEdits(code, edits);
};

/** The import in `let{a:b}=await import(…);return{a:b}`; null for other statements. */
const pickedImport = (code: string, [declaration, end, ...others]: readonly ESTree.Statement[]) => {
  if (declaration?.type !== 'VariableDeclaration' || end?.type !== 'ReturnStatement' || others.length > 0)
    return null;
  const [{ id, init } = { id: null, init: null }] = declaration.declarations;
  const textOf = (node: ESTree.Span | null) => node && code.slice(node.start, node.end);
  return init?.type === 'AwaitExpression' &&
    init.argument.type === 'ImportExpression' &&
    textOf(id) === textOf(end.argument)
    ? textOf(init.argument)
    : null;
};

/**
 * Work of an inline script before the entry arrives: it greets the page as a frame of this `release`, and requests
 * scripts. `folder` is the address of the built scripts; `small` and `large` name those that the entry imports for
 * every buyer (`request-early.ts`).
 */
type Early = { release: string; folder: string; small: readonly string[]; large: readonly string[] };

/** A call, as text, of a function that uses only its arguments. `args` are expressions. */
const callOf = (run: { toString(): string }, ...args: readonly string[]): string =>
  `(${run})(${args.join()});`;

/** The greeting as script text. */
export const greetingScript = (release: string): string =>
  callOf(greetEarly, 'window', JSON.stringify(helloOf(release)));

/** The early work as script text. */
const earlyScript = ({ release, folder, small, large }: Early): string => {
  const request = callOf(requestEarly, ...[folder, small, large].map((given) => JSON.stringify(given)));
  const { code, errors } = minifySync('early.js', greetingScript(release) + request, { module: false });
  if (errors[0]) throw new Error(`The early script does not parse: ${errors[0].message}`);
  return code.trim();
};

/**
 * Inlines entry and style into the document, after the early script. The entry goes into the head, so that it has run
 * by the time the page answers.
 */
export const buildDocument = (
  html: string,
  { script, style, early }: { script: string; style: string; early: Early },
): string => {
  if (/<\/style/i.test(style)) throw new Error('The style contains text that would end a style element.');
  return html
    .replace(/^\s*<link rel="stylesheet"[^>]*>\n/gm, '')
    .replace(/^\s*<script type="module"[^>]*><\/script>\n/gm, '')
    .replace(/^\s+/gm, '')
    .replace(
      '</head>',
      () =>
        `<script>${earlyScript(early)}</script>\n<script>${asClassicScript(script)}</script>\n<style>${withoutSwitches(style).trim()}</style>\n</head>`,
    );
};

/**
 * Removes the properties with which the CSS compiler emulates `light-dark()` in older browsers. It sets them beside
 * every `color-scheme`, and our styles don't use the function.
 */
const withoutSwitches = (style: string): string => {
  if (style.includes('var(--lightningcss-')) throw new Error('The style of the frame uses light-dark().');
  return style.replace(/--lightningcss-(?:light|dark):[^;}]*;?/g, '');
};

/** Wraps a module's code so that it runs immediately as a classic script, without creating globals. */
const asClassicScript = (script: string): string => `"use strict";(()=>{${script}})()`;

/** Vite's helper around each `import()`, which loads the chunk's styles. */
const PRELOAD_HELPER = '\0vite/preload-helper.js';

const VERIFIED_IMPORT = fileURLToPath(new URL('../form/frame/first/verified-import.ts', import.meta.url));

/**
 * Replaces Vite's preload helper: our chunks have no styles, and it would add 1.5 kB to the first response. Our helper
 * instead reports scripts that were altered in transit (`frame/first/verified-import.ts`).
 */
export const verifiedImports = (): Plugin => ({
  name: 'card-form:verified-imports',
  apply: 'build',
  enforce: 'pre',
  load: (id) =>
    id === PRELOAD_HELPER
      ? `export { verified as __vitePreload } from ${JSON.stringify(VERIFIED_IMPORT)};`
      : null,
});

/**
 * Inlines entry and style in builds of the environment `client`. `base` is the folder's address; `small` and `large`
 * name the scripts the entry always loads.
 */
export const inlineDocument = ({
  release,
  base,
  small,
  large,
}: Omit<Early, 'folder'> & { base: string }): Plugin => ({
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
        throw new Error('The frame must consist of one document, one entry and one style.');
      for (const chunk of chunks) chunk.code = shortImports(chunk.code);
      const name = `./${entry.fileName.split('/').at(-1)}`;
      for (const chunk of chunks) if (chunk !== entry) chunk.code = importFromGlobal(chunk.code, name);
      const missing = [...small, ...large].find((wanted) => !chunks.some(({ name }) => name === wanted));
      if (missing !== undefined) throw new Error(`There is no script ${missing} to request early.`);
      html.source = buildDocument(String(html.source), {
        script: inlineEntry(entry.code, `${base}${entry.fileName}`),
        style: String(style.source),
        early: { release, folder: `${base}assets/`, small, large },
      });
      delete bundle[entry.fileName];
      delete bundle[style.fileName];
    },
  },
});

const assetsOf = (
  files: readonly (Rolldown.OutputAsset | Rolldown.OutputChunk)[],
  extension: string,
): readonly Rolldown.OutputAsset[] =>
  files.filter((file) => file.type === 'asset').filter(({ fileName }) => fileName.endsWith(extension));

const nameOf = (name: { type: string; name?: string; value?: unknown }): string => {
  if (name.type !== 'Identifier' || name.name === undefined)
    throw new Error('Only identifiers are supported as names of imports and exports.');
  return name.name;
};
