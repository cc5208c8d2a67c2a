// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';

/** Globals of Node that Vitest adds to a jsdom page and Jest does not. */
const OF_NODE = [
  'fetch',
  'Headers',
  'MessageChannel',
  'ReadableStream',
  'Request',
  'Response',
  'setImmediate',
  'structuredClone',
  'TextDecoder',
  'TextEncoder',
];

it("pays on a page that has nothing of Node's, as in Jest", async () => {
  for (const name of OF_NODE) vi.stubGlobal(name, undefined);
  const { fakeCardForm } = await import('./fake.ts');
  document.body.innerHTML = '<div id="card-form"></div>';
  const fake = fakeCardForm();
  const form = window.CardForm?.mount('#card-form', {
    publishableKey: `pk_live_sandbox${'0'.repeat(24)}1`,
    clientSecret: 'lg_cs_one',
  });
  await fake.decline('insufficient_funds');
  await fake.pay();
  expect(await form?.result).toMatchObject({ outcome: 'succeeded' });
  fake.remove();
  expect(globalThis.TextDecoder).toBeUndefined();
  vi.unstubAllGlobals();
});
