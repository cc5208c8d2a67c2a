import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Name, printAttribute, printString, printValue } from './print.ts';

/** Evaluates an expression: the test's own code, from the printer under test. */
const evaluate = (expression: string): unknown => new Function(`return (${expression});`)();

describe('a printed value', () => {
  it('evaluates to the printed value, whatever it is', () => {
    const value = fc.jsonValue().filter((one) => !JSON.stringify(one).includes('"...'));
    fc.assert(
      fc.property(value, (given) => {
        // A literal `__proto__` would set the prototype.
        fc.pre(!JSON.stringify(given).includes('__proto__'));
        expect(JSON.stringify(evaluate(printValue(given)))).toBe(JSON.stringify(given));
      }),
    );
  });

  it('is on one line if it fits, and has a line for each item otherwise', () => {
    expect(printValue({ a: 1, 'b-c': ['x', 'y'], d: { e: true } })).toBe(
      "{ a: 1, 'b-c': ['x', 'y'], d: { e: true } }",
    );
    expect(printValue({ first: 'a'.repeat(40), second: { third: 'b'.repeat(40) } }, 1, 20)).toBe(
      `{\n    first: '${'a'.repeat(40)}',\n    second: { third: '${'b'.repeat(40)}' },\n  }`,
    );
    expect(printValue([])).toBe('[]');
    expect(printValue({})).toBe('{}');
  });

  it('no line is longer than 80 characters if it could be broken', () => {
    const texts = Array.from({ length: 30 }, (_, at) => `text ${at}`);
    const lines = printValue({ deep: { deeper: texts } }, 2, 30).split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it('has names and spreads as they are', () => {
    expect(printValue({ '...paper': true, locale: new Name('locale'), a: new Name('b') })).toBe(
      '{ ...paper, locale, a: b }',
    );
  });
});

describe('a printed string', () => {
  it('cannot end the script around it, nor begin a comment in it', () => {
    const text = '</script><!--<script>';
    expect(printString(text)).not.toMatch(/<[/!]/);
    expect(evaluate(printString(text))).toBe(text);
  });

  it.each(['\u2028', '\u202e', '\u0000', '\u200b', "'\\\n\r\t"])(
    'shows invisible characters, with the same meaning: %j',
    (text) => {
      expect(printString(text)).toMatch(/^'[ -~]*'$/);
      expect(evaluate(printString(text))).toBe(text);
    },
  );
});

it('an attribute can contain quotes and brackets', () => {
  expect(printAttribute('a"b<c>&')).toBe('"a&#34;b&#60;c&#62;&#38;"');
});
