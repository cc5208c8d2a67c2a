import { afterEach, expect, it, vi } from 'vitest';
import { createSandbox } from '../sandbox.ts';
import { createIds, type IdPrefix } from './ids.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('contract S2.1: an id is its prefix and at least 128 bits', () => {
  const id = createIds()('lg_pi_');
  expect(id).toMatch(/^lg_pi_[A-Za-z0-9]{24}$/);
  expect(24 * Math.log2(62)).toBeGreaterThan(128);
});

it('uses a cryptographic source: no two sandboxes create the same ids', () => {
  expect(createIds()('lg_cs_')).not.toBe(createIds()('lg_cs_'));
});

it.each<IdPrefix>(['lg_pi_', 'lg_cs_', 'lg_re_', 'adj_', 'evt_', 'we_'])(
  '%s: every character comes from crypto.getRandomValues, and none from Math.random',
  (prefix) => {
    let drawn = 0;
    const zeros = vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
      if (array instanceof Uint8Array) drawn += array.fill(0).length;
      return array;
    });
    const guessable = vi.spyOn(Math, 'random');
    // Without its random part, nothing is left of the id.
    expect(createIds()(prefix)).toBe(prefix + 'A'.repeat(24));
    expect(zeros).toHaveBeenCalled();
    expect(drawn * 8).toBeGreaterThanOrEqual(128);
    expect(guessable).not.toHaveBeenCalled();
  },
);

it('contract 6.6: only a seeded sandbox uses no cryptographic source, and it says so', () => {
  const chance = vi.spyOn(crypto, 'getRandomValues');
  createIds(7)('lg_cs_');
  expect(chance).not.toHaveBeenCalled();
  expect(createSandbox().isSeeded).toBe(false);
  expect(createSandbox({ seed: 0 }).isSeeded).toBe(true);
});

it('a client secret cannot be derived from the id of its payment', async () => {
  const sandbox = createSandbox();
  const create = async () => {
    const response = await sandbox.fetch(
      new Request('http://service.test/partner/v1/payment_intents', {
        method: 'POST',
        headers: { authorization: `Bearer ${sandbox.keys.secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          amount: 500,
          currency: 'eur',
          items: [{ name: 'x', quantity: 1, unit_amount: 500 }],
        }),
      }),
    );
    const { id, client_secret }: Record<string, string> = await response.json();
    return [id?.slice('lg_pi_'.length) ?? '', client_secret?.slice('lg_cs_'.length) ?? ''];
  };
  const drawn = [...(await create()), ...(await create())];
  for (const one of drawn) expect(one).toMatch(/^[A-Za-z0-9]{24}$/);
  expect(new Set(drawn).size).toBe(4);
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
