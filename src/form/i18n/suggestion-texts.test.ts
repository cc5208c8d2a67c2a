import { expect, it } from 'vitest';
import { LANGUAGES } from './languages.ts';
import { suggestionsText } from './suggestion-texts.ts';

it('promises 2.9: says in every language how many suggestions there are', () => {
  const texts = LANGUAGES.map((language) => suggestionsText(language, 3));
  for (const text of texts) expect(text).toMatch(/^[^{}]*\p{L}[^{}]*3[^{}]*$/u);
  expect(suggestionsText('en', 3)).toBe('Suggestions: 3');
  expect(new Set(texts).size).toBeGreaterThan(25);
});
