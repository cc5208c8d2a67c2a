import { describe, expect, it, vi } from 'vitest';
import { createManualClock } from '../../../clock/manual-clock.ts';
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
  it('that came with init is used, and the page is not asked', async () => {
    const { ask, secret, have } = trial(given());
    expect(await have()).toBe(true);
    expect(secret.current()).toBe('lg_cs_1');
    expect(ask).not.toHaveBeenCalled();
  });

  it('that did not come is asked for once, and kept', async () => {
    const { ask, secret, have, clock } = trial();
    const found = have();
    secret.receive('lg_cs_1');
    expect(await found).toBe(true);
    expect(await have()).toBe(true);
    expect(ask.mock.calls).toEqual([[false]]);
    expect(clock.waiting()).toBe(0);
  });

  it('of another intent replaces the one that is over, which is not used any more meanwhile', async () => {
    const { ask, secret, have } = trial(given());
    const found = have(true);
    secret.receive('lg_cs_2');
    expect(await found).toBe(true);
    expect(secret.current()).toBe('lg_cs_2');
    expect(ask.mock.calls).toEqual([[true]]);
  });

  it('that the page does not have: no, and the next time it is asked for another answer', async () => {
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

  it('is waited for 30 s, not for ever', async () => {
    const { secret, have, clock } = trial();
    const found = have();
    await clock.advance(FETCH_TIMEOUT);
    expect(await found).toBe(false);
    secret.receive('lg_cs_late');
    expect(secret.current()).toBe('');
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
    const { secret } = trial(given());
    secret.forget();
    expect(secret.current()).toBe('');
  });

  it('threat-model C20: is then forgotten by all that have the options of the page, too', async () => {
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

  it('that nobody asked for is not heard', async () => {
    const { secret } = trial(given());
    secret.receive('lg_cs_evil');
    expect(secret.current()).toBe('lg_cs_1');
  });
});
