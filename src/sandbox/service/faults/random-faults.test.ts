import { expect, it } from 'vitest';
import { BROWSER_ROUTES } from '../core/api-routes.ts';
import { createWorld } from '../sandbox.fixture.ts';
import { FAULT_FIELDS, type Fault } from './fault.ts';
import { createRandomFaults, FAULT_KINDS, RandomFaultSettings } from './random-faults.ts';

const faultsOf = (settings: object, count = 200): (Fault | undefined)[] => {
  const schedule = createRandomFaults(RandomFaultSettings.parse(settings));
  return Array.from({ length: count }, () => schedule.next('client.confirm'));
};

it('the same seed gives the same faults in the same order, another seed gives others', () => {
  expect(faultsOf({ seed: 5, rate: 0.5 })).toEqual(faultsOf({ seed: 5, rate: 0.5 }));
  expect(faultsOf({ seed: 5, rate: 0.5 })).not.toEqual(faultsOf({ seed: 6, rate: 0.5 }));
});

it.each([
  [0, 0, 0],
  [0.25, 150, 350],
  [1, 1000, 1000],
])('a rate of %f gives that share of the requests a fault', (rate, least, most) => {
  const faulty = faultsOf({ seed: 1, rate }, 1000).filter((fault) => fault !== undefined).length;
  expect(faulty).toBeGreaterThanOrEqual(least);
  expect(faulty).toBeLessThanOrEqual(most);
});

it.each(FAULT_KINDS)(
  '%s is a fault that a control route takes as well, and stays within its longest delay',
  async (kind) => {
    const world = createWorld();
    const settings = { seed: 3, rate: 1, kinds: [kind], longest_seconds: 2 };
    for (const fault of faultsOf(settings, 30)) {
      const order = { route: 'client.confirm', ...fault };
      expect(await world.control('faults', order)).toMatchObject({ status: 200 });
      const { delay_seconds = 0, arrives_after = 0, again_after = 0 } = fault ?? {};
      expect(Math.max(delay_seconds, arrives_after, again_after)).toBeLessThanOrEqual(2);
    }
  },
);

it('uses all kinds if none is named, and so every field but the code', () => {
  const fields = new Set(faultsOf({ seed: 2, rate: 1 }, 500).flatMap((fault) => Object.keys(fault ?? {})));
  expect([...fields, 'code'].sort()).toEqual(Object.keys(FAULT_FIELDS).sort());
});

it('requests of other routes get no fault and do not advance the random values', () => {
  const settings = RandomFaultSettings.parse({ seed: 5, rate: 0.5, routes: ['client.confirm'] });
  const schedule = createRandomFaults(settings);
  const drawn = Array.from({ length: 50 }, () => {
    expect(schedule.next('client.retrieve')).toBeUndefined();
    return schedule.next('client.confirm');
  });
  expect(drawn).toEqual(faultsOf({ seed: 5, rate: 0.5 }, 50));
  expect(schedule.decided()).toBe(50);
});

it('set through the control route, the same schedule gives real requests the same faults twice', async () => {
  const statuses = async () => {
    const world = createWorld();
    const { client_secret } = await world.intent();
    await world.control('faults', {
      random: { seed: 11, rate: 0.5, kinds: ['status', 'refuse', 'cut_after'] },
    });
    const seen: (number | string)[] = [];
    for (let request = 0; request < 40; request += 1) {
      seen.push(
        await world.client('retrieve', { client_secret }).then(
          ({ status }) => status,
          () => 'gone',
        ),
      );
    }
    expect((await world.control('faults')).body).toMatchObject({ random: { decided: 40 } });
    return seen;
  };
  const first = await statuses();
  expect(first).toContain('gone');
  expect(first).toContain(200);
  expect(await statuses()).toEqual(first);
});

it('waiting faults come first, then random ones', async () => {
  const world = createWorld();
  const { client_secret } = await world.intent();
  await world.control('faults', { random: { seed: 1, rate: 1, kinds: ['html'] } });
  await world.control('faults', { route: 'client.retrieve', status: 418 });
  expect((await world.client('retrieve', { client_secret })).status).toBe(418);
  expect((await world.client('retrieve', { client_secret })).text).toContain('<!doctype html>');
  expect((await world.control('faults')).body).toMatchObject({ random: { decided: 1 } });
});

it('concern the requests of the browser unless other routes are named', () => {
  expect(RandomFaultSettings.parse({ seed: 1, rate: 1 }).routes).toEqual(BROWSER_ROUTES);
});
