import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutCardNumbers } from './card-numbers.ts';
import { repeatsCard, withoutCard } from './redact.ts';

const CARD = { number: '4000056655665556', cvc: '987' };
const ERROR = { kind: 'refused', status: 402, type: 'card_error', code: 'payment_failed', message: 'No.' };

describe('threat-model C19: anything that looks like a card number is cut out of a text', () => {
  it.each([
    ['4242424242424242', '…'],
    ['4242 4242 4242 4242 was declined', '… was declined'],
    ['4242/4242/4242/4242', '…'],
    ['4242 – 4242 – 4242 – 4242', '…'],
    ['4242, 4242, 4242, 4242', '…'],
    ['4\u200b2\u200b4\u200b2\u200b4\u200b2\u200b4\u200b2\u200b4\u200b2\u200b4\u200b2\u200b4', '…'],
    ['٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢', '…'],
    ['４２４２４２４２４２４２４２４２', '…'],
    ['①②③④⑤⑥⑦⑧⑨①②③④', '…'],
  ])('%s', (said, handedOn) => {
    expect(withoutCardNumbers(said)).toBe(handedOn);
  });

  it('amounts, times and references are kept', () => {
    const message = 'Between 100 and 99999999, at 1700000000, for 4242 (ref 12ab34cd5678ef9012).';
    expect(withoutCardNumbers(message)).toBe(message);
  });
});

describe('threat-model C19: a text that repeats the typed card is dropped, however its digits are written', () => {
  it.each([
    'No: 4000a0566b5566c5556',
    'No: 4000 then 0566 then 5566 then 5556',
    'No: ４０００－０５６６－５５６６－５５５６',
    'No: ⁴⁰⁰⁰⁰⁵⁶⁶⁵⁵⁶⁶⁵⁵⁵⁶',
    'No: ٤٠٠٠٠٥٦٦٥٥٦٦٥٥٥٦',
    'No: 𝟜𝟘𝟘𝟘𝟘𝟝𝟞𝟞',
    'No: 0566556',
    'The code 987 is wrong.',
    'The code ９８７ is wrong.',
  ])('%s', (message) => {
    expect(repeatsCard(message, CARD)).toBe(true);
    expect(withoutCard({ ...ERROR, message }, CARD, 'http_402').message).toMatch(/left it out/);
  });

  it.each([
    'Card 400005…5556 was declined.',
    'At 1700000000, between 100 and 99999999.',
    'Attempt 9876 of req_19870',
    '',
  ])('tells what is no card: %s', (message) => {
    expect(repeatsCard(message, CARD)).toBe(false);
    expect(withoutCard({ ...ERROR, message }, CARD, 'http_402')).toEqual({ ...ERROR, message });
  });

  it('without a known card no text is dropped', () => {
    expect(repeatsCard('4000056655665556 987', {})).toBe(false);
    expect(repeatsCard('4000056655665556 987', { number: '' })).toBe(false);
  });

  it('every text of an error is checked', () => {
    const said = 'x_4000_0566_5566_5556';
    const error = { ...ERROR, type: said, code: said, message: said, param: said, declineCode: said };
    const told = withoutCard(error, CARD, 'http_402');
    expect(told).toMatchObject({
      status: 402,
      type: 'api_error',
      code: 'http_402',
      param: null,
      declineCode: null,
    });
    expect(JSON.stringify(told)).not.toMatch(/4000|0566|5556/);
  });

  it('a code or status that contains the security code is kept', () => {
    const error = { ...ERROR, code: 'http_402', param: 'items[402]' };
    expect(withoutCard(error, { ...CARD, cvc: '402' }, 'x')).toEqual(error);
  });

  const digits = (min: number, max: number) =>
    fc.array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max });
  const ZEROS = ['0', '\u0660', '\u06f0', '\u0966', '\u0e50', '\uff10', '\u{1d7ce}', '\u{1d7d8}', '\u2080'];
  const between = fc
    .string({ unit: 'binary', maxLength: 6 })
    .filter((text) => !/\p{N}/u.test(text.normalize('NFKC')));

  it('finds any number, in the digits of any script, with anything but digits between them', () => {
    fc.assert(
      fc.property(
        digits(12, 19),
        fc.array(fc.tuple(fc.constantFrom(...ZEROS), between), { minLength: 19, maxLength: 19 }),
        fc.string(),
        fc.string(),
        (number, dress, before, after) => {
          const said = number
            .map((digit, index) => {
              const [zero = '0', gap = ''] = dress[index] ?? [];
              return String.fromCodePoint((zero.codePointAt(0) ?? 48) + digit) + gap;
            })
            .join('');
          const message = `${before}${said}${after}`;
          const card = { number: number.join(''), cvc: 'none' };
          expect(repeatsCard(message, card)).toBe(true);
          const told = withoutCard({ ...ERROR, message, param: message }, card, 'x');
          expect(JSON.stringify([told.message, told.param])).not.toMatch(/\p{Nd}/u);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('keeps any text without seven of its digits in a row', () => {
    fc.assert(
      fc.property(digits(12, 19), fc.string(), (number, message) => {
        const plain = message.replace(/\d/g, '').normalize('NFKC').replace(/\p{N}/gu, '');
        expect(repeatsCard(`${plain}${number.slice(0, 6).join('')}`, { number: number.join('') })).toBe(
          false,
        );
      }),
    );
  });
});
