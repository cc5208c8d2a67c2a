import { beforeEach, describe, expect, it } from 'vitest';
import { createPointerTrail, type PointerFact, type PointerTrail } from './pointer-trail.ts';

let trail: PointerTrail;
/** The button's screen position at the next event. */
let button = { x: 500, y: 600 };

beforeEach(() => {
  trail = createPointerTrail();
  button = { x: 500, y: 600 };
});

const note = (at: number, kind: PointerFact['kind'], x: number, y = 610, isOver = true) =>
  trail.note({ kind, spot: { x, y }, button: { ...button }, isOver, at });
const slide = (by: number) => {
  button = { x: button.x, y: button.y + by };
};

describe('the pointer came to the button if, since the button last moved on the screen,', () => {
  it('the mouse travelled over the form', () => {
    note(1000, 'move', 300);
    note(1010, 'move', 520);
    note(1020, 'other', 520);
    expect(trail.cameToButton(1020)).toBe(true);
  });

  it('or the mouse entered the frame, as one does that is moved there in one step', () => {
    note(1000, 'enter', 520);
    note(1000, 'move', 520);
    note(1002, 'other', 520);
    expect(trail.cameToButton(1002)).toBe(true);
  });

  it.each([
    ['Firefox', 1050, 1000],
    ['a fake clock', 1000, 1003],
  ])('which %s reports with two different times', (_, enteredAt, movedAt) => {
    note(enteredAt, 'enter', 520);
    note(movedAt, 'move', 520);
    note(1060, 'other', 520);
    expect(trail.cameToButton(1060)).toBe(true);
  });

  it('or it crossed onto the button in one step, after text above had moved the button', () => {
    note(1000, 'move', 300);
    slide(60);
    note(1100, 'other', 520);
    note(1100, 'move', 520);
    expect(trail.cameToButton(1102)).toBe(true);
  });

  it('or it is somewhere else, although no move was reported', () => {
    note(1000, 'move', 520);
    slide(70);
    note(1100, 'other', 520, 680);
    expect(trail.cameToButton(1100)).toBe(true);
  });

  it('or 300 ms passed', () => {
    note(1000, 'enter', 520);
    note(1299, 'other', 520);
    expect(trail.cameToButton(1299)).toBe(false);
    expect(trail.cameToButton(1300)).toBe(true);
  });
});

describe('the button came to the pointer if', () => {
  it('no mouse was seen, or it left the frame', () => {
    expect(trail.cameToButton(9999)).toBe(false);
    note(1000, 'move', 300);
    note(1010, 'move', 520);
    trail.forget();
    expect(trail.cameToButton(9999)).toBe(false);
  });

  it('the frame appeared under the mouse', () => {
    note(1000, 'enter', 520);
    note(1000, 'other', 520);
    expect(trail.cameToButton(1000)).toBe(false);
  });

  it('the frame appeared under the mouse, and the hand trembled', () => {
    note(1000, 'enter', 520);
    note(1003, 'move', 521);
    note(1006, 'move', 520);
    expect(trail.cameToButton(1010)).toBe(false);
  });

  it('the frame appeared under the mouse, and an event without a way followed after 50 ms', () => {
    note(1000, 'enter', 520);
    note(1050, 'move', 520);
    expect(trail.cameToButton(1060)).toBe(false);
  });

  it('the frame slid under the mouse between the two clicks of a double click', () => {
    note(1000, 'move', 300);
    note(1010, 'move', 520);
    note(1020, 'other', 520);
    slide(-200);
    note(1150, 'other', 520);
    expect(trail.cameToButton(1150)).toBe(false);
  });

  it('the hand has only trembled since the frame moved', () => {
    note(1000, 'move', 300);
    note(1010, 'move', 520);
    slide(-200);
    for (const [index, at] of [1020, 1040, 1060].entries()) note(at, 'move', 520 + (index % 2));
    note(1080, 'other', 521);
    expect(trail.cameToButton(1080)).toBe(false);
  });

  it('the frame keeps sliding', () => {
    for (let at = 1000; at <= 2000; at += 100) {
      note(at, 'other', 520);
      slide(-10);
    }
    note(2050, 'other', 520);
    expect(trail.cameToButton(2050)).toBe(false);
  });
});

it('a scaled page does not look as if it moved: the drift between two events is small', () => {
  note(1000, 'move', 500);
  for (let step = 1; step <= 20; step += 1) {
    slide(0.5);
    note(1000 + 20 * step, 'move', 500 + step);
  }
  expect(trail.cameToButton(1400)).toBe(true);
});

it('two pixels are such a drift', () => {
  note(1000, 'move', 300);
  note(1010, 'move', 520);
  slide(2);
  note(1020, 'move', 520);
  expect(trail.cameToButton(1020)).toBe(true);
});

it('says how long a resting pointer still has to wait: not at all after 8 pixels, or if there is none', () => {
  expect(trail.restLeft(10)).toBe(0);
  note(1000, 'move', 500);
  expect(trail.restLeft(1100)).toBe(200);
  expect(trail.restLeft(1400)).toBe(0);
  note(1010, 'move', 508);
  expect(trail.restLeft(1010)).toBe(0);
  trail.forget();
  expect(trail.restLeft(1010)).toBe(0);
});

it('a pointer that rests beside the button holds no press back: it has yet to come', () => {
  note(1000, 'other', 300, 610, false);
  expect(trail.restLeft(1000)).toBe(0);
  expect(trail.cameToButton(1000)).toBe(false);
  slide(40);
  note(1100, 'other', 300, 610, true);
  expect(trail.restLeft(1100)).toBe(300);
});
