import cardValidator from 'card-validator';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectBrand } from './brands.ts';
import { passesLuhn } from './luhn.ts';
import { checkPan, formatPan, maxPanLength } from './pan.ts';

/** contract.md §6: numbers the sandbox takes, each to be typed by somebody. */
const TEST_NUMBERS = [
  '4242 4242 4242 4242',
  '5555 5555 5555 4444',
  '3782 822463 10005',
  '6011 1111 1111 1117',
  '3566 0020 2036 0505',
  '3056 930902 5904',
  '6200 0000 0000 0005',
  '4000 0000 0000 0002',
  '4000 0000 0000 9995',
  '4000 0000 0000 0069',
  '4000 0000 0000 0127',
  '4000 0000 0000 9987',
  '4000 0084 0000 1629',
  '4000 0000 0000 0119',
  '4000 0000 0001 0001',
  '4000 0000 0001 0019',
  '4000 0000 0001 0027',
  '4000 0000 0001 0035',
  '4000 0000 0001 0043',
  '4000 0000 0001 0050',
  '4000 0000 0001 0068',
  '4000 0000 0001 0076',
  '4000 0000 0001 0084',
  '4000 0000 0001 0092',
  '4000 0000 0001 0100',
  '4000 0000 0001 0118',
  '4000 0000 0001 0126',
];

describe.each(TEST_NUMBERS)('the sandbox number %s', (printed) => {
  const digits = printed.replaceAll(' ', '');

  it('is valid', () => {
    expect(checkPan(digits)).toEqual({ state: 'valid', value: digits });
  });

  it('is grouped as it is printed, and is incomplete until its last digit', () => {
    expect(formatPan(digits)).toBe(printed);
    const brand = detectBrand(digits)[0];
    // A UnionPay number may be shorter and has no check digit, so there is nothing to wait for.
    const shortest = brand === 'unionpay' ? 14 : digits.length;
    for (let length = 1; length < shortest; length++) {
      expect(checkPan(digits.slice(0, length)), `${length} digits`).toEqual({ state: 'incomplete' });
    }
  });
});

it('is empty before anything is typed', () => {
  expect(checkPan('')).toEqual({ state: 'empty' });
});

it.each([
  ['4242424242424241', 'luhn', 'one wrong digit in a Visa number of usual length'],
  ['4242424242424242426', 'luhn', 'a wrong Visa number of the greatest length'],
  ['378282246310006', 'luhn', 'one wrong digit of American Express'],
  ['30569309025905', 'luhn', 'one wrong digit of Diners Club'],
  ['5555555555554445', 'luhn', 'one wrong digit of Mastercard'],
  ['55555555555544440', 'length', 'one digit more than Mastercard has'],
  ['3782822463100050', 'length', 'one digit more than American Express has'],
  ['42424242424242424242', 'length', 'more digits than any card has'],
  ['12345678901234567890', 'length', 'more digits than any card has, of no brand'],
  ['1234567890123456', 'unknown_brand', 'neither a known brand nor a check digit'],
  ['424242424242424x', 'unknown_brand', 'something else than digits'],
] as const)('is never valid: %s (%s: %s)', (digits, problem, _) => {
  expect(checkPan(digits)).toEqual({ state: 'invalid', problem });
});

it.each([
  ['9', 'a first digit no brand has, when the rest is to come'],
  ['12345678901', 'eleven digits of no brand'],
  ['123456789012345', 'digits of no brand that may yet become a number'],
  ['42424242424242424', 'seventeen digits, as Visa has eighteen'],
  ['500000000000', 'a short Maestro number whose check digit may be to come'],
])('may yet become valid: %s (%s)', (digits) => {
  expect(checkPan(digits)).toEqual({ state: 'incomplete' });
});

it.each([
  ['9999999999999995', 'sixteen digits of no brand'],
  ['100000000008', 'twelve digits of no brand'],
  ['1000000000000000009', 'nineteen digits of no brand'],
  ['6200000000000004', 'a UnionPay number without a check digit'],
  ['500000000009', 'a Maestro number of twelve digits'],
])('leaves to the service: %s (%s)', (digits) => {
  expect(checkPan(digits)).toEqual({ state: 'valid', value: digits });
});

it.each([
  ['', ''],
  ['4', '4'],
  ['4242', '4242'],
  ['42424', '4242 4'],
  ['4242424242424242426', '4242 4242 4242 4242426'],
  ['3782', '3782'],
  ['37828', '3782 8'],
  ['3782822463', '3782 822463'],
  ['37828224631', '3782 822463 1'],
  ['99999', '9999 9'],
])('shows %j as %j', (digits, value) => {
  expect(formatPan(digits)).toBe(value);
});

it.each([
  ['', 19],
  ['4', 19],
  ['3', 19],
  ['37', 15],
  ['51', 16],
  ['9', 16],
  ['99', 19],
])('lets %j grow to %i digits', (digits, length) => {
  expect(maxPanLength(digits)).toBe(length);
});

/**
 * `card-validator` is the yardstick. Where we judge otherwise it is on purpose, for one of these reasons;
 * a difference that none of them explains is a fault.
 */
const DIFFERENCES = {
  'a number of no known brand, which it refuses and we leave to the service': (digits: string) =>
    detectBrand(digits).length === 0,
  'a failed check at the usual length, which it calls potentially valid and we report': (digits: string) =>
    checkPan(digits).state === 'invalid' &&
    !passesLuhn(digits) &&
    cardValidator.number(digits).isPotentiallyValid,
};

function theirs(digits: string): 'valid' | 'incomplete' | 'invalid' {
  const { isValid, isPotentiallyValid } = cardValidator.number(digits);
  if (isValid) return 'valid';
  return isPotentiallyValid ? 'incomplete' : 'invalid';
}

/** Numbers that differ without one of the reasons, and how often each reason was used. */
function compare(numbers: readonly string[]) {
  const used = new Map<string, number>();
  const unexplained: string[] = [];
  for (const digits of numbers) {
    if (checkPan(digits).state === theirs(digits)) continue;
    const reason = Object.entries(DIFFERENCES).find(([, explains]) => explains(digits))?.[0];
    if (reason) used.set(reason, (used.get(reason) ?? 0) + 1);
    else unexplained.push(`${digits}: ${theirs(digits)} there, ${JSON.stringify(checkPan(digits))} here`);
  }
  return { unexplained, used };
}

describe('held against card-validator', () => {
  it('agrees on the numbers of its own test suite', () => {
    const numbers = [
      ...[
        '1',
        '12',
        '123',
        '4',
        '41',
        '411',
        '411111',
        '4111111111111111',
        '4111111111111112',
        '411111111111111',
      ],
      ...[
        '4012888888881881',
        '4222222222222',
        '4462030000000000',
        '4484070000000000',
        '411111y',
        '51',
        '511',
      ],
      ...[
        '5105105105105100',
        '5555555555554444',
        '2223000048400011',
        '2230000000000000',
        '27',
        '2720',
        '2721',
      ],
      ...['34', '37', '341', '3782822463100', '378282246310005', '371449635398431', '378734493671000'],
      ...['30', '36', '38', '30569309025904', '38520000023237', '36700102000000', '36148900647913'],
      ...['6', '6011', '6011111111111117', '6011000990139424', '65', '6500000000000002', '6441111111111119'],
      ...['21', '1800', '2131', '3530111333300000', '3566002020360505', '353', '356'],
      ...['62', '622', '6212345678901232', '6221558812340000', '6221558812340013', '6212345000000001'],
      ...[
        '6304000000000000',
        '6304 0000 0000 0000',
        '6799990100000000019',
        '5018000000000009',
        '676770000000',
      ],
      ...['5066991111111118', '6362970000457013', '6370950000000005', '6062826786276634', '5732806135556590'],
      ...['2200000000000004', '2204000000000000', '9792000000000001', '5895620000000002', '5061000000000000'],
    ].filter((number) => /^\d+$/.test(number));
    expect(compare(numbers).unexplained).toEqual([]);
  });

  it('agrees on 20,000 random numbers, most of which begin as cards do', () => {
    const beginning = fc.constantFrom(
      ...[
        '',
        '4',
        '401178',
        '51',
        '2221',
        '2720',
        '34',
        '37',
        '300',
        '36',
        '6011',
        '644',
        '65',
        '650033',
        '3528',
      ],
      ...[
        '1800',
        '62',
        '622126',
        '81',
        '50',
        '5066991',
        '56',
        '63',
        '637095',
        '606282',
        '2200',
        '9792',
        '506099',
      ],
    );
    const number = fc
      .tuple(beginning, fc.stringMatching(/^\d{0,19}$/), fc.integer({ min: 1, max: 20 }), fc.boolean())
      .map(([start, rest, length, repaired]) => {
        const digits = `${start}${rest}0123456789012345678`.slice(0, length);
        if (!repaired) return digits;
        const others = digits.slice(0, -1);
        return others + (Array.from('0123456789').find((last) => passesLuhn(others + last)) ?? '0');
      });
    const { unexplained, used } = compare(fc.sample(number, { numRuns: 20_000, seed: 20 }));
    expect(unexplained.slice(0, 10)).toEqual([]);
    expect([...used.keys()].sort()).toEqual(Object.keys(DIFFERENCES).sort());
  }, 30_000);
});
