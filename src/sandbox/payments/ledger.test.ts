import { expect, it } from 'vitest';
import { createWorld } from '../sandbox.fixture.ts';

it.each(['payment_intents?limit=2', 'refunds?limit=2', 'balance'])(
  'contract S10.1: %s reads no row beyond its page, however many there are',
  async (path) => {
    const world = createWorld();
    for (let made = 0; made < 10; made += 1) await world.refunded((await world.paid()).id);
    await world.clock.advance(3000);
    const { intents, refunds } = world.service.store;
    for (const table of [intents, refunds]) {
      table.watch({ started: 0 });
      table.takeChanges(Infinity);
    }
    expect((await world.server('GET', `/partner/v1/${path}`)).status).toBe(200);
    // A table notices a change only of a row that was read from it.
    for (const row of [...intents.rows(), ...refunds.rows()]) row.amount += 1;
    const read = [...intents.takeChanges(Infinity), ...refunds.takeChanges(Infinity)];
    expect(read.length).toBeLessThanOrEqual(2);
  },
);
