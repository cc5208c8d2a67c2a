// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { nearTo } from './strays.ts';

afterEach(() => vi.restoreAllMocks());

test('the page is searched for inert elements once per press, not once per look', () => {
  const elements = Array.from({ length: 3 }, () => document.createElement('div'));
  document.body.append(...elements);
  // happy-dom knows no `:modal`.
  vi.spyOn(document, 'querySelector').mockReturnValue(null);
  const matches = vi.spyOn(Element.prototype, 'matches').mockReturnValue(false);
  const lookAt = nearTo(new DOMRect(), elements, [document.body], undefined, Number.POSITIVE_INFINITY);
  lookAt([]);
  lookAt([]);
  expect(matches.mock.calls.filter(([selector]) => selector === '[inert]')).toHaveLength(elements.length);
});
