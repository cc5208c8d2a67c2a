/** Compares the playground's own lists with the form's and the sandbox's. */
import { describe, expect, it } from 'vitest';
import { TOKEN_NAMES } from '../../form/appearance/tokens.ts';
import { TEST_CARDS } from '../../form/card/test-cards.ts';
import { LANGUAGES } from '../../form/i18n/languages.ts';
import { createWorld } from '../service/sandbox.fixture.ts';
import { SANDBOX_KEYS } from '../service/service.ts';
import { BUYER_FIELDS, SAMPLE_BUYER, VARIABLE_NAMES } from './choices.ts';
import { namedLanguages } from './languages.ts';
import { OUTCOMES } from './outcomes.ts';
import { SANDBOX_KEY } from './site.ts';

describe('the playground', () => {
  it('has every language of the form, with a name', () => {
    expect(namedLanguages()).toHaveLength(LANGUAGES.length);
    expect(namedLanguages().map(({ name }) => name)).toEqual(
      expect.arrayContaining(['English', 'German (Deutsch)', 'Traditional Chinese (繁體中文)']),
    );
  });

  it('has every variable and every billing detail', () => {
    expect([...VARIABLE_NAMES].sort()).toEqual([...TOKEN_NAMES].sort());
    expect(Object.keys({ ...SAMPLE_BUYER, line2: '' }).sort()).toEqual([...BUYER_FIELDS].sort());
  });

  it("has the sandbox's publishable key", () => {
    expect(SANDBOX_KEY).toBe(SANDBOX_KEYS.publishable);
  });

  it('has a whole buyer, but for the second line of the address', () => {
    expect(Object.values(SAMPLE_BUYER).every((value) => value !== '')).toBe(true);
  });
});

describe('the outcomes', () => {
  const cards = TEST_CARDS.flatMap((group) => group.cards.map(({ number }) => number));

  it.each(OUTCOMES)('the sandbox can do it: $text', async ({ card, fault, amount }) => {
    expect(cards).toContain(card);
    const world = createWorld();
    if (fault !== undefined) {
      expect((await world.control('faults', { times: 1, ...fault })).status).toBe(200);
    }
    if (amount !== undefined) {
      const made = JSON.parse((await world.control('payment_intents', {})).text);
      const changed = await world.control(`payment_intents/${made.payment_intent.id}/update`, { amount });
      expect(changed.status).toBe(200);
      expect(JSON.parse(changed.text).amount_total).not.toBe(made.payment_intent.amount_total);
    }
  });

  it('are named in the ribbon as its test cards are', () => {
    const named = OUTCOMES.flatMap(({ card, testCard }) =>
      testCard === undefined ? [] : [{ card, testCard }],
    );
    expect(named.length).toBeGreaterThan(4);
    for (const { card, testCard } of named) {
      const cards = TEST_CARDS.flatMap((group) => group.cards);
      expect(cards.find(({ number }) => number === card)?.outcome).toBe(testCard);
    }
  });

  it('have different names', () => {
    expect(new Set(OUTCOMES.map(({ id }) => id)).size).toBe(OUTCOMES.length);
  });
});
