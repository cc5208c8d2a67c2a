import { describe, expect, it, vi } from 'vitest';
import { createManualClock } from '../../../api/clock/manual-clock.ts';
import type { ClientSecretSource } from '../../channel/client-secret.ts';
import { createClientSecret, FETCH_TIMEOUT } from './client-secret.ts';

const given = (): ClientSecretSource => ({ kind: 'given', value: 'lg_cs_1' });

const trial = (first: ClientSecretSource = { kind: 'ask' }) => {
  const clock = createManualClock();
  const ask = vi.fn<(anew: boolean) => void>();
  const secret = createClientSecret({ first, fetchFromPage: ask, clock });
  const waiting = new AbortController();
  return { clock, ask, secret, have: (anew = false) => secret.ensure(anew, waiting.signal), waiting };
};

describe('the client secret (promises 1.6)', () => {
  it('is used if it came with init, and the page is not asked', async () => {
    const { ask, secret, have } = trial(given());
    expect(await have()).toBe(true);
    expect(secret.current()).toBe('lg_cs_1');
    expect(ask).not.toHaveBeenCalled();
  });

  it('is requested once if it did not come, and kept', async () => {
    const { ask, secret, have, clock } = trial();
    const found = have();
    secret.receive('lg_cs_1');
    expect(await found).toBe(true);
    expect(await have()).toBe(true);
    expect(ask.mock.calls).toEqual([[false]]);
    expect(clock.waiting()).toBe(0);
  });

  it('of another intent replaces the finished one, which is not used in the meantime', async () => {
    const { ask, secret, have } = trial(given());
    const found = have(true);
    secret.receive('lg_cs_2');
    expect(await found).toBe(true);
    expect(secret.current()).toBe('lg_cs_2');
    expect(ask.mock.calls).toEqual([[true]]);
  });

  it('is missing if the page has none, and the next time the page is asked again', async () => {
    const { ask, secret, have } = trial();
    const found = have();
    secret.receive(null);
    expect(await found).toBe(false);
    expect(secret.current()).toBe('');
    const again = have();
    secret.receive('lg_cs_1');
    expect(await again).toBe(true);
    expect(ask.mock.calls).toEqual([[false], [true]]);
  });

  it('is awaited for 30 s, not forever', async () => {
    const { secret, have, clock } = trial();
    const found = have();
    await clock.advance(FETCH_TIMEOUT);
    expect(await found).toBe(false);
    secret.receive('lg_cs_late');
    expect(secret.current()).toBe('');
    expect(clock.waiting()).toBe(0);
  });

  it('is not awaited by a removed form', async () => {
    const { have, waiting, clock } = trial();
    const found = have();
    waiting.abort();
    expect(await found).toBe(false);
    expect(clock.waiting()).toBe(0);
  });

  it('is forgotten when it is no longer needed', () => {
    const { secret } = trial(given());
    secret.forget();
    expect(secret.current()).toBe('');
  });

  it("threat-model C20: is then also forgotten by all holders of the page's options", async () => {
    const [init, of] = [given(), given()];
    trial(init).secret.forget();
    const replaced = trial(of);
    replaced.secret.give('lg_cs_2');
    expect([init, of, replaced.secret.current()]).toEqual([
      { kind: 'given', value: '' },
      { kind: 'given', value: '' },
      'lg_cs_2',
    ]);
  });

  it('is ignored if it was not requested', async () => {
    const { secret } = trial(given());
    secret.receive('lg_cs_evil');
    expect(secret.current()).toBe('lg_cs_1');
  });
});
