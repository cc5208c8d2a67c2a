// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fetchData } from './data-file.ts';
import { SCRIPT_ALTERED } from './verified-import.ts';

const FILE = new URL('/assets/de.json', location.href).href;
const altered = vi.fn();
const onAltered = (event: Event) => altered(event instanceof CustomEvent ? event.detail : null);

beforeEach(() => addEventListener(SCRIPT_ALTERED, onAltered));
afterEach(() => {
  removeEventListener(SCRIPT_ALTERED, onAltered);
  altered.mockReset();
  vi.unstubAllGlobals();
});

/** A browser in which each fetch with a hash gets the next of these answers, and any other fetch gets `without`. */
const answer = (withHash: readonly (Response | null)[], without: Response | null) => {
  const next = [...withHash];
  const fetched = vi.fn(async (_: string, options?: RequestInit) => {
    const response = options?.integrity ? next.shift() : without;
    if (!response) throw new TypeError('Failed to fetch');
    return response;
  });
  vi.stubGlobal('fetch', fetched);
  return fetched;
};
const found = () => new Response('{"total":"Summe"}');

it('threat-model 2.3: data is fetched by its hash', async () => {
  const fetched = answer([found()], null);
  expect(await fetchData('de', 'sha256-abc')).toEqual({ total: 'Summe' });
  expect(fetched.mock.calls).toEqual([[FILE, { integrity: 'sha256-abc' }]]);
});

it('threat-model 2.3: altered data is not used, and reported', async () => {
  answer([null, null], found());
  await expect(fetchData('de', 'sha256-abc')).rejects.toThrow('Failed to fetch');
  expect(altered.mock.calls).toEqual([[FILE]]);
});

it.each([
  ['is lost', null],
  ['is not there', new Response('', { status: 404 })],
])('data that %s is not reported as altered', async (_, without) => {
  answer([null, null], without);
  await expect(fetchData('de', 'sha256-abc')).rejects.toThrow('Failed to fetch');
  expect(altered).not.toHaveBeenCalled();
});

it('data lost once is read again', async () => {
  answer([null, found()], found());
  expect(await fetchData('de', 'sha256-abc')).toEqual({ total: 'Summe' });
  expect(altered).not.toHaveBeenCalled();
});
