/**
 * Compares our verdicts with those of `card-validator`, for the numbers, dates and codes of its own tests and for
 * random ones. A table here gives the reason for every intended difference. A difference without a reason fails the
 * test, and so does a reason without a difference.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import cardValidator from 'card-validator';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { runs } from '../../proof/fuzz.ts';
import type { Check } from '../check.ts';
import { detectBrand } from './brands.ts';
import { checkCvc } from './check-cvc.ts';
import { checkExpiry } from './check-expiry.ts';
import { checkPan } from './check-pan.ts';
import { passesLuhn } from './luhn.ts';

type State = Check<unknown, string>['state'];
type Verdict = { isValid: boolean; isPotentiallyValid: boolean };

/** An intended difference: the reason in words, and the condition under which it applies. */
type Reasons<Text> = Readonly<Record<string, (text: Text, ours: State, theirs: State) => boolean>>;

const stateOf = ({ isValid, isPotentiallyValid }: Verdict): State => {
  if (isValid) return 'valid';
  return isPotentiallyValid ? 'incomplete' : 'invalid';
};

/** `card-validator` calls an empty text incomplete. */
const same = (ours: State, theirs: State) => ours === theirs || (ours === 'empty' && theirs === 'incomplete');

/** The differences without a reason, and how often each reason applied. */
const compare = (
  texts: readonly string[],
  ours: (text: string) => State,
  theirs: (text: string) => State,
  reasons: Reasons<string>,
) => {
  const used: Record<string, number> = Object.fromEntries(Object.keys(reasons).map((reason) => [reason, 0]));
  const unexplained: string[] = [];
  for (const text of texts) {
    const [here, there] = [ours(text), theirs(text)];
    if (same(here, there)) continue;
    const found = Object.entries(reasons).filter(([, explains]) => explains(text, here, there));
    for (const [reason] of found) used[reason] = (used[reason] ?? 0) + 1;
    if (found.length === 0) unexplained.push(`${JSON.stringify(text)}: ${there} there, ${here} here`);
  }
  return { unexplained, used };
};

/** The quoted texts in one of the package's own tests. */
const ownTexts = (name: string): readonly string[] => {
  const main = createRequire(import.meta.url).resolve('card-validator');
  const source = readFileSync(join(dirname(main), '../src/__tests__', `${name}.ts`), 'utf8');
  return Array.from(source.matchAll(/"([\d\s/-]*)"/g), ([, text = '']) => text);
};

const NUMBER_REASONS: Reasons<string> = {
  'of no brand we know: refused by it, left to the service by us': (digits, ours, theirs) =>
    theirs === 'invalid' && ours !== 'invalid' && detectBrand(digits).length === 0,
  'a failed check digit at the usual length: it waits for a longer number, we tell the buyer': (
    digits,
    ours,
    theirs,
  ) => ours === 'invalid' && theirs === 'incomplete' && !passesLuhn(digits),
};

const numbers = (texts: readonly string[]) =>
  compare(
    texts,
    (digits) => checkPan(digits).state,
    (digits) => stateOf(cardValidator.number(digits)),
    NUMBER_REASONS,
  );

describe('card numbers', () => {
  it('agree on the numbers of its tests', () => {
    const own = ownTexts('card-number').filter((text) => /^\d*$/.test(text));
    expect(own.length).toBeGreaterThan(50);
    expect(numbers(own).unexplained).toEqual([]);
  });

  it('agree on random numbers, most with the prefix of a card', () => {
    const beginning = fc.constantFrom(
      ...' 4 401178 51 2221 2720 34 37 300 36 6011 644 65 650033 3528 1800 62 622126 81 50 5066991 56 63'.split(
        ' ',
      ),
      ...'637095 606282 2200 9792 506099'.split(' '),
    );
    const number = fc
      .tuple(beginning, fc.stringMatching(/^\d{0,19}$/), fc.integer({ min: 1, max: 20 }), fc.boolean())
      .map(([start, rest, length, repaired]) => {
        const digits = `${start}${rest}0123456789012345678`.slice(0, length);
        if (!repaired) return digits;
        const others = digits.slice(0, -1);
        return others + (Array.from('0123456789').find((last) => passesLuhn(others + last)) ?? '0');
      });
    const { unexplained, used } = numbers(fc.sample(number, { numRuns: runs(100_000), seed: 20 }));
    expect(unexplained.slice(0, 10)).toEqual([]);
    expect(Object.entries(used).filter(([, times]) => times === 0)).toEqual([]);
  }, 120_000);
});

/** All dates in every format that a field shows or receives, since the package's tests make dates from the clock. */
const NOW = new Date('2026-11-21T12:00:00Z');

const yearOf = (date: string) => Number(/20\d\d/.exec(date)?.[0] ?? `20${date.slice(-2)}`);

const EXPIRY_REASONS: Reasons<string> = {
  'expired last month: refused by it, left to the service by us, as the clock may be wrong': (date, ours) =>
    ours === 'valid' && /^10.*26$|^2026-10$/.test(date),
  '20 to 30 years ahead: refused by it, left to the service by us': (date, ours, theirs) =>
    ours === 'valid' && theirs === 'invalid' && yearOf(date) > 2045,
  'the year 20: it waits for two more digits, we call it past once the field is left': (date, ours, theirs) =>
    ours === 'invalid' && theirs === 'incomplete' && /\D20$|^\d\d20$/.test(date),
  'no month such as 13: it waits for the first digit to be the month, which we take as a month only before a separator':
    (date, ours, theirs) => ours === 'invalid' && theirs === 'incomplete' && /^1[3-9]$/.test(date),
};

describe('expiry dates', () => {
  const two = (number: number) => String(number).padStart(2, '0');
  const months = Array.from({ length: 20 }, (_, month) => two(month));
  const years = Array.from({ length: 45 }, (_, index) => 2015 + index);
  const dates = months.flatMap((month) => [
    month,
    ...years.flatMap((year) => [
      `${month} / ${two(year % 100)}`,
      `${month} / ${year}`,
      `${month}/${two(year % 100)}`,
      `${month}/${year}`,
      `${month}${two(year % 100)}`,
      `${year}-${month}`,
    ]),
  ]);

  it('agree on every month of 45 years in six forms', () => {
    vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
    const { unexplained, used } = compare(
      dates,
      (date) => checkExpiry(date, { year: 2026, month: 11 }).state,
      (date) => stateOf(cardValidator.expirationDate(date)),
      EXPIRY_REASONS,
    );
    vi.useRealTimers();
    expect(unexplained.slice(0, 10)).toEqual([]);
    expect(Object.entries(used).filter(([, times]) => times === 0)).toEqual([]);
  });
});

describe('security codes', () => {
  it.each([
    ['visa', 3],
    ['amex', 4],
  ] as const)(
    'agree on the codes of its tests and on every code of up to five digits, for %s',
    (brand, size) => {
      const every = [1, 2, 3, 4, 5].flatMap((length) =>
        Array.from({ length: 10 ** Math.min(length, 4) }, (_, code) => String(code).padStart(length, '0')),
      );
      const codes = [...ownTexts('cvv'), ...every].filter((text) => /^\d*$/.test(text));
      const { unexplained } = compare(
        codes,
        (text) => checkCvc(text, brand).state,
        (text) => stateOf(cardValidator.cvv(text, size)),
        {},
      );
      expect(unexplained.slice(0, 10)).toEqual([]);
    },
  );
});
