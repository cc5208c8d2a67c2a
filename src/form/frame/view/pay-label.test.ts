import { expect, it } from 'vitest';
import { payLabel } from './pay-label.ts';

it.each([
  ['Pay {amount}', { before: 'Pay ', after: '', apart: false }],
  ['{amount} bezahlen', { before: '', after: ' bezahlen', apart: false }],
  ['{amount}を支払う', { before: '', after: 'を支払う', apart: false }],
])("the form's own sentences keep the amount in its place: %s", (sentence, label) => {
  expect(payLabel(sentence, true)).toEqual(label);
});

it.each([
  ['Donate {amount}', 'Donate'],
  ['Donate {amount} now', 'Donate now'],
  ['{amount} spenden', 'spenden'],
  ['Order: {amount}', 'Order'],
  ['{amount} – order now', 'order now'],
  ['Start your free trial (then {amount} a year)', 'Start your free trial (then a year)'],
  ['Free, not {amount}', 'Free, not'],
  ['{amount}', ''],
])("a page's sentence loses the amount, which has its own line: %s", (sentence, words) => {
  expect(payLabel(sentence, false)).toEqual({ before: words, after: '', apart: true });
});
