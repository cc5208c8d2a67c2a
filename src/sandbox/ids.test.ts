import { expect, it } from 'vitest';
import { createIds } from './ids.ts';

it('service-api "ID prefixes": an id is its prefix and at least 128 bits', () => {
  const id = createIds()('lg_pi_');
  expect(id).toMatch(/^lg_pi_[A-Za-z0-9]{24}$/);
  expect(24 * Math.log2(62)).toBeGreaterThan(128);
});

it('draws from a cryptographic source: no two sandboxes agree', () => {
  expect(createIds()('lg_cs_')).not.toBe(createIds()('lg_cs_'));
});

it('contract 6.6: a seed makes ids repeatable, and another seed makes others', () => {
  const three = (seed: number) => {
    const next = createIds(seed);
    return [next('lg_pi_'), next('lg_cs_'), next('lg_pi_')];
  };
  expect(three(7)).toEqual(three(7));
  expect(three(7)).not.toEqual(three(8));
  expect(new Set(three(7)).size).toBe(3);
});

it('uses every character about equally often', () => {
  const next = createIds(1);
  const counts = new Map<string, number>();
  for (let i = 0; i < 4000; i++) {
    for (const character of next('evt_').slice(4)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  expect(counts.size).toBe(62);
  const expected = (4000 * 24) / 62;
  for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(expected * 0.15);
});
