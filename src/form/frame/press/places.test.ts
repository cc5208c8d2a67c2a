// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Cover, CoversAnswer } from '../../channel/commands.ts';
import type { Line } from '../../channel/messages.ts';
import { reportRatio, stubIntersectionObserver, thresholdsOf } from './intersection-observer.fixture.ts';
import { createPlaces, type Places } from './places.ts';

let now = 0;
let places: Places;
let asked: (readonly Line[])[] = [];
let answer: (covers: Cover[]) => void = () => undefined;
let timeOut: () => void = () => undefined;
let changes = 0;
let waited: number[] = [];

beforeEach(() => {
  now = 0;
  asked = [];
  changes = 0;
  waited = [];
  vi.stubGlobal('innerWidth', 400);
  vi.stubGlobal('innerHeight', 800);
  stubIntersectionObserver();
  places = createPlaces({
    now: () => now,
    wait: (ms) =>
      new Promise((resolve) => {
        waited.push(ms);
        timeOut = resolve;
      }),
    ask: (lines) =>
      new Promise<CoversAnswer>((resolve) => {
        asked.push(lines);
        answer = (covers) => resolve({ type: 'covers', covers, pointer: { x: 1, y: 2, age: 3 } });
      }),
    onChange: () => {
      changes += 1;
    },
  });
});

afterEach(() => vi.unstubAllGlobals());

const place = (left: number, top: number, width: number, height: number): HTMLElement => {
  const element = document.createElement('p');
  element.getBoundingClientRect = () => new DOMRect(left, top, width, height);
  return element;
};

it('the same element, watched again, is recognised; another one is not', () => {
  const total = place(0, 0, 100, 20);
  const stop = places.watch('total', total);
  now = 10;
  reportRatio(total, 1);
  const known = places.get('total');
  places.watch('total', total);
  expect(places.get('total')).toEqual(known);
  stop(); // ends the earlier watching
  now = 20;
  reportRatio(total, 1);
  expect(places.get('total')).toEqual({ isInView: true, halfInViewSince: 10, cover: 'none' });
  places.watch('total', place(0, 0, 100, 20));
  expect(places.get('total')).toMatchObject({ isInView: false, halfInViewSince: null });
});

it('a place is readable with 90 % of it in view; half of it counts for a tap', () => {
  const total = place(0, 0, 100, 20);
  places.watch('total', total);
  expect(places.get('total')).toEqual({ isInView: false, halfInViewSince: null, cover: 'none' });
  now = 10;
  reportRatio(total, 0.5);
  expect(places.get('total')).toMatchObject({ isInView: false, halfInViewSince: 10 });
  now = 20;
  reportRatio(total, 0.9);
  expect(places.get('total')).toMatchObject({ isInView: true, halfInViewSince: 10 });
  reportRatio(total, 0.49);
  expect(places.get('total')).toMatchObject({ isInView: false, halfInViewSince: null });
  expect(changes).toBe(3);
  expect(thresholdsOf(total)).toEqual(expect.arrayContaining([0.5, 0.9]));
});

it('asks about the line of the amount, in fractions of the frame', async () => {
  const button = place(0, 700, 400, 50);
  const amount = place(100, 710, 200, 20);
  amount.dataset.amount = '';
  button.append(amount);
  places.watch('total', place(20, 40, 80, 40));
  places.watch('button', button);
  const looking = places.look();
  expect(asked).toEqual([
    [
      { left: 0.05, top: 0.075, length: 0.2, height: 0.05 },
      { left: 0.25, top: 0.9, length: 0.5, height: 0.025, button: true },
    ],
  ]);
  answer(['fixed', 'over']);
  expect(await looking).toMatchObject({ pointer: { x: 1, y: 2, age: 3 } });
  expect([places.get('total')?.cover, places.get('button')?.cover]).toEqual(['fixed', 'over']);
});

it('a silent page counts as covered, even before its first answer, which may take longer', async () => {
  places.watch('total', place(0, 0, 100, 20));
  const first = places.look();
  timeOut();
  expect(await first).toBeNull();
  expect(places.get('total')?.cover).toBe('over');
  const second = places.look();
  answer(['none']);
  await second;
  expect(places.get('total')?.cover).toBe('none');
  const third = places.look();
  timeOut();
  await third;
  expect(places.get('total')?.cover).toBe('over');
  expect(waited).toEqual([10_000, 10_000, 2000]);
});

it('a page that cannot look does not block payment: its answer counts as no cover', async () => {
  places.watch('total', place(0, 0, 100, 20));
  const looking = places.look();
  answer([]);
  await looking;
  expect(places.get('total')?.cover).toBe('none');
});

it('the latest element of a name is watched; ending an earlier watch does not end it', () => {
  const [earlier, later] = [place(0, 0, 1, 1), place(0, 0, 2, 2)];
  const unwatch = places.watch('total', earlier);
  places.watch('total', later);
  unwatch();
  expect(places.element('total')).toBe(later);
  expect([places.get('button'), places.element('button')]).toEqual([null, null]);
});

it('nothing is known of a place that is no longer watched', () => {
  const total = place(0, 0, 100, 20);
  const unwatch = places.watch('total', total);
  reportRatio(total, 1);
  unwatch();
  reportRatio(total, 1); // nothing observes it
  expect([places.get('total'), places.element('total'), changes]).toEqual([null, null, 2]);
});
