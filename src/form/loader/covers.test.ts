// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { checkCovers } from './covers.ts';

afterEach(() => vi.restoreAllMocks());

test('threat-model 1.4: a look that throws counts as covered', () => {
  const iframe = document.createElement('iframe');
  vi.spyOn(window, 'getComputedStyle').mockImplementation(() => {
    throw new Error('replaced by the page');
  });
  const line = { left: 0, top: 0.5, length: 1, height: 0.1 };
  expect(checkCovers(iframe, { lines: [line, line] })?.covers).toEqual(['over', 'over']);
});
