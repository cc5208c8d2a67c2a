import { describe, expect, it } from 'vitest';
import { explore } from '../model/explore.ts';
import { FORM_MISTAKES } from './form-mistakes.ts';

const CASES = FORM_MISTAKES.flatMap(({ name, wrong, model }) =>
  model ? [[name, { wrong, ...model }] as const] : [],
);

describe('within small bounds the explorer finds a form that', () => {
  it.each(CASES)('%s', { timeout: 600_000 }, async (_, { wrong, bounds, breaks }) => {
    const { violation } = await explore(bounds, { wrong });
    const broken = (violation?.broken ?? []).filter((rule) => rule.startsWith(breaks));
    expect(broken, JSON.stringify(violation)).not.toEqual([]);
  });
});
