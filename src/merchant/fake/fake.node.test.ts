import { expect, it } from 'vitest';

it('can be imported where there is no document, as by a file of helpers for all tests', async () => {
  expect(typeof document).toBe('undefined');
  const { fakeCardForm } = await import('./fake.ts');
  expect(fakeCardForm).toBeTypeOf('function');
});
