import { expect, it } from 'vitest';
import { CONTROL } from '../../../api/routes.ts';
import { createApp } from '../app.ts';
import { createWorld, expectRefusal, refusedWith } from '../sandbox.fixture.ts';

const ROUTES = createApp(createWorld().service)
  .routes.filter(
    ({ method, path }) => method !== 'ALL' && path.startsWith(`${CONTROL}/`) && !path.endsWith('*'),
  )
  .map(({ method, path }) => ({ method, path }));

it('knows the control routes', () => {
  expect(ROUTES.length).toBeGreaterThan(35);
});

it.each(ROUTES)(
  'contract 5.8: $method $path refuses an unknown query parameter, and changes nothing',
  async ({ method, path }) => {
    const world = createWorld();
    const { id } = await world.intent();
    const address = path.replace('/accounts/:id', '/accounts/sandbox').replace(':id', id);
    const before = JSON.stringify([
      ...world.service.store.intents.values(),
      ...world.service.store.keys.keys(),
    ]);
    const body = method === 'POST' ? {} : undefined;
    const response = await world.send(method, `${address}?nope=1`, body, {});
    expect({ status: response.status, body: await response.json() }).toMatchObject(
      refusedWith(400, 'validation_error', 'nope'),
    );
    expect(
      JSON.stringify([...world.service.store.intents.values(), ...world.service.store.keys.keys()]),
    ).toBe(before);
  },
);

it('contract 5.8: a control route refuses a query parameter that another one has', async () => {
  const world = createWorld();
  await expectRefusal(world.control('accounts?limit=1'), 'validation_error', 'limit');
});
