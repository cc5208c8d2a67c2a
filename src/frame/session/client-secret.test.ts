import { describe, expect, it, vi } from 'vitest';
import { createManualClock } from '../../api/manual-clock.fixture.ts';
import type { ClientSecretSource } from '../../channel/client-secret.ts';
import { createSecrets, PATIENCE } from './client-secret.ts';

const GIVEN = { kind: 'given', value: 'lg_cs_1' } as const;

const trial = (first: ClientSecretSource = { kind: 'ask' }) => {
  const clock = createManualClock();
  const ask = vi.fn<(anew: boolean) => void>();
  const secrets = createSecrets({ first, ask, clock });
  const waiting = new AbortController();
  return { clock, ask, secrets, have: (anew = false) => secrets.have(anew, waiting.signal), waiting };
};

describe('the client secret (product 1)', () => {
  it('that came with init is used, and the page is not asked', async () => {
    const { ask, secrets, have } = trial(GIVEN);
    expect(await have()).toBe(true);
    expect(secrets.current()).toBe('lg_cs_1');
    expect(ask).not.toHaveBeenCalled();
  });

  it('that did not come is asked for once, and kept', async () => {
    const { ask, secrets, have, clock } = trial();
    const found = have();
    secrets.give('lg_cs_1');
    expect(await found).toBe(true);
    expect(await have()).toBe(true);
    expect(ask.mock.calls).toEqual([[false]]);
    expect(clock.waiting()).toBe(0);
  });

  it('of another intent replaces the one that is over, which is not used any more meanwhile', async () => {
    const { ask, secrets, have } = trial(GIVEN);
    const found = have(true);
    secrets.give('lg_cs_2');
    expect(await found).toBe(true);
    expect(secrets.current()).toBe('lg_cs_2');
    expect(ask.mock.calls).toEqual([[true]]);
  });

  it('that the page does not have: no, and the next time it is asked for another answer', async () => {
    const { ask, secrets, have } = trial();
    const found = have();
    secrets.give(null);
    expect(await found).toBe(false);
    expect(secrets.current()).toBe('');
    const again = have();
    secrets.give('lg_cs_1');
    expect(await again).toBe(true);
    expect(ask.mock.calls).toEqual([[false], [true]]);
  });

  it('is waited for 30 s, not for ever', async () => {
    const { secrets, have, clock } = trial();
    const found = have();
    await clock.advance(PATIENCE);
    expect(await found).toBe(false);
    secrets.give('lg_cs_late');
    expect(secrets.current()).toBe('');
    expect(clock.waiting()).toBe(0);
  });

  it('is not waited for by a form that is gone', async () => {
    const { have, waiting, clock } = trial();
    const found = have();
    waiting.abort();
    expect(await found).toBe(false);
    expect(clock.waiting()).toBe(0);
  });

  it('is forgotten when it is of no use any more', () => {
    const { secrets } = trial(GIVEN);
    secrets.forget();
    expect(secrets.current()).toBe('');
  });

  it('that nobody asked for is not heard', async () => {
    const { secrets } = trial(GIVEN);
    secrets.give('lg_cs_evil');
    expect(secrets.current()).toBe('lg_cs_1');
  });
});
