// @vitest-environment happy-dom
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fetchData } from './data-file.ts';
import { SCRIPT_ALTERED } from './verified-import.ts';

const CONTENT = '{"total":"Zwischensumme für Ä"}';
const HASH = `sha256-${createHash('sha256').update(CONTENT).digest('base64')}`;
const FILE = new URL('/assets/de.json', location.href).href;
const altered = vi.fn();
const onAltered = (event: Event) => altered(event instanceof CustomEvent ? event.detail : null);

beforeEach(() => addEventListener(SCRIPT_ALTERED, onAltered));
afterEach(() => {
  removeEventListener(SCRIPT_ALTERED, onAltered);
  altered.mockReset();
  vi.unstubAllGlobals();
});

/** A browser in which each fetch gets the next of these answers; null: none. */
const answer = (...answers: readonly (Response | null)[]) => {
  const next = [...answers];
  const fetched = vi.fn(async (_: string) => {
    const response = next.shift();
    if (!response) throw new TypeError('Failed to fetch');
    return response;
  });
  vi.stubGlobal('fetch', fetched);
  return fetched;
};

it('threat-model 2.3: data is used if it has the hash', async () => {
  const fetched = answer(new Response(CONTENT));
  expect(await fetchData('de', HASH)).toEqual({ total: 'Zwischensumme für Ä' });
  expect(fetched.mock.calls).toEqual([[FILE]]);
  expect(altered).not.toHaveBeenCalled();
});

it('threat-model 2.3: altered data is not used, and reported', async () => {
  answer(new Response(CONTENT.replace('Ä', 'A')));
  await expect(fetchData('de', HASH)).rejects.toThrow();
  expect(altered.mock.calls).toEqual([[FILE]]);
});

it.each([
  ['is lost', null],
  ['is not there', new Response('', { status: 404 })],
])('data that %s is not reported as altered, and can be fetched again', async (_, first) => {
  answer(first, new Response(CONTENT));
  await expect(fetchData('de', HASH)).rejects.toThrow();
  expect(await fetchData('de', HASH)).toEqual({ total: 'Zwischensumme für Ä' });
  expect(altered).not.toHaveBeenCalled();
});
