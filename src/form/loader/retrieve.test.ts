// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CardFormStatus } from '../channel/result.ts';
import { retrieve } from './retrieve.ts';
import type { CardFormOptions } from './types.ts';

const options = { publishableKey: 'pk_live_1', clientSecret: 'lg_cs_1' };

const handlers = new Map<string, (detail: unknown) => void>();
let unmounted: (status: CardFormStatus) => void = () => {};
const mount = vi.fn((_place: string | Element, _given: CardFormOptions) => ({
  once: (name: string, handler: (detail: unknown) => void) => handlers.set(name, handler),
  result: new Promise<CardFormStatus>((resolve) => {
    unmounted = resolve;
  }),
}));

beforeEach(() => {
  Object.assign(window, { CardForm: { mount } });
});

afterEach(() => {
  mount.mockClear();
  handlers.clear();
  expect(document.body.innerHTML).toBe('');
});

it('mounts a hidden status form, resolves with its outcome, and removes it', async () => {
  const asked = retrieve(options);
  const [place, given] = mount.mock.lastCall ?? [];
  expect(given).toEqual({ ...options, view: 'status' });
  expect(place).toMatchObject({ hidden: true, isConnected: true });
  handlers.get('status')?.({ outcome: 'succeeded' });
  expect(await asked).toEqual({ outcome: 'succeeded' });
});

it('a status that cannot be loaded is unknown, never that nothing was charged', async () => {
  const asked = retrieve(options);
  handlers.get('loaderror')?.({ reason: 'timeout' });
  expect(await asked).toEqual({ outcome: 'unknown', reason: 'unresolved', paymentIntent: null });
});

it('a status that the page removes is unknown', async () => {
  const asked = retrieve(options);
  unmounted({ outcome: 'unknown', reason: 'unmounted', paymentIntent: null });
  expect(await asked).toMatchObject({ outcome: 'unknown' });
});

it('is unknown without the script', async () => {
  Object.assign(window, { CardForm: undefined });
  expect(await retrieve(options)).toMatchObject({ outcome: 'unknown' });
});

it('rejects with the mistake of the options', async () => {
  mount.mockImplementationOnce(() => {
    throw new Error('already_mounted');
  });
  await expect(retrieve(options)).rejects.toThrow('already_mounted');
});
