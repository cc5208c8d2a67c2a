// @vitest-environment happy-dom
import { signal } from '@preact/signals';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Cover, CoversAnswer } from '../../channel/commands.ts';
import { createGuard, type Guard, type Payable } from './guard.ts';
import { reportRatio, stubIntersectionObserver } from './intersection-observer.fixture.ts';
import type { PlaceName } from './places.ts';

const PLACES: readonly PlaceName[] = ['total', 'button', 'hint'];

let now = 0;
let ending: AbortController;
let guard: Guard;
const payable = signal<Payable | null>(null);
/** The covers of the places in the page's answer. */
let covers: Partial<Record<PlaceName, Cover>> = {};
let pointer: CoversAnswer['pointer'] = null;
let looks = 0;
/** True if the page's script answers at all. */
let isAnswering = true;
/** True if the browser can bring the form to the front, if it is there, and if the page prevents it. */
let hasPopovers = false;
let front = false;
let isVeiled = false;
let watched: PlaceName[] = [];
const elements = new Map<PlaceName, HTMLElement>();
/** The top left corner of the places in the frame. */
let top = 500;
let left = 100;
/** True if the guard observes layout changes. */
let isLayoutWatched = true;
/** Reports a layout change. */
let layOut = () => {};
/** The frame's position on the screen. */
let frame = { x: 0, y: 0 };

const settled = () => new Promise((resolve) => setTimeout(resolve));
/** The clock's pending timers. */
let timers: { at: number; fire: () => void }[] = [];
const pass = async (ms: number) => {
  now += ms;
  const due = timers.filter(({ at }) => at <= now);
  timers = timers.filter(({ at }) => at > now);
  for (const { fire } of due) fire();
  await settled();
};

const place = (name: PlaceName): HTMLElement => {
  const element = elements.get(name);
  if (!element) throw new Error(`There is no ${name}.`);
  return element;
};
/** Scrolls the place into view, or this much of it. */
const show = (name: PlaceName, ratio = 1) => reportRatio(place(name), ratio);
const watch = (name: PlaceName) => {
  const element = document.createElement(name === 'button' ? 'button' : 'p');
  element.getBoundingClientRect = () => new DOMRect(left, top, 200, 50);
  document.body.append(element);
  elements.set(name, element);
  watched = PLACES.filter((one) => one === name || watched.includes(one));
  const unwatch = guard.watch(name, element);
  return () => {
    unwatch();
    watched = watched.filter((one) => one !== name);
  };
};
const change = (amount: string, notBefore = 0) => {
  payable.value = { amount, notBefore };
};

const pointTo = (
  type: string,
  clientX: number,
  clientY: number,
  { isTrusted = true, ...init }: PointerEventInit & { isTrusted?: boolean } = {},
) => {
  const event = new PointerEvent(type, {
    bubbles: true,
    pointerType: 'mouse',
    clientX,
    clientY,
    screenX: clientX + frame.x,
    screenY: clientY + frame.y,
    ...init,
  });
  Object.defineProperties(event, { isTrusted: { value: isTrusted }, timeStamp: { value: now } });
  place('button').dispatchEvent(event);
};
/** Moves a mouse from the fields to the button. */
const moveMouseToButton = () => {
  pointTo('pointermove', 150, 300);
  pointTo('pointermove', 200, 520);
};
const release = () => {
  place('button').dispatchEvent(
    new MouseEvent('click', { detail: 1, screenX: 200 + frame.x, screenY: 520 + frame.y, bubbles: true }),
  );
  return guard.judge('buyer');
};
const click = (pointerType = 'mouse') => {
  pointTo('pointerdown', 200, 520, { pointerType });
  return release();
};
const key = (type: 'keydown' | 'keyup', key: string, isTrusted = true) =>
  place('button').dispatchEvent(
    Object.defineProperty(new KeyboardEvent(type, { key, bubbles: true }), 'isTrusted', { value: isTrusted }),
  );
const keyDown = (name: string) => key('keydown', name);
const comeFromCache = (persisted: boolean) =>
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));
const pressEnter = () => {
  place('button').dispatchEvent(new MouseEvent('click', { detail: 0, bubbles: true }));
  return guard.judge('buyer');
};
const setHidden = (hidden: boolean) => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden);
  document.dispatchEvent(new Event('visibilitychange'));
};

/** Starts a guard that watches the total and the button. */
const startGuard = () => {
  guard = createGuard({
    payable,
    ending: ending.signal,
    clock: {
      now: () => now,
      wait: (ms, abort) =>
        new Promise((resolve) => {
          timers.push({ at: now + ms, fire: resolve });
          abort?.addEventListener('abort', () => resolve());
        }),
    },
    ask: async (lines, toFront) => {
      looks += 1;
      if (!isAnswering) return new Promise(() => undefined);
      expect(lines).toHaveLength(watched.length);
      if (hasPopovers && toFront !== undefined) front = toFront && !isVeiled;
      const isClear = front && !isVeiled;
      return {
        type: 'covers',
        covers: watched.map((name) => (isClear ? 'none' : (covers[name] ?? 'none'))),
        pointer,
        ...(hasPopovers && { front }),
      };
    },
  });
  watch('total');
  watch('button');
};

beforeEach(() => {
  now = 10_000;
  timers = [];
  watched = [];
  covers = {};
  pointer = null;
  looks = 0;
  isAnswering = true;
  hasPopovers = front = isVeiled = false;
  frame = { x: 0, y: 0 };
  top = 500;
  left = 100;
  isLayoutWatched = true;
  payable.value = null;
  document.body.replaceChildren();
  ending = new AbortController();
  vi.stubGlobal('innerWidth', 400);
  vi.stubGlobal('innerHeight', 700);
  stubIntersectionObserver();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(report: () => void) {
        layOut = report;
      }
      observe() {}
      disconnect() {
        isLayoutWatched = false;
      }
    },
  );
  startGuard();
});

afterEach(() => {
  ending.abort();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Shows the amount in both places for this long. */
const showAmountFor = async (ms: number) => {
  change('5804 usd');
  show('total');
  show('button');
  await pass(ms);
};

describe('Seen: a press counts once the current total has been visible for 500 ms altogether', () => {
  it('a press before that is refused', async () => {
    await showAmountFor(499);
    expect(await pressEnter()).toBe('too_soon');
    await pass(1);
    expect(await pressEnter()).toBeNull();
  });

  it('a changed total starts the time again', async () => {
    await showAmountFor(9000);
    change('6804 usd');
    expect(await pressEnter()).toBe('too_soon');
    await pass(499);
    expect(await pressEnter()).toBe('too_soon');
    await pass(1);
    expect(await pressEnter()).toBeNull();
  });

  it('the same total reported again is not a new one', async () => {
    await showAmountFor(9000);
    change('5804 usd', now);
    expect(await pressEnter()).toBeNull();
  });

  it('time before there is an amount does not count', async () => {
    show('total');
    await pass(9000);
    expect(await pressEnter()).toBe('too_soon');
    change('5804 usd');
    expect(await pressEnter()).toBe('too_soon');
    await pass(500);
    expect(await pressEnter()).toBeNull();
  });

  it('time in a background tab does not count', async () => {
    setHidden(true);
    await showAmountFor(9000);
    expect(await pressEnter()).toBe('too_soon');
    setHidden(false);
    await pass(500);
    expect(await pressEnter()).toBeNull();
  });

  it('a cover found when the page is asked resets the time: it may have been there all along', async () => {
    covers = { total: 'over', button: 'over' };
    await showAmountFor(9000);
    place('button').dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
    await settled();
    covers = {};
    expect(await pressEnter()).toBe('too_soon');
    await pass(500);
    expect(await pressEnter()).toBeNull();
  });

  it('threat-model 2.5: the page is asked nothing while the focus moves within the card', async () => {
    await showAmountFor(9000);
    const [number, cvc, email] = ['number', 'cvc', 'email'].map((name) => {
      const input = document.createElement('input');
      input.id = `field-${name}`;
      document.body.append(input);
      return input;
    });
    const move = async (from: Element | undefined, to: Element | undefined) => {
      const before = looks;
      to?.dispatchEvent(new FocusEvent('focusin', { bubbles: true, relatedTarget: from ?? null }));
      await pass(1000);
      return looks - before;
    };
    expect(await move(undefined, number)).toBe(1);
    expect(await move(number, cvc)).toBe(0);
    expect(await move(cvc, number)).toBe(0);
    expect(await move(number, email)).toBe(1);
    expect(await move(email, cvc)).toBe(1);
  });

  it('a header that the form was scrolled under does not reset the time', async () => {
    await showAmountFor(400);
    covers = { total: 'fixed' };
    show('button', 0);
    place('button').dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
    await settled();
    await pass(5000);
    show('button');
    await pass(100);
    expect(await pressEnter()).toBeNull();
  });

  it('a total that changes while the page is being asked is not paid', async () => {
    await showAmountFor(9000);
    isAnswering = false;
    const judged = pressEnter();
    change('6804 usd');
    await pass(10_000);
    expect(await judged).toBe('too_soon');
  });
});

describe('the button is armed', () => {
  it('once the amount has been seen and the state machine accepts a press', async () => {
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

  it('after 500 ms altogether, and it stays so when the amount goes out of view', async () => {
    await showAmountFor(300);
    show('total', 0);
    show('button', 0);
    await pass(1000);
    show('total');
    await pass(199);
    expect(guard.armed.value).toBe(false);
    await pass(1);
    expect(guard.armed.value).toBe(true);
    show('total', 0);
    expect(guard.armed.value).toBe(true);
  });

  it('no timer runs while nothing but the buyer can change it', async () => {
    change('5804 usd');
    expect(timers).toEqual([]); // the amount is out of view
    await showAmountFor(500);
    timers = [];
    show('button');
    expect([guard.armed.value, timers]).toEqual([true, []]);
  });

  it('even if something covers it: a press gets the hint', async () => {
    covers = { total: 'over', button: 'over' };
    await showAmountFor(100);
    expect(guard.armed.value).toBe(false);
    place('button').dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
    await settled();
    expect(guard.armed.value).toBe(true);
  });

  it('while nothing can be paid: its label says so', () => {
    expect(guard.armed.value).toBe(true);
  });
});

describe('Clear: nothing covers the total or the button at the press', () => {
  it.each<[string, typeof covers]>([
    ['the total', { total: 'over' }],
    ['the button', { button: 'over' }],
    ['both', { total: 'over', button: 'over' }],
  ])('a press by pointer or key is refused if something is laid over %s', async (_, laid) => {
    await showAmountFor(9000);
    moveMouseToButton();
    covers = laid;
    expect(await click()).toBe('obscured');
    expect(await pressEnter()).toBe('obscured');
    expect(await guard.judge('host')).toBe('obscured');
  });

  it('a fixed element over the button refuses a pointer, not a key', async () => {
    await showAmountFor(9000);
    moveMouseToButton();
    covers = { button: 'fixed' };
    expect(await click()).toBe('obscured');
    expect(await pressEnter()).toBeNull(); // the total is clear
  });

  it('Enter in a field counts with the button out of view, but not with the total covered', async () => {
    await showAmountFor(9000);
    show('button', 0);
    expect(await pressEnter()).toBeNull();
    covers = { total: 'fixed' };
    expect(await pressEnter()).toBe('obscured');
  });

  it('a pointer without a button under it pays nothing', async () => {
    await showAmountFor(9000);
    moveMouseToButton();
    expect(await click()).toBeNull();
    watch('button')(); // the page has the button now
    pointTo('pointermove', 150, 300);
    moveMouseToButton();
    expect(await click()).toBe('obscured');
    expect(await click('touch')).toBe('too_soon');
    expect(await guard.judge('host')).toBeNull();
  });

  it('a page that is silent counts as covered; for its first answer it has longer', async () => {
    isAnswering = false;
    await showAmountFor(9000);
    moveMouseToButton();
    const first = click();
    await pass(10_000);
    expect(await first).toBe('obscured');
    isAnswering = true;
    expect(await click()).toBe('too_soon'); // the covered amount is seen only now
    await pass(500);
    expect(await click()).toBeNull();
    isAnswering = false;
    const judged = click();
    await pass(2000);
    expect(await judged).toBe('obscured');
  });
});

describe('A press that was refused for a cover brings the form to the front', () => {
  beforeEach(async () => {
    hasPopovers = true;
    await showAmountFor(9000);
    covers = { total: 'over', button: 'over' };
    moveMouseToButton();
  });

  it('and the next one counts once the amount has been seen there for 500 ms; then it goes back', async () => {
    expect(await click()).toBe('obscured');
    expect(front).toBe(true);
    await pass(499);
    expect(await click()).toBe('too_soon');
    expect(front).toBe(true);
    await pass(1);
    expect(await click()).toBeNull();
    await settled();
    expect(front).toBe(false);
  });

  it('a press without the amount in front counts no more than the first, whatever the hint shows', async () => {
    expect(await click()).toBe('obscured');
    watch('hint');
    show('hint');
    front = false; // the page put it back
    await pass(600);
    expect(await click()).toBe('obscured');
  });

  it('not on a page whose veil blocks the button: no press counts there', async () => {
    isVeiled = true;
    expect(await pressEnter()).toBe('obscured');
    expect(front).toBe(false);
    await pass(600);
    expect(await pressEnter()).toBe('obscured');
  });

  it('not while the button is out of view, which is brought into view first, but at the second press', async () => {
    show('button', 0);
    expect(await pressEnter()).toBe('obscured');
    expect(front).toBe(false);
    expect(await pressEnter()).toBe('obscured');
    expect(front).toBe(true);
  });

  it('for submit() of the page as well', async () => {
    expect(await guard.judge('host')).toBe('obscured');
    expect(front).toBe(true);
  });

  it('and Escape puts it back', async () => {
    expect(await click()).toBe('obscured');
    keyDown('Escape');
    await settled();
    expect(front).toBe(false);
  });
});

describe('In a browser without popovers, one more press of the same amount counts within 0.5 to 8 s after it', () => {
  beforeEach(async () => {
    await showAmountFor(9000);
    covers = { total: 'over', button: 'over' };
    moveMouseToButton();
    expect(await click()).toBe('obscured');
    watch('hint');
    show('hint');
  });

  it('the next press counts, and not the one after it', async () => {
    await pass(500);
    expect(await click()).toBeNull();
    await pass(500);
    expect(await click()).toBe('obscured');
  });

  it('nor if the hint itself is covered: the buyer cannot have read it', async () => {
    covers = { total: 'over', button: 'over', hint: 'over' };
    for (let press = 0; press < 20; press += 1) {
      await pass(700);
      expect(await click()).toBe('obscured');
    }
  });
});

describe('Came: the pointer came to the button, not the button to the pointer', () => {
  beforeEach(() => showAmountFor(9000));

  it('a mouse that travelled over the form since the frame last moved may press', async () => {
    moveMouseToButton();
    expect(await click()).toBeNull();
  });

  it('a button that stays on the screen while the frame moves around it has not moved', async () => {
    moveMouseToButton();
    frame = { x: -60, y: -60 };
    left += 60;
    top += 60;
    pointTo('pointermove', 260, 580);
    pointTo('pointerdown', 260, 580);
    expect(await release()).toBeNull();
  });

  it('also if it came in one step from outside of the frame', async () => {
    pointTo('pointerover', 200, 520);
    pointTo('pointermove', 200, 520);
    expect(await click()).toBeNull();
  });

  it('from one element of the frame to another is not from outside', async () => {
    pointTo('pointerover', 200, 520, { relatedTarget: place('total') });
    pointTo('pointermove', 200, 520);
    expect(await click()).toBe('moved');
  });

  it('from one element of the frame to another, the mouse does not leave it', async () => {
    moveMouseToButton();
    pointTo('pointerout', 200, 520, { relatedTarget: place('total') });
    expect(await click()).toBeNull();
  });

  it('the mouse is seen everywhere in the form, whatever an element does with its events', async () => {
    place('button').addEventListener('pointermove', (event) => event.stopPropagation());
    moveMouseToButton();
    expect(await click()).toBeNull();
  });

  it.each(['pointerover', 'pointermove', 'pointerdown'])(
    'neither a finger nor a script moves the mouse: %s',
    async (type) => {
      for (const init of [{ pointerType: 'touch' }, { isTrusted: false }]) {
        pointTo(type, 150, 300, init);
        pointTo(type, 200, 520, init);
      }
      expect(await click()).toBe('moved');
    },
  );

  it('a click without a pointer that went down is refused', async () => {
    expect(await release()).toBe('moved');
    moveMouseToButton();
    expect(await release()).toBe('moved');
  });

  it('a change of layout without a mouse, or without a button, is nothing', async () => {
    expect(layOut).not.toThrow();
    moveMouseToButton();
    watch('button')();
    expect(layOut).not.toThrow();
  });

  it('a press is refused if the frame slid under the mouse, even between the clicks of a double click', async () => {
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

  it('until then the button is not armed, so that a test driver waits', async () => {
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

  it('but it is armed while the mouse rests beside it: a test driver that scrolls would wait forever', async () => {
    pointTo('pointermove', 200, 520);
    await pass(300);
    frame = { x: 0, y: -220 };
    pointTo('pointermove', 200, 740); // at rest, now below the button
    expect(guard.armed.value).toBe(true);
    expect(await click()).toBeNull(); // it travels to the button
  });

  it('a button that text above moved away and back has rested only since it came back', async () => {
    moveMouseToButton();
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

  it('a mouse that left the frame must travel again', async () => {
    moveMouseToButton();
    pointTo('pointerout', 200, 520);
    expect(await click()).toBe('moved');
  });

  it('a press is refused if the page saw the mouse at this place within the last 500 ms', async () => {
    moveMouseToButton();
    pointer = { x: 205, y: 525, age: 499 };
    expect(await click()).toBe('moved');
    pointer = { x: 205, y: 525, age: 500 };
    pointTo('pointerdown', 200, 520);
    await pass(100);
    pointer = { x: 205, y: 525, age: 599 }; // it answers 100 ms after the button went down
    expect(await release()).toBe('moved');
    pointer = { x: 205, y: 525, age: 600 };
    expect(await release()).toBeNull();
  });

  it('Touch: until then the button is not armed, nor for the first tap on a device without a mouse', async () => {
    show('button', 0);
    expect(await click('touch')).toBe('too_soon');
    await pass(1000);
    expect(guard.armed.value).toBe(false);
    show('button');
    await pass(299);
    expect(guard.armed.value).toBe(false);
    await pass(1);
    expect(guard.armed.value).toBe(true);
    show('button', 0);
    expect(guard.armed.value).toBe(false);
    moveMouseToButton();
    await click('mouse');
    expect(guard.armed.value).toBe(true);
    ending.abort();
    ending = new AbortController();
    vi.stubGlobal('matchMedia', () => ({ matches: true }));
    startGuard();
    await showAmountFor(500);
    show('button', 0);
    expect(guard.armed.value).toBe(false);
  });
});

it.each([
  ['the tab came to the front', () => [true, false].forEach(setHidden)],
  ['the page came back from the cache', () => comeFromCache(true)],
])('1.4: no press counts for 500 ms after %s', async (_, come) => {
  await showAmountFor(9000);
  come();
  moveMouseToButton();
  await pass(499);
  expect(await click()).toBe('too_soon');
  expect(await pressEnter()).toBe('too_soon');
  await pass(1);
  expect(await click()).toBeNull();
});

it('1.4: a page that is shown for the first time came from nowhere', async () => {
  await showAmountFor(9000);
  comeFromCache(false);
  expect(await pressEnter()).toBeNull();
});

describe.each([
  ['by form.focus()', () => guard.focusMovedByPage()],
  ['by iframe.focus()', () => window.dispatchEvent(new Event('focus'))],
])('1.4 Own focus: after the page moved the focus here %s, a key does not press', (_, move) => {
  beforeEach(async () => {
    await showAmountFor(9000);
    move();
  });

  it.each(['Enter', ' '])('until no key came for 1,000 ms: %j', async (key) => {
    for (const typed of ['l', 'l', 'o']) {
      await pass(999);
      keyDown(typed);
    }
    await pass(999);
    keyDown(key);
    expect(await pressEnter()).toBe('too_soon');
    await pass(1000);
    keyDown(key);
    expect(await pressEnter()).toBeNull();
    keyDown('l');
    keyDown(key);
    expect(await pressEnter()).toBeNull();
  });

  it('until the buyer, not a script, used Tab', async () => {
    key('keyup', 'Tab', false);
    expect(await pressEnter()).toBe('too_soon');
    key('keyup', 'Tab');
    expect(await pressEnter()).toBeNull();
  });

  it('until the buyer used the pointer, which may itself have moved the focus', async () => {
    moveMouseToButton();
    expect(await click()).toBeNull();
    move();
    expect(await pressEnter()).toBe('too_soon');
    pointTo('mouseup', 200, 520);
    expect(await pressEnter()).toBeNull();
  });

  it('promises 1.8: and no time ends the focus by the page, but a pointer or Tab of the buyer does', async () => {
    await pass(60_000);
    keyDown('1');
    expect(guard.hasFocusByPage()).toBe(true);
    key('keyup', 'Tab', false);
    expect(guard.hasFocusByPage()).toBe(true);
    key('keyup', 'Tab');
    expect(guard.hasFocusByPage()).toBe(false);
    move();
    expect(guard.hasFocusByPage()).toBe(true);
    pointTo('mouseup', 200, 520);
    expect(guard.hasFocusByPage()).toBe(false);
  });

  it('but a pointer that was down already does: the page may answer its focus event with focus()', async () => {
    moveMouseToButton();
    pointTo('pointerdown', 200, 520);
    move();
    expect(await release()).toBeNull();
  });

  it('but the button that the page has does', async () => {
    expect(await guard.judge('host')).toBeNull();
  });
});

it("a press of the page's button is not judged by the buyer's last click", async () => {
  await showAmountFor(9000);
  expect(await click()).toBe('moved');
  expect(await guard.judge('host')).toBeNull();
});

it('reports whether a place is in view', async () => {
  await showAmountFor(0);
  expect(guard.isInView('button')).toBe(true);
  show('button', 0.5);
  expect([guard.isInView('button'), guard.isInView('hint')]).toEqual([false, false]);
});

it('after its end it listens to nothing and waits for nothing', async () => {
  await showAmountFor(100);
  expect(guard.armed.value).toBe(false);
  ending.abort();
  expect(isLayoutWatched).toBe(false);
  await pass(9000);
  expect(guard.armed.value).toBe(false);
  for (const hidden of [true, false]) setHidden(hidden);
  comeFromCache(true);
  expect(await guard.judge('host')).toBeNull();
});

it('asks the page at most twice a second while the pointer moves, and at every press', async () => {
  await showAmountFor(500);
  for (let step = 0; step < 100; step += 1) {
    pointTo('pointermove', 150 + step, 300);
    await pass(10);
  }
  expect(looks).toBeGreaterThanOrEqual(1);
  expect(looks).toBeLessThanOrEqual(2);
  const before = looks;
  await pressEnter();
  expect(looks).toBe(before + 1);
  await pass(499);
  pointTo('pointermove', 150, 300);
  expect(looks).toBe(before + 1);
  await pass(1);
  pointTo('pointermove', 150, 300);
  expect(looks).toBe(before + 2);
});

it('asks nothing before there is an amount', async () => {
  pointTo('pointermove', 150, 300);
  await settled();
  expect(looks).toBe(0);
});
