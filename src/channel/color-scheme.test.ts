import { expect, it } from 'vitest';
import { colorSchemeOf } from './color-scheme.ts';

it.each<[string, boolean, string]>([
  ['', true, 'light'],
  ['normal', true, 'light'],
  ['light', true, 'light'],
  ['only light', true, 'light'],
  ['dark', false, 'dark'],
  ['only dark', false, 'dark'],
  ['light dark', false, 'light'],
  ['light dark', true, 'dark'],
  ['dark light', false, 'light'],
  ['light dark true', false, 'light'], // a page may name schemes of its own
])('a page with color-scheme "%s", on a dark system: %s, is %s', (schemes, dark, scheme) => {
  expect(colorSchemeOf(`${schemes} ${dark}`)).toBe(scheme);
});
