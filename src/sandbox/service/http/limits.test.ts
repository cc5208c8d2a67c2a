import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWorld, refusedWith } from '../sandbox.fixture.ts';
import { createLimiter } from './limits.ts';

describe('contract S17.4: the client waits exactly Retry-After', () => {
  it('never more than the limit in any sixty seconds, and after exactly the wait one is let through', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 60 }),
        (perMinute, pauses) => {
          let now = 1_000_000;
          const limiter = createLimiter(perMinute, () => now);
          const passed: number[] = [];
          for (const pause of pauses) {
            now += pause;
            const seconds = limiter.wait('k');
            if (seconds > 0) {
              expect(Number.isInteger(seconds) && seconds <= 60).toBe(true);
              now += seconds * 1000;
              expect(limiter.wait('k')).toBe(0);
            }
            limiter.count('k');
            passed.push(now);
            expect(passed.filter((time) => time > now - 60_000).length).toBeLessThanOrEqual(perMinute);
          }
        },
      ),
    );
  });
});

describe('contract S17, threat-model C72: limits', () => {
  it('contract S17.1: server routes: so many a minute per account, counted separately per route', async () => {
    const world = createWorld({ serverRateLimit: 3 });
    for (let n = 0; n < 3; n++) expect((await world.list('', { address: `10.0.0.${n}` })).status).toBe(200);
    await world.clock.advance(20_000);
    const over = await world.list('', { address: '10.0.0.9' });
    expect(over).toMatchObject(refusedWith(429, 'rate_limited'));
    expect(over.body).toMatchObject({ error: { type: 'rate_limit_error' } });
    expect(over.headers.get('retry-after')).toBe('40');
    expect((await world.create()).status).toBe(200);
    await world.clock.advance(39_999);
    expect((await world.list()).status).toBe(429);
    await world.clock.advance(1);
    expect((await world.list()).status).toBe(200);
  });

  it('contract S17.3: browser routes: so many a minute per address, counted separately per route', async () => {
    const world = createWorld({ clientRateLimit: 2 });
    const { client_secret } = await world.intent();
    const from = (address: string) => world.client('retrieve', { client_secret }, { address });
    await from('10.0.0.1');
    await from('10.0.0.1');
    const over = await from('10.0.0.1');
    expect(over).toMatchObject(refusedWith(429, 'rate_limited'));
    expect(over.headers.get('retry-after')).toBe('60');
    expect((await from('10.0.0.2')).status).toBe(200);
    expect((await world.client('release', { client_secret }, { address: '10.0.0.1' })).status).toBe(200);
    await world.clock.advance(60_000);
    expect((await from('10.0.0.1')).status).toBe(200);
  });

  it('browser routes: a request that is refused for its key or body counts too', async () => {
    const world = createWorld({ clientRateLimit: 1 });
    expect((await world.client('retrieve', {}, { key: null })).status).toBe(401);
    expect((await world.client('retrieve', {})).status).toBe(429);
  });

  it.each([
    [
      '1200 a minute on server routes',
      1200,
      (world: ReturnType<typeof createWorld>) => world.retrieve('lg_pi_x'),
    ],
    [
      '60 a minute on browser routes',
      60,
      (world: ReturnType<typeof createWorld>) => world.client('retrieve', {}),
    ],
  ])('the standard is %s', { timeout: 30_000 }, async (_title, limit, call) => {
    const world = createWorld();
    for (let n = 0; n < limit; n++) expect((await call(world)).status).not.toBe(429);
    expect((await call(world)).status).toBe(429);
  });

  it('contract S17.2 and S11.7: failed authentication on server routes: 300 a minute and address, then even a right key waits', async () => {
    const world = createWorld();
    const call = { key: `sk_live_${'x'.repeat(32)}`, address: '10.0.0.1' };
    for (let n = 0; n < 300; n++) expect((await world.list('', call)).status).toBe(401);
    const over = await world.list('', call);
    expect(over).toMatchObject(refusedWith(429, 'rate_limited'));
    expect(over.headers.get('retry-after')).toBe('60');
    expect((await world.list('', { address: '10.0.0.1' })).status).toBe(429);
    expect((await world.list('', { address: '10.0.0.2' })).status).toBe(200);
    await world.clock.advance(60_000);
    expect((await world.list('', { address: '10.0.0.1' })).status).toBe(200);
  });
});
