import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyChoices, EVERYTHING } from './choices.fixture.ts';
import { DEFAULTS } from './choices.ts';
import { readLink, writeLink } from './link.ts';

describe('a link', () => {
  it('is empty for the defaults', () => {
    expect(writeLink(DEFAULTS)).toBe('');
    expect(readLink('')).toEqual({ choices: DEFAULTS, problems: [] });
    expect(readLink('#')).toEqual({ choices: DEFAULTS, problems: [] });
  });

  it('carries every choice', () => {
    for (const [name, value] of Object.entries(EVERYTHING)) {
      expect([name, value]).not.toEqual([name, Reflect.get(DEFAULTS, name)]);
    }
    expect(readLink(`#${writeLink(EVERYTHING)}`)).toEqual({ choices: EVERYTHING, problems: [] });
  });

  it('carries whatever a visitor chooses', () => {
    fc.assert(
      fc.property(anyChoices, (choices) => {
        expect(readLink(writeLink(choices))).toEqual({ choices, problems: [] });
      }),
    );
  });

  it('is short: one of the usual ones', () => {
    const link = writeLink({ ...DEFAULTS, preset: 'meadow', locale: 'de', width: 390 });
    expect(link).toBe('preset=meadow&locale=de&width=390');
  });
});

describe("a stranger's link", () => {
  it.each([
    'preset=constructor',
    'theme=purple',
    'width=1e3',
    'readonly=yes',
    'never=email,phone',
    'brands=visa,visa',
    'countries=XX',
    'v.colorPrimary=url(https://evil.example)',
    'v.constructor=red',
    'buyer.country=Germany',
    `buyer.name=${'x'.repeat(300)}`,
    'buyer.phone=1',
    'text.pay=Free',
    'text.total=%E2%80%AE%20Total',
    '__proto__=1',
  ])('one value that cannot be used is named and ignored, and the others are read: %s', (part) => {
    const { choices, problems } = readLink(`#page=dark&${part}&locale=fr`);
    expect(choices).toEqual({ ...DEFAULTS, page: 'dark', locale: 'fr' });
    expect(problems).toEqual([
      expect.stringMatching(/^The link has a value for “[ -~]+” that cannot be used/),
    ]);
    expect(Object.getPrototypeOf(choices)).toBe(Object.prototype);
  });

  it.each([
    'publishableKey=pk_live_sandbox0000000000000000000000001',
    'clientSecret=lg_cs_abc',
    'buyer.name=sk_live_x',
    'buyer.line1=4242%204242-4242%204242',
    'text.section.card=lg_cs_abc',
  ])('no key, no client secret and no card number is read: %s', (part) => {
    expect(readLink(`#${part}`)).toEqual({ choices: DEFAULTS, problems: [expect.any(String)] });
  });

  it('nor written', () => {
    const link = writeLink({
      ...DEFAULTS,
      buyer: { name: 'lg_cs_abc', line1: '4242 4242 4242 4242' },
      translations: { 'section.card': 'sk_live_x' },
    });
    expect(link).toBe('');
  });

  it('a detail is asked for if the link does not contain it', () => {
    expect(readLink('#never=email,address&buyer.email=a@b.example').choices.never).toEqual(['email']);
  });

  it('never throws, and every result can be written', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.webQueryParameters()), (text) => {
        const { choices } = readLink(`#${text}`);
        expect(readLink(writeLink(choices)).choices).toEqual(choices);
      }),
    );
  });

  it('too long a link is not read, and only a few problems are listed', () => {
    expect(readLink(`#locale=de&${'x'.repeat(8000)}`)).toEqual({
      choices: DEFAULTS,
      problems: ['The link is too long to be read. It was ignored.'],
    });
    expect(readLink(`#${'x=1&'.repeat(100)}`).problems).toHaveLength(5);
  });
});
