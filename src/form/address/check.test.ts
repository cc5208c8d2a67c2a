import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../proof/fuzz.ts';
import { checkEmail, checkLine, checkName } from './check.ts';

it.each([
  ['ada@example.com', 'ada@example.com'],
  [' ada@example.com ', 'ada@example.com'],
  ['ada+tag@mail.example.co.uk', 'ada+tag@mail.example.co.uk'],
  ["o'neil@example.com", "o'neil@example.com"],
  ['​ ada@example.com', 'ada@example.com'],
  ['用户@例子.公司', '用户@例子.公司'],
  ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
  ['a@b.c', 'a@b.c'],
  [`${'a'.repeat(242)}@example.com`, `${'a'.repeat(242)}@example.com`],
])('accepts the email address %j', (input, value) => {
  expect(checkEmail(input)).toEqual({ state: 'valid', value });
});

describe('promises 2.12: an email address is read as it was meant', () => {
  const ADA = { state: 'valid', value: 'ada@example.com' };

  it.each([
    '\u200fada@example.com',
    'ada@example.com\u200e',
    'ada@exam\u00adple.com',
    'ada\u2060@example.com',
    'ada\u200b@example.com',
    '\u202aada@example.com\u202c',
    '\u3164ada@example.com',
    'ada@example.com\ud800',
    'ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ',
    'ada@example。com',
    'ada@example｡com',
  ])('without what nobody sees, in ASCII where Latin letters are meant: %j', (input) => {
    expect(checkEmail(input)).toEqual(ADA);
  });

  it.each([
    '<ada@example.com>',
    'Ada Lovelace <ada@example.com>',
    '"Lovelace, Ada" <ada@example.com>;',
    '"ada@example.com" <ada@example.com>',
    'mailto:ada@example.com',
    'MailTo:ada@example.com?subject=Hello%20Ada',
    '<mailto:ada@example.com>',
    'ada@example.com <mailto:ada@example.com>',
    'ada@example.com,',
    'ada@example.com;',
    'ada@example.com.',
    'ada@example.com...',
    ', ada@example.com',
    '"ada@example.com"',
    "'ada@example.com'",
    '“ada@example.com”',
    '«ada@example.com»',
    '(ada@example.com)',
    '[ada@example.com]',
    '＜ada@example.com＞',
    '> ada@example.com',
    '- ada@example.com',
    '• ada@example.com',
  ])('of all that is around the address in it: %j', (input) => {
    expect(checkEmail(input)).toEqual(ADA);
  });

  it.each([
    ['_ada+tag@example.com', 'what may begin an address stays'],
    ['+491701234567@example.com', 'what may begin an address stays'],
    ["o'neil@example.com", 'an apostrophe within stays'],
    ['ada?x@example.com', 'a question mark without mailto: is part of the name'],
  ])('%s: %s', (input) => {
    expect(checkEmail(input)).toEqual({ state: 'valid', value: input });
  });

  it.each([
    'ada@example.com, bob@example.com',
    '<ada@example.com> <bob@example.com>',
    'ada lovelace@example.com',
    'ada>lovelace@example.com',
    'ada<lovelace@example.com',
    'Ada ada@example.com',
    'mailto:',
    '<>',
  ])('nothing is guessed of %j', (input) => {
    expect(checkEmail(input).state).not.toBe('valid');
  });

  it('reads an address that it has returned as the same, whatever was around it', () => {
    fc.assert(
      fc.property(
        fc.emailAddress(),
        fc.array(fc.constantFrom(...'<>"\'()[],;. \u200b\u200f“”'), { maxLength: 4 }),
        fc.string({ unit: 'grapheme', maxLength: 20 }),
        (address, around, text) => {
          if (/^[\w+-]/.test(address)) {
            const wrapped = `${around.join('')}${address}${around.toReversed().join('')}`;
            if (!/[<>]/.test(wrapped))
              expect(checkEmail(wrapped)).toEqual({ state: 'valid', value: address });
          }
          for (const input of [text, `${text}@${text}.com`, `${text}<${address}>`]) {
            const verdict = checkEmail(input);
            if (verdict.state === 'valid') expect(checkEmail(verdict.value)).toEqual(verdict);
          }
        },
      ),
      { numRuns: runs(20_000) },
    );
  });
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
  for (const part of ['a', '@', '.', 'a@', '@.', 'a.', ' ', '\u200b', '<', '<@', ',', ',a', 'mailto:', '?']) {
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
