/** Prints values as JavaScript source, in the style of this project: single quotes, two spaces, trailing commas. */

/** A name in the code, printed as it is. */
export class Name {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Longer lines are broken, in characters. */
const LONGEST_LINE = 80;

const ESCAPES: Readonly<Record<string, string>> = {
  "'": "\\'",
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/**
 * A string literal. Characters that cannot be seen are escaped, and so is the start of every tag and comment: the code
 * may stand in a `<script>`, which the text must not end.
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
 * A value as an expression. `depth` is how many levels its line is indented, `column` how many characters stand before
 * the value in its line, indentation included. In an object, a key that begins with `...` is a spread, whose value does not matter.
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

/** The value of an HTML attribute, in double quotes. */
export const printAttribute = (text: string): string =>
  `"${text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`)}"`;
