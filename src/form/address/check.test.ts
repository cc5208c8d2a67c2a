import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkEmail, checkLine, checkName } from './check.ts';

it.each([
  ['ada@example.com', 'ada@example.com'],
  [' ada@example.com ', 'ada@example.com'],
  ['ada+tag@mail.example.co.uk', 'ada+tag@mail.example.co.uk'],
  ["o'neil@example.com", "o'neil@example.com"],
  ['用户@例子.公司', '用户@例子.公司'],
  ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
  ['a@b.c', 'a@b.c'],
  [`${'a'.repeat(242)}@example.com`, `${'a'.repeat(242)}@example.com`],
])('accepts the email address %j', (input, value) => {
  expect(checkEmail(input)).toEqual({ state: 'valid', value });
});

it.each([
  ['', { state: 'empty' }],
  ['  ', { state: 'empty' }],
  ['ada', { state: 'incomplete' }],
  ['ada@', { state: 'incomplete' }],
  ['ada@example', { state: 'incomplete' }],
  ['ada@example.', { state: 'incomplete' }],
  ['@example.com', { state: 'invalid', problem: 'format' }],
  ['ada@@example.com', { state: 'invalid', problem: 'format' }],
  ['ada@example.com@example.com', { state: 'invalid', problem: 'format' }],
  ['ada@example..com', { state: 'invalid', problem: 'format' }],
  ['ada@.com', { state: 'invalid', problem: 'format' }],
  ['ada lovelace@example.com', { state: 'invalid', problem: 'format' }],
  [`${'a'.repeat(243)}@example.com`, { state: 'invalid', problem: 'format' }],
] as const)('says of the email address %j: %j', (input, verdict) => {
  expect(checkEmail(input)).toEqual(verdict);
});

it('checks any text quickly, however long or odd', () => {
  const began = performance.now();
  for (const part of ['a', '@', '.', 'a@', '@.', 'a.', ' ', '\u200b']) {
    checkEmail(part.repeat(200_000));
    checkLine(part.repeat(200_000));
  }
  expect(performance.now() - began).toBeLessThan(2000);
});

it.each([
  ['1 Main Street', { state: 'valid', value: '1 Main Street' }],
  ['  1 Main Street\u200b ', { state: 'valid', value: '1 Main Street' }],
  ['1 Main\r\nStreet', { state: 'valid', value: '1 Main Street' }],
  ['1 Main\nStreet', { state: 'valid', value: '1 Main Street' }],
  ['Zu\u0308rich', { state: 'valid', value: 'Zürich' }],
  ['東京都', { state: 'valid', value: '東京都' }],
  ['\u200b\ufeff', { state: 'empty' }],
  ['', { state: 'empty' }],
  ['x'.repeat(200), { state: 'valid', value: 'x'.repeat(200) }],
  ['x'.repeat(201), { state: 'invalid', problem: 'too_long' }],
] as const)('says of the line %j: %j', (input, verdict) => {
  expect(checkLine(input)).toEqual(verdict);
  expect(checkName(input)).toEqual(verdict);
});

it('accepts a value that it has returned', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (input) => {
      const verdict = checkLine(input);
      if (verdict.state === 'valid') expect(checkLine(verdict.value)).toEqual(verdict);
    }),
  );
});
