// @vitest-environment happy-dom
import { signal } from '@preact/signals';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Cover, CoversAnswer } from '../../channel/messages.ts';
import { createGuard, type Guard, type Payable } from './guard.ts';
import type { PlaceName } from './places.ts';

const PLACES: readonly PlaceName[] = ['total', 'button', 'hint'];

let now = 0;
let ending: AbortController;
let guard: Guard;
const payable = signal<Payable | null>(null);
/** What the page's script says. */
let covers: Partial<Record<PlaceName, Cover>> = {};
let pointer: CoversAnswer['pointer'] = null;
let looks = 0;
/** Whether the page's script answers at all. */
let isAnswering = true;
let watched: PlaceName[] = [];
let seeing = new Map<Element, (ratio: number) => void>();
const elements = new Map<PlaceName, HTMLElement>();
/** Where the places are in the frame. */
let top = 500;
/** Tells that the form was laid out. */
let layOut = () => {};
/** Where the frame is on the screen. */
let frame = { x: 0, y: 0 };

const settled = () => new Promise((resolve) => setTimeout(resolve));
/** Waits that have not ended: until when, and what they wake. */
let waits: { until: number; wake: () => void }[] = [];
const pass = async (ms: number) => {
  now += ms;
  const due = waits.filter(({ until }) => until <= now);
  waits = waits.filter(({ until }) => until > now);
  for (const { wake } of due) wake();
  await settled();
};

const place = (name: PlaceName): HTMLElement => {
  const element = elements.get(name);
  if (!element) throw new Error(`There is no ${name}.`);
  return element;
};
/** The place is in view as far as scrolling goes. */
const show = (name: PlaceName, ratio = 1) => seeing.get(place(name))?.(ratio);
const watch = (name: PlaceName) => {
  const element = document.createElement(name === 'button' ? 'button' : 'p');
  element.getBoundingClientRect = () => new DOMRect(100, top, 200, 50);
  document.body.append(element);
  elements.set(name, element);
  watched = PLACES.filter((one) => one === name || watched.includes(one));
  return guard.watch(name, element);
};
const change = (amount: string, notBefore = 0) => {
  payable.value = { amount, notBefore };
};

const pointTo = (type: string, clientX: number, clientY: number, init: PointerEventInit = {}) => {
  const event = new PointerEvent(type, {
    bubbles: true,
    pointerType: 'mouse',
    clientX,
    clientY,
    screenX: clientX + frame.x,
    screenY: clientY + frame.y,
    ...init,
  });
  Object.defineProperties(event, { isTrusted: { value: true }, timeStamp: { value: now } });
  place('button').dispatchEvent(event);
};
/** A mouse comes from the fields to the button. */
const bringMouse = () => {
  pointTo('pointermove', 150, 300);
  pointTo('pointermove', 200, 520);
};
const click = (pointerType = 'mouse') => {
  pointTo('pointerdown', 200, 520, { pointerType });
  place('button').dispatchEvent(
    new MouseEvent('click', { detail: 1, screenX: 200 + frame.x, screenY: 520 + frame.y, bubbles: true }),
  );
  return guard.judge('buyer');
};
const enter = () => {
  place('button').dispatchEvent(new MouseEvent('click', { detail: 0, bubbles: true }));
  return guard.judge('buyer');
};
const hide = (hidden: boolean) => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden);
  document.dispatchEvent(new Event('visibilitychange'));
};

/** A form of its own. */
const begin = () => {
  guard = createGuard({
    payable,
    ending: ending.signal,
    clock: {
      now: () => now,
      wait: (ms, abort) =>
        new Promise((wake) => {
          waits.push({ until: now + ms, wake });
          abort?.addEventListener('abort', () => wake());
        }),
    },
    ask: async (lines) => {
      looks += 1;
      if (!isAnswering) return new Promise(() => undefined);
      expect(lines).toHaveLength(watched.length);
      return { type: 'covers', covers: watched.map((name) => covers[name] ?? 'none'), pointer };
    },
  });
  watch('total');
  watch('button');
};

beforeEach(() => {
  now = 10_000;
  waits = [];
  watched = [];
  covers = {};
  pointer = null;
  looks = 0;
  isAnswering = true;
  frame = { x: 0, y: 0 };
  top = 500;
  seeing = new Map();
  payable.value = null;
  document.body.replaceChildren();
  ending = new AbortController();
  vi.stubGlobal('innerWidth', 400);
  vi.stubGlobal('innerHeight', 700);
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly #told: (entries: { intersectionRatio: number }[]) => void;
      constructor(told: (entries: { intersectionRatio: number }[]) => void) {
        this.#told = told;
      }
      observe(target: Element) {
        seeing.set(target, (intersectionRatio) => this.#told([{ intersectionRatio }]));
      }
      disconnect() {}
    },
  );
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(told: () => void) {
        layOut = told;
      }
      observe() {}
      disconnect() {}
    },
  );
  begin();
});

afterEach(() => {
  ending.abort();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** The amount is there and both places of it are in view. */
const shownFor = async (ms: number) => {
  change('5804 usd');
  show('total');
  show('button');
  await pass(ms);
};

describe('Amount seen: the current total has been visible for 500 ms in all since it last changed', () => {
  it('before that no press counts', async () => {
    await shownFor(499);
    expect(await enter()).toBe('too_soon');
    await pass(1);
    expect(await enter()).toBeNull();
  });

  it('in all: it need not be in view all the time, nor at the press', async () => {
    await shownFor(300);
    show('total', 0);
    show('button', 0);
    await pass(9000);
    expect(await enter()).toBe('too_soon');
    show('total');
    await pass(200);
    show('total', 0);
    expect(await enter()).toBeNull();
  });

  it('a changed total starts anew', async () => {
    await shownFor(9000);
    change('6804 usd');
    expect(await enter()).toBe('too_soon');
    await pass(499);
    expect(await enter()).toBe('too_soon');
    await pass(1);
    expect(await enter()).toBeNull();
  });

  it('a tab in the background shows nothing', async () => {
    hide(true);
    await shownFor(9000);
    expect(await enter()).toBe('too_soon');
    hide(false);
    await pass(500);
    expect(await enter()).toBeNull();
  });

  it('what is covered when the page is asked may have been so all along', async () => {
    covers = { total: 'over', button: 'over' };
    await shownFor(9000);
    place('button').dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
    await settled();
    covers = {};
    expect(await enter()).toBe('too_soon');
    await pass(500);
    expect(await enter()).toBeNull();
  });

  it('a header that the form was scrolled under does not undo what was seen', async () => {
    await shownFor(400);
    covers = { total: 'fixed' };
    show('button', 0);
    place('button').dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
    await settled();
    await pass(5000);
    show('button');
    await pass(100);
    expect(await enter()).toBeNull();
  });

  it('a total that changes while the page is asked is not paid', async () => {
    await shownFor(9000);
    isAnswering = false;
    const judged = enter();
    change('6804 usd');
    await pass(1000);
    expect(await judged).toBe('too_soon');
  });
});

describe('the button is offered', () => {
  it('once the amount has been seen, and the machine takes a press', async () => {
    change('5804 usd', now + 700);
    expect(guard.armed.value).toBe(false);
    show('total');
    await pass(500);
    expect(guard.armed.value).toBe(false);
    await pass(200);
    expect(guard.armed.value).toBe(true);
    change('6804 usd');
    expect(guard.armed.value).toBe(false);
    await pass(500);
    expect(guard.armed.value).toBe(true);
  });

  it('not while the amount is out of view, so that a test tool scrolls to it and tries again', async () => {
    change('5804 usd');
    await pass(9000);
    expect(guard.armed.value).toBe(false);
  });

  it('also where something lies over it: a press is told so', async () => {
    covers = { total: 'over', button: 'over' };
    await shownFor(100);
    expect(guard.armed.value).toBe(false);
    place('button').dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
    await settled();
    expect(guard.armed.value).toBe(true);
  });

  it('as long as nothing can be paid: then it says so itself', () => {
    expect(guard.armed.value).toBe(true);
  });
});

describe('Nothing lies over the total or the button at the press', () => {
  it.each<[string, typeof covers]>([
    ['the total', { total: 'over' }],
    ['the button', { button: 'over' }],
    ['both', { total: 'over', button: 'over' }],
  ])('what is laid over %s keeps a press by pointer or key from counting', async (_, laid) => {
    await shownFor(9000);
    bringMouse();
    covers = laid;
    expect(await click()).toBe('obscured');
    expect(await enter()).toBe('obscured');
    expect(await guard.judge('host')).toBe('obscured');
  });

  it('sticky headers, chat bubbles and cookie bars elsewhere over the form do not', async () => {
    await shownFor(9000);
    bringMouse();
    covers = { total: 'fixed' };
    expect(await click()).toBeNull();
    expect(await enter()).toBeNull();
  });

  it('something fixed over the button that is pressed does', async () => {
    await shownFor(9000);
    bringMouse();
    covers = { button: 'fixed' };
    expect(await click()).toBe('obscured');
    expect(await enter()).toBeNull(); // the total is clear
  });

  it('Enter in a field needs no sight of the button, but no total under a cover either', async () => {
    await shownFor(9000);
    show('button', 0);
    expect(await enter()).toBeNull();
    covers = { total: 'fixed' };
    expect(await enter()).toBe('obscured');
  });

  it('a page that does not answer keeps nobody from paying', async () => {
    await shownFor(9000);
    bringMouse();
    isAnswering = false;
    const judged = click();
    await pass(1000);
    expect(await judged).toBeNull();
  });
});

describe('Asked again at most once; the excuse is for one press within a few seconds of the same amount', () => {
  beforeEach(async () => {
    await shownFor(9000);
    covers = { total: 'over', button: 'over' };
    bringMouse();
    expect(await click()).toBe('obscured');
    watch('hint');
    show('hint');
  });

  it('the next press counts', async () => {
    await pass(500);
    expect(await click()).toBeNull();
  });

  it('but not the second half of a double click', async () => {
    await pass(200);
    expect(await click()).toBe('obscured');
    await pass(300);
    expect(await click()).toBeNull();
  });

  it('nor one that comes later', async () => {
    await pass(8001);
    expect(await click()).toBe('obscured');
  });

  it('nor the one after it', async () => {
    await pass(500);
    expect(await click()).toBeNull();
    await pass(500);
    expect(await click()).toBe('obscured');
  });

  it('nor one of another amount, nor one after the payment was declined', async () => {
    await pass(600);
    change('6804 usd');
    await pass(600);
    expect(await click()).toBe('obscured');
    await pass(600);
    change('6804 usd', now);
    expect(await click()).toBe('obscured');
  });

  it('nor where the question itself lies under the cover: it was never read', async () => {
    covers = { total: 'over', button: 'over', hint: 'over' };
    for (let press = 0; press < 20; press += 1) {
      await pass(700);
      expect(await click()).toBe('obscured');
    }
  });
});

describe('The button did not come to the pointer, the pointer came to the button', () => {
  beforeEach(() => shownFor(9000));

  it('a mouse that travelled over the form since the frame last moved presses', async () => {
    bringMouse();
    expect(await click()).toBeNull();
  });

  it('a frame that slid under the mouse is not pressed, also between the clicks of a double click', async () => {
    pointTo('pointermove', 150, 200);
    pointTo('pointermove', 200, 300);
    await pass(50);
    frame = { x: 0, y: -220 }; // the button is where the mouse has been
    expect(await click()).toBe('moved');
    await pass(299);
    expect(await click()).toBe('moved');
    await pass(1);
    expect(await click()).toBeNull();
  });

  it('until then the button is not armed: a driver waits', async () => {
    pointTo('pointermove', 150, 200);
    pointTo('pointermove', 200, 300);
    expect(guard.armed.value).toBe(true);
    frame = { x: 0, y: -220 };
    pointTo('pointermove', 200, 520);
    expect(guard.armed.value).toBe(false);
    await pass(299);
    expect(guard.armed.value).toBe(false);
    await pass(1);
    expect(guard.armed.value).toBe(true);
  });

  it('a button that words above moved away and back has rested since then, not since the mouse was seen', async () => {
    bringMouse();
    expect(await click()).toBeNull();
    top = 560;
    layOut();
    await pass(100);
    top = 500;
    layOut();
    expect(await click()).toBe('moved');
    await pass(299);
    expect(await click()).toBe('moved');
    await pass(1);
    expect(await click()).toBeNull();
  });

  it('a frame that appears under the mouse is not pressed', async () => {
    pointTo('pointerover', 200, 520);
    expect(await click()).toBe('moved');
  });

  it('a mouse that left the frame must travel anew', async () => {
    bringMouse();
    pointTo('pointerout', 200, 520);
    expect(await click()).toBe('moved');
  });

  it('a mouse that the page saw at this very place right before does not press', async () => {
    bringMouse();
    pointer = { x: 205, y: 525, age: 499 };
    expect(await click()).toBe('moved');
    pointer = { x: 205, y: 525, age: 500 };
    expect(await click()).toBeNull();
    pointer = { x: 230, y: 525, age: 10 };
    expect(await click()).toBeNull();
  });

  it('Touch: in sight for 300 ms', async () => {
    show('button', 0);
    await pass(1000);
    show('button');
    await pass(240);
    expect(await click('touch')).toBe('too_soon');
    await pass(10); // the browser says up to 50 ms late what is in sight
    expect(await click('touch')).toBeNull();
  });

  it('Touch: until then the button is not armed, also for the first tap on a device without a mouse', async () => {
    show('button', 0);
    await click('touch');
    await pass(1000);
    expect(guard.armed.value).toBe(false);
    show('button');
    await pass(299);
    expect(guard.armed.value).toBe(false);
    await pass(1);
    expect(guard.armed.value).toBe(true);
    show('button', 0);
    expect(guard.armed.value).toBe(false);
    bringMouse();
    await click('mouse');
    expect(guard.armed.value).toBe(true);
    ending.abort();
    ending = new AbortController();
    vi.stubGlobal('matchMedia', () => ({ matches: true }));
    begin();
    await shownFor(500);
    show('button', 0);
    expect(guard.armed.value).toBe(false);
  });

  it('Touch: not where the finger tapped the page right before', async () => {
    pointer = { x: 200, y: 520, age: 100 };
    expect(await click('touch')).toBe('moved');
  });

  it('Keyboard: on the focused button all but the rules of the pointer', async () => {
    frame = { x: 0, y: -120 };
    pointer = { x: 200, y: 520, age: 1 };
    expect(await enter()).toBeNull();
  });
});

it.each([
  ['the tab came to the front', () => [true, false].forEach(hide)],
  [
    'the page came back from the cache',
    () => window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })),
  ],
])('1.4: for 500 ms after %s no press counts', async (_, come) => {
  await shownFor(9000);
  come();
  bringMouse();
  await pass(499);
  expect(await click()).toBe('too_soon');
  expect(await enter()).toBe('too_soon');
  await pass(1);
  expect(await click()).toBeNull();
});

it('a key does not press right after the page moved the focus here, unless the buyer acted', async () => {
  const key = (name: string) =>
    place('button').dispatchEvent(
      Object.defineProperty(new KeyboardEvent('keydown', { key: name, bubbles: true }), 'isTrusted', {
        value: true,
      }),
    );
  await shownFor(9000);
  guard.steered();
  key('Enter');
  expect(await enter()).toBe('too_soon');
  key('4');
  expect(await enter()).toBeNull();
  guard.steered();
  await pass(500);
  expect(await enter()).toBeNull();
});

it.each([
  [199, 700],
  [400, 119],
])('in a frame of %i by %i nothing is paid, however often it is pressed', async (width, height) => {
  await shownFor(9000);
  vi.stubGlobal('innerWidth', width);
  vi.stubGlobal('innerHeight', height);
  expect(await guard.judge('buyer')).toBe('too_small');
  await pass(1000);
  expect(await guard.judge('buyer')).toBe('too_small');
});

it('the page is asked twice a second at most while the pointer moves, and at every press', async () => {
  await shownFor(500);
  for (let step = 0; step < 100; step += 1) {
    pointTo('pointermove', 150 + step, 300);
    await pass(10);
  }
  expect(looks).toBeGreaterThanOrEqual(1);
  expect(looks).toBeLessThanOrEqual(2);
  const before = looks;
  await enter();
  expect(looks).toBe(before + 1);
});

it('nothing is asked before there is an amount', async () => {
  pointTo('pointermove', 150, 300);
  await settled();
  expect(looks).toBe(0);
});
