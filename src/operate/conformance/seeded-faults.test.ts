/** Conformance finds what is wrong and nothing else: 25 of 25 seeded faults. Each is run where its wrong service is. */
import { expect, it } from 'vitest';
import { SEEDED_CLIENT_FAULTS, SEEDED_SERVER_FAULTS } from './seeded-faults.fixture.ts';
import { WRONG_SERVER_ROUTES } from './wrong-server-routes.fixture.ts';
import { WRONG_SERVICES } from './wrong-services.fixture.ts';

it.each([
  ['client', SEEDED_CLIENT_FAULTS, WRONG_SERVICES],
  ['server', SEEDED_SERVER_FAULTS, WRONG_SERVER_ROUTES],
] as const)(
  'each seeded fault of the %s routes is found by the rules it breaks, without others that follow',
  (_, faults, services) => {
    for (const fault of faults) {
      const found = services.filter(({ breaks }) => breaks === fault);
      expect(found.map(({ caughtBy, follows = [] }) => [caughtBy.length > 0, follows])).toEqual([[true, []]]);
    }
  },
);

it('there are 25', () => {
  expect(new Set([...SEEDED_CLIENT_FAULTS, ...SEEDED_SERVER_FAULTS]).size).toBe(25);
});
