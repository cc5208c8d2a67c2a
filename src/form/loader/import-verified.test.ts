// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { importVerified } from './import-verified.ts';

const SRC = 'https://pay.example/partner/v1/card-form/0.1.0-abc/page.js';

beforeEach(() => {
  document.body.innerHTML = '<div data-card-form></div><p></p><card-form></card-form>';
});
afterEach(() => {
  document.head.replaceChildren();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The inserted element, held back so that nothing is fetched. */
const inserted = (vendor: string): Node => {
  vi.spyOn(navigator, 'vendor', 'get').mockReturnValue(vendor);
  const append = vi.spyOn(document.head, 'append').mockImplementation(() => {});
  void importVerified(SRC, 'n0', 'sha256-x');
  const node = append.mock.calls[0]?.[0];
  if (!(node instanceof Node)) throw new Error('Nothing was put into the page.');
  return node;
};

it.each([
  ['Chromium', 'Google Inc.', { localName: 'link', rel: 'modulepreload', href: SRC, nonce: 'n0' }],
  ['Firefox', '', { localName: 'link', rel: 'modulepreload', href: SRC, nonce: 'n0' }],
  ['WebKit', 'Apple Computer, Inc.', { localName: 'script', type: 'module', src: SRC, nonce: 'n0' }],
])('threat-model 2.3: %s gets the hash in the way that it enforces', (_, vendor, expected) => {
  const node = inserted(vendor);
  expect(node).toMatchObject(expected);
  expect(Reflect.get(node, 'integrity')).toMatch(/^(sha256-x)?$/);
});

it('threat-model 2.3: rejects if the file was altered or does not load', async () => {
  const append = vi.spyOn(document.head, 'append').mockImplementation(() => {});
  const asked = importVerified(SRC, 'n0', 'sha256-x');
  Reflect.get(Object(append.mock.calls[0]?.[0]), 'onerror')(new Event('error'));
  await expect(asked).rejects.toBeInstanceOf(Event);
});
