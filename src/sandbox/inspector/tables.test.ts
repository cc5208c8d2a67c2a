/** What the page says of the sandbox, held to the sandbox; its look, held to the form's. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FAULTY_ROUTES as ROUTES } from '../fault.ts';
import { createWorld } from '../fixtures.ts';
import { TEST_NUMBERS as PLAYED } from '../outcomes.ts';
import { FAULT_PRESETS, FAULTY_ROUTES } from './fault-presets.ts';
import { TEST_NUMBERS } from './test-numbers.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

describe('contract 6, "Test numbers"', () => {
  it('each is listed once, and none that the sandbox does not play', () => {
    const listed = TEST_NUMBERS.flatMap(({ numbers }) => numbers.map(({ number }) => number));
    expect(listed.sort()).toEqual([...PLAYED.keys()].sort());
  });
});

describe('faults', () => {
  it('befall the routes that faults can befall', () => {
    expect([...FAULTY_ROUTES].sort()).toEqual([...ROUTES].sort());
  });

  it.each(FAULT_PRESETS)('$name is one that the control route takes', async ({ fault }) => {
    const world = createWorld();
    for (const route of FAULTY_ROUTES) {
      expect((await world.control('faults', { route, times: 1, ...fault })).status).toBe(200);
    }
  });
});

/** The custom properties in the first block that begins with `start`. */
const tokensAfter = (css: string, start: string): Map<string, string> => {
  const from = css.indexOf(start);
  expect(from).toBeGreaterThanOrEqual(0);
  const block = css.slice(from, css.indexOf('}', from));
  return new Map(
    Array.from(block.matchAll(/--([\w-]+):\s*([^;]+);/g), ([, name = '', value = '']) => [name, value]),
  );
};

describe('the look', () => {
  const own = read('inspector.css');
  const form = read('../../frame/form.css');

  it.each([
    ['light', ':root {', ':root {'],
    ['dark', '@media (prefers-color-scheme: dark) {\n  :root {', ':root[data-scheme="dark"] {'],
  ])("is that of the form's tokens: %s", (_, start, startOfForm) => {
    const ours = tokensAfter(own, start);
    const theirs = tokensAfter(form, startOfForm);
    const shared = [...ours.keys()].filter((name) => theirs.has(name));
    expect(shared.length).toBeGreaterThan(12);
    for (const name of shared) expect([name, ours.get(name)]).toEqual([name, theirs.get(name)]);
  });

  it('names no colour below the root', () => {
    const rules = own.slice(own.indexOf('*,\n'));
    expect(rules.match(/#[0-9a-f]{3,8}\b|rgba?\(/g)).toBeNull();
  });
});
