/**
 * The entry has an `import()` for each language, and the bundler writes each out in full. Written once, with a list of
 * names, they take 170 bytes less of the first response, which should fit into what a server sends at once.
 */
import { type ESTree, Visitor } from 'vite';
import { applyEdits, literalText, parseModule, type SourceEdit } from './edit-script.ts';

/**
 * Shortens tables like ``{de:()=>import(`./de.js`).then(e=>e.de),…}``, where each name is that of the file and, without
 * hyphens, of its export. Everything else stays as it is.
 */
export const namesOnce = (code: string): string => {
  const edits: SourceEdit[] = [];
  new Visitor({
    ObjectExpression: (table) => {
      const entries = table.properties.map((property) => entryOf(property, code));
      const [first] = entries;
      if (!first || entries.length < 2 || entries.some((entry) => entry?.pattern !== first.pattern)) return;
      const names = entries.map((entry) => entry?.name).join(' ');
      const parameter = [...'abcdefghijklmnopqrstuvwxyz'].find(
        (letter) => !new RegExp(`\\b${letter}\\b`).test(first.pattern),
      );
      const load = first.pattern
        .replace(FILE, () => `\`./\${${parameter}}.js\``)
        .replace(EXPORT, () => `[${parameter}.replace(\`-\`,\`\`)]`);
      const text = `Object.fromEntries(\`${names}\`.split(\` \`).map(${parameter}=>[${parameter},${load}]))`;
      edits.push({ start: table.start, end: table.end, text });
    },
  }).visit(parseModule(code));
  return applyEdits(code, edits);
};

/** These stand for the file and the export in the pattern of an entry. No script contains them. */
const FILE = '\0file';
const EXPORT = '\0export';

/** The name of an entry, and its text without that name; null if it does not import a file of that name. */
const entryOf = (property: ESTree.ObjectPropertyKind, code: string) => {
  if (property.type !== 'Property' || property.value.type !== 'ArrowFunctionExpression') return null;
  const { key, value } = property;
  const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? literalText(key) : null;
  const text = code.slice(value.start, value.end);
  const edits: SourceEdit[] = [];
  new Visitor({
    ImportExpression: ({ source }) => {
      if (literalText(source) === `./${name}.js`)
        edits.push({ start: source.start, end: source.end, text: FILE });
    },
    MemberExpression: ({ object, property: read, end, computed }) => {
      if (!computed && read.type === 'Identifier' && read.name === name?.replace('-', ''))
        edits.push({ start: object.end, end, text: EXPORT });
    },
  }).visit(parseModule(text));
  const pattern = applyEdits(text, edits);
  return name !== null && pattern.includes(FILE) && pattern.includes(EXPORT) ? { name, pattern } : null;
};
