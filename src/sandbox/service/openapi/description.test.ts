/** Rules of the API description that no other test quotes, each tested from a merchant's point of view. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type SandboxWorld } from '../sandbox.fixture.ts';

let world: SandboxWorld;
beforeEach(() => {
  world = createWorld();
});

describe('objects and addresses', () => {
  it('contract S1.2: Field names, contract S1.3: Times, contract S1.5: object field', async () => {
    const intent = await world.paid();
    for (const name of Object.keys(intent)) expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(intent).toMatchObject({ object: 'payment_intent', created: world.clock.now() / 1000 });
    expect((await world.list()).body).toMatchObject({ object: 'list', data: [{ object: 'payment_intent' }] });
    expect((await world.refund({ payment_intent: intent.id })).body).toMatchObject({ object: 'refund' });
  });

  it('contract S18.1: the version is in the path', async () => {
    expect((await world.server('GET', '/partner/v2/payment_intents')).status).toBe(404);
  });
});
