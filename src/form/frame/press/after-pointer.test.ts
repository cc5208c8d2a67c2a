// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

let done: string[] = [];
let act: (name: string) => void = () => undefined;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  done = [];
  const { afterPointer } = await import('./after-pointer.ts');
  act = (name) => afterPointer(() => done.push(name));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pointer = (type: string) => document.body.dispatchEvent(new Event(type, { bubbles: true }));

it('acts at once while no pointer is down', () => {
  act('first');
  expect(done).toEqual(['first']);
});

it.each(['pointerup', 'pointercancel'])(
  'acts after the click that follows a %s, in order, once',
  (released) => {
    for (const type of ['pointerdown', released])
      document.body.addEventListener(type, (event) => event.stopPropagation(), { once: true });
    pointer('pointerdown');
    act('first');
    act('second');
    pointer(released);
    expect(done).toEqual([]); // the click is dispatched in the same task
    act('third');
    vi.runAllTimers();
    expect(done).toEqual(['third', 'first', 'second']);
    pointer('pointerdown');
    pointer(released);
    vi.runAllTimers();
    expect(done).toHaveLength(3);
  },
);

it('can be imported where there is no window: the form is rendered at build time', async () => {
  vi.resetModules();
  vi.stubGlobal('window', undefined);
  await expect(import('./after-pointer.ts')).resolves.toBeDefined();
});
