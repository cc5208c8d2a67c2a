// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SCRIPT_ALTERED, verified } from './verified-import.ts';

const FILE = 'https://pay.example/partner/v1/card-form/0.1.0-abc/assets/de.js';
const altered: unknown[] = [];
const onAltered = (event: Event) =>
  altered.push(event instanceof CustomEvent ? (event.detail ?? null) : event);

beforeEach(() => {
  altered.length = 0;
  addEventListener(SCRIPT_ALTERED, onAltered);
});
afterEach(() => {
  removeEventListener(SCRIPT_ALTERED, onAltered);
  vi.restoreAllMocks();
});

/** Adds a response to the browser's resource timing. */
const addResponse = (name: string, responseStatus: number) =>
  vi
    .spyOn(performance, 'getEntriesByName')
    .mockImplementation((requested) =>
      requested === name
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
  'threat-model 2.3: reports an altered script, but not one that failed to load: %s',
  async (_, message, status, reported) => {
    addResponse(FILE, status);
    await expect(verified(() => Promise.reject(message))).rejects.toBe(message);
    expect(altered).toEqual(reported);
  },
);

it('resolves to the module of a script that runs', async () => {
  expect(await verified(async () => ({ de: 1 }))).toEqual({ de: 1 });
  expect(altered).toEqual([]);
});
