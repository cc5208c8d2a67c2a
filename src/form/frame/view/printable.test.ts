import { expect, it } from 'vitest';
import { printable } from './printable.ts';

it.each([
  [
    'direction overrides are removed',
    '\u202e10.00\u202c \u2066a\u2067b\u2068c\u2069 \u200e\u200f\u061c',
    '10.00   a b c',
  ],
  [
    'control characters and line breaks are removed',
    '\u0000a\u0007\u001b[31mb\r\nc\u0085d\u2028e\u2029f\u009f',
    'a [31mb c d e f',
  ],
  ['combining marks beyond the fourth are removed', `H${'\u0336'.repeat(500)}i`, `H${'\u0336'.repeat(4)}i`],
])('threat-model 1.6: %s', (_, text, shown) => {
  expect(printable(text)).toBe(shown);
});

it.each([
  'Kenya Nyeri AA, 250 g',
  '\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd', // Hebrew with vowel points
  '\u1ec7 \u0065\u0323\u0302', // Vietnamese, composed and decomposed
  '\u0e17\u0e35\u0e48', // Thai
  '\ud83d\udc69\u200d\ud83d\udcbb\ufe0f', // an emoji sequence
  '<b>&amp;</b>',
])('leaves %j unchanged', (text) => {
  expect(printable(text)).toBe(text);
});
