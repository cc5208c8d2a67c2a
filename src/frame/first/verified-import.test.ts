// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ALTERED, verified } from './verified-import.ts';

const FILE = 'https://pay.example/partner/v1/card-form/0.1.0-abc/assets/de.js';
const altered: unknown[] = [];
const hear = (event: Event) => altered.push(event instanceof CustomEvent ? (event.detail ?? null) : event);

beforeEach(() => {
  altered.length = 0;
  addEventListener(ALTERED, hear);
});
afterEach(() => {
  removeEventListener(ALTERED, hear);
  vi.restoreAllMocks();
});

/** What the browser remembers of its requests. */
const answered = (name: string, responseStatus: number) =>
  vi
    .spyOn(performance, 'getEntriesByName')
    .mockImplementation((asked) =>
      asked === name
        ? [{ name, responseStatus, entryType: 'resource', startTime: 0, duration: 1, toJSON: () => ({}) }]
        : [],
    );

it.each([
  ['Chromium', `TypeError: Failed to fetch dynamically imported module: ${FILE}`, 200, [FILE]],
  ['Firefox', `TypeError: error loading dynamically imported module: ${FILE}`, 200, [FILE]],
  ['WebKit', 'TypeError: Cannot load script due to integrity mismatch', 0, [null]],
  ['Chromium, not found', `TypeError: Failed to fetch dynamically imported module: ${FILE}`, 404, []],
  ['Chromium, no network', `TypeError: Failed to fetch dynamically imported module: ${FILE}`, 0, []],
  ['WebKit, not found', 'TypeError: Importing a module script failed.', 0, []],
])(
  'threat-model 2.3: an altered script is told of, one that did not come is not: %s',
  async (_, message, status, told) => {
    answered(FILE, status);
    await expect(verified(() => Promise.reject(message))).rejects.toBe(message);
    expect(altered).toEqual(told);
  },
);

it('a script that runs is handed on', async () => {
  expect(await verified(async () => ({ de: 1 }))).toEqual({ de: 1 });
  expect(altered).toEqual([]);
});
