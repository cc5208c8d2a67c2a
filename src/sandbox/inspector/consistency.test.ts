/** Compares the inspector's copies of test numbers, faults and design tokens with the sandbox's and the form's. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TEST_CARDS } from '../../form/card/test-cards.ts';
import { FAULTY_ROUTES as ROUTES } from '../service/faults/fault.ts';
import { TEST_NUMBERS as SUPPORTED } from '../service/payments/outcomes.ts';
import { createWorld } from '../service/sandbox.fixture.ts';
import { FAULT_PRESETS, ROUTE_GROUPS, WEBHOOK_PRESETS } from './fault-presets.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

describe('contract 6.7: test numbers', () => {
  it('lists every number that the sandbox supports, once, and no other', () => {
    const listed = TEST_CARDS.flatMap(({ cards }) => cards.map(({ number }) => number));
    expect(listed.sort()).toEqual([...SUPPORTED.keys()].sort());
  });
});

describe('fault presets', () => {
  it('cover the routes that can have faults', () => {
    expect(ROUTE_GROUPS.flatMap(({ routes }) => [...routes]).sort()).toEqual([...ROUTES].sort());
  });

  it.each(FAULT_PRESETS)('$name is accepted by the control route', async ({ fault }) => {
    const world = createWorld();
    for (const route of ROUTES) {
      expect((await world.control('faults', { route, times: 1, ...fault })).status).toBe(200);
    }
  });

  it.each(WEBHOOK_PRESETS)('webhooks that $text are accepted by the control route', async ({ plan }) => {
    const world = createWorld();
    for (const times of [1, 100]) {
      expect((await world.control('webhook_plan', plan(times))).status).toBe(200);
    }
  });
});

/** Returns the custom properties in the first block that begins with `start`. */
const tokensAfter = (css: string, start: string): Map<string, string> => {
  const from = css.indexOf(start);
  expect(from).toBeGreaterThanOrEqual(0);
  const block = css.slice(from, css.indexOf('}', from));
  return new Map(
    Array.from(block.matchAll(/--([\w-]+):\s*([^;]+);/g), ([, name = '', value = '']) => [name, value]),
  );
};

describe('the design tokens of inspector and playground', () => {
  const design = read('design.css');
  const sheets = ['first', 'late'].map((name) => read(`../../form/frame/styles/${name}.css`));

  it.each([
    ['light', ':root {', ':root {'],
    ['dark', '@media (prefers-color-scheme: dark) {\n  :root {', ':root[data-scheme="dark"] {'],
  ])('shared with the form have the same values there: %s', (_, start, startInForm) => {
    const tokens = tokensAfter(design, start);
    const formTokens = new Map(sheets.flatMap((sheet) => [...tokensAfter(sheet, startInForm)]));
    const shared = [...tokens.keys()].filter((name) => formTokens.has(name));
    expect(shared.length).toBeGreaterThan(12);
    for (const name of shared) expect([name, tokens.get(name)]).toEqual([name, formTokens.get(name)]);
  });

  it.each([
    ['design.css', design.slice(design.indexOf('*,\n'))],
    ['inspector.css', read('inspector.css')],
    ['playground.css', read('../playground/playground.css')],
  ])('are the only place with colours: %s', (_, rules) => {
    expect(rules.match(/#[0-9a-f]{3,8}\b|rgba?\(/g)).toBeNull();
  });
});
