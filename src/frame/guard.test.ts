// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createGuard, type Guard } from './guard.ts';

type Sight = { isVisible?: boolean; intersectionRatio: number };

let now = 0;
let ending: AbortController;
let guard: Guard;
let button: HTMLElement;
/** What the browser's observers would say. */
let see: (sight: Sight) => void;
let resize: () => void;
let observing = 0;

beforeEach(() => {
  now = 0;
  observing = 0;
  ending = new AbortController();
  vi.stubGlobal('innerWidth', 400);
  vi.stubGlobal('innerHeight', 700);
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(told: (entries: Sight[]) => void) {
        see = (sight) => told([sight]);
      }
      observe() {
        observing += 1;
      }
      disconnect() {
        observing -= 1;
      }
    },
  );
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(told: () => void) {
        resize = told;
      }
      observe() {
        observing += 1;
      }
      disconnect() {
        observing -= 1;
      }
    },
  );
  button = document.createElement('button');
  document.body.replaceChildren(button);
  guard = createGuard(() => now, ending.signal);
});

afterEach(() => {
  ending.abort();
  vi.unstubAllGlobals();
});

const hide = (hidden: boolean) => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden);
  document.dispatchEvent(new Event('visibilitychange'));
};
const click = (detail: number) => button.dispatchEvent(new MouseEvent('click', { detail, bubbles: true }));

const inSight = () => see({ isVisible: true, intersectionRatio: 1 });
const comesOut = () => {
  see({ isVisible: false, intersectionRatio: 1 });
  now += 1000;
  inSight();
};

describe('1.4: a press within 500 ms of', () => {
  it.each<[string, () => void]>([
    ['first paint', () => {}],
    ['becoming visible', () => [true, false].forEach(hide)],
    ['coming back from the cache', () => window.dispatchEvent(new Event('pageshow'))],
    ['a resize of the button', () => resize()],
    ['a change of the appearance', () => guard.changed()],
    ['coming out from under something', comesOut],
  ])('%s does not count', (what, happen) => {
    guard.watch(button);
    inSight();
    if (what !== 'first paint') now += 10_000;
    happen();
    now += 499;
    expect(guard.judge('buyer')).toBe('too_soon');
    now += 1;
    expect(guard.judge('buyer')).toBeNull();
  });
});

describe('1.4: what lies under something', () => {
  beforeEach(() => {
    guard.watch(button);
    see({ isVisible: false, intersectionRatio: 1 });
    now = 10_000;
  });

  it('is not pressed; the second press counts, but not the second half of a double click', () => {
    click(1);
    expect(guard.judge('buyer')).toBe('obscured');
    now += 200;
    expect(guard.judge('buyer')).toBe('too_soon');
    now += 300;
    expect(guard.judge('buyer')).toBeNull();
  });

  it('is pressed by keys: who types has the focus here', () => {
    click(0);
    expect(guard.judge('buyer')).toBeNull();
  });

  it('is not pressed by keys where the page brought the focus, until the buyer types or points', () => {
    const act = (event: Event) => {
      Object.defineProperty(event, 'isTrusted', { value: true });
      window.dispatchEvent(event);
    };
    guard.watch(button);
    see({ isVisible: false, intersectionRatio: 1 });
    guard.steered();
    click(0);
    expect(guard.judge('buyer')).toBe('too_soon'); // it may have been moved, too
    now += 501;
    act(new KeyboardEvent('keydown', { key: 'Enter' }));
    click(0);
    expect(guard.judge('buyer')).toBe('obscured');
    act(new KeyboardEvent('keydown', { key: '4' }));
    now += 501;
    expect(guard.judge('buyer')).toBeNull();
  });

  it('is not pressed by a page that has the button, whatever was clicked before', () => {
    click(0);
    expect(guard.judge('host')).toBe('obscured');
  });

  it('where the browser cannot tell, counts as seen when nine tenths of it are in the window', () => {
    see({ intersectionRatio: 0.89 });
    expect(guard.judge('host')).toBe('obscured');
    see({ intersectionRatio: 0.9 });
    now += 500;
    expect(guard.judge('host')).toBeNull();
  });
});

it.each([
  [199, 700],
  [400, 119],
])('in a frame of %i by %i nothing is paid, however often it is pressed', (width, height) => {
  vi.stubGlobal('innerWidth', width);
  vi.stubGlobal('innerHeight', height);
  now = 10_000;
  expect(guard.judge('buyer')).toBe('too_small');
  now += 1000;
  expect(guard.judge('buyer')).toBe('too_small');
});

it('a submit that a script made up, or that a click which a script made up caused, is not live', () => {
  const event = (type: string, isTrusted: boolean) =>
    Object.defineProperty(new Event(type, { bubbles: true }), 'isTrusted', { value: isTrusted });
  expect(guard.isLive(event('submit', false))).toBe(false);
  expect(guard.isLive(event('submit', true))).toBe(true);
  button.dispatchEvent(event('click', false));
  expect(guard.isLive(event('submit', true))).toBe(false);
  button.dispatchEvent(event('click', true));
  expect(guard.isLive(event('submit', true))).toBe(true);
});

it('2.7: a key that is still held presses once; pressed anew it counts again, and so does a pointer', () => {
  const submit = Object.defineProperty(new Event('submit'), 'isTrusted', { value: true });
  const key = (type: string, repeat = false) =>
    button.dispatchEvent(new KeyboardEvent(type, { key: 'Enter', repeat, bubbles: true }));
  const click = (detail: number) => {
    const event = new MouseEvent('click', { detail, bubbles: true });
    button.dispatchEvent(Object.defineProperty(event, 'isTrusted', { value: true }));
    return guard.isLive(submit);
  };
  key('keydown');
  expect(click(0)).toBe(true);
  key('keydown', true);
  expect(click(0)).toBe(false);
  key('keydown', true);
  expect(click(1)).toBe(true);
  key('keydown', true);
  expect(click(0)).toBe(false);
  key('keyup');
  expect(click(0)).toBe(true); // a space bar presses when it is let go, other aids without any key
  key('keydown');
  expect(click(0)).toBe(true);
});

it('watching ends', () => {
  const end = guard.watch(button);
  expect(observing).toBe(2);
  end();
  expect(observing).toBe(0);
});
