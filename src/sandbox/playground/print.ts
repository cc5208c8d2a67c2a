/** Prints values as JavaScript source in this project's style: single quotes, two spaces, trailing commas. */

/** An identifier in the code, printed unquoted. */
export class Name {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** In characters. Longer lines are broken. */
const LONGEST_LINE = 80;

const ESCAPES: Readonly<Record<string, string>> = {
  "'": "\\'",
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/**
 * Prints a string literal. Escapes invisible characters and the start of every tag and comment: the code may be in a
 * `<script>`, which the text must not end.
 */
export const printString = (text: string): string =>
  `'${text
    .replace(/['\\\n\r\t]/g, (character) => ESCAPES[character] ?? character)
    .replace(/<(?=[/!])/g, '\\x3C')
    .replace(
      /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
      (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
    )}'`;

const printKey = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : printString(key));

/**
 * Prints a value as an expression. `depth` is the number of levels its line is indented, `column` the number of
 * characters before the value in its line, including indentation. A key of an object that begins with `...` is a
 * spread, whose value is ignored.
 */
export const printValue = (value: unknown, depth = 0, column = 0): string => {
  if (value instanceof Name) return value.text;
  if (typeof value === 'string') return printString(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const indent = '  '.repeat(depth + 1);
  const itemsAt = (level: number): string[] =>
    isList
      ? value.map((item) => printValue(item, level, level * 2))
      : Object.entries(value).map(([key, item]) => {
          if (key.startsWith('...')) return key;
          if (item instanceof Name && item.text === key) return key;
          const name = `${printKey(key)}: `;
          return name + printValue(item, level, level * 2 + name.length);
        });
  const items = itemsAt(depth + 1);
  if (items.length === 0) return open + close;
  const space = isList ? '' : ' ';
  const line = `${open}${space}${items.join(', ')}${space}${close}`;
  if (!line.includes('\n') && column + line.length <= LONGEST_LINE) return line;
  return `${open}\n${items.map((item) => `${indent}${item},\n`).join('')}${'  '.repeat(depth)}${close}`;
};

/** Prints the value of an HTML attribute, in double quotes. */
export const printAttribute = (text: string): string =>
  `"${text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`)}"`;
