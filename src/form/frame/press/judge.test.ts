import { describe, expect, it } from 'vitest';
import type { CoversAnswer } from '../../channel/commands.ts';
import { coveredAfter, type GuardRefusal, type PressFacts, refusalAtOnce, refusalByAnswer } from './judge.ts';
import type { Click } from './liveness.ts';
import type { AmountPlace, PlaceName } from './places.ts';

const NOW = 100_000;
const ROOM = { innerWidth: 200, innerHeight: 120 };
const CLEAR: AmountPlace = { isInView: true, halfInViewSince: 0, cover: 'none' };
const KEY: Click = { by: 'key' };
const MOUSE: Click = { by: 'mouse', at: NOW, spot: { x: 50, y: 50 } };
const FINGER: Click = { ...MOUSE, by: 'touch' };

const places = (of: Partial<Record<PlaceName, AmountPlace>>): Pick<PressFacts, 'places'> => ({
  places: { total: null, button: null, hint: null, ...of },
});

/** Facts under which every press only just counts. */
const COUNTS: PressFacts = {
  now: NOW,
  amount: '10.00 USD',
  frontAt: NOW - 500,
  pageKeyAt: NOW - 1000,
  cameToButton: true,
  isTapping: false,
  ...places({ total: CLEAR, button: { ...CLEAR, halfInViewSince: NOW - 250 } }),
  seenFor: 500,
  isSeen: true,
  restLeft: 0,
  covered: null,
};

const judge = (
  facts: Partial<PressFacts>,
  click: Click,
  pointer: CoversAnswer['pointer'] = null,
  room = ROOM,
) => {
  const known = { ...COUNTS, ...facts };
  return refusalAtOnce(known, 'buyer', click, room) ?? refusalByAnswer(known, click, pointer);
};

it.each([
  ['a key', KEY],
  ['a mouse', MOUSE],
  ['a finger', FINGER],
])('a press by %s counts as soon as every rule is met', (_, click) => {
  expect(judge({}, click)).toBeNull();
});

type Case = readonly [rule: string, refusal: GuardRefusal, facts: Partial<PressFacts>, by: readonly Click[]];

describe('a millisecond or a pixel less than a rule asks for refuses', () => {
  const cases: readonly Case[] = [
    ['Seen', 'too_soon', { seenFor: 499 }, [KEY, MOUSE, FINGER]],
    ['In front', 'too_soon', { frontAt: NOW - 499 }, [KEY, MOUSE, FINGER]],
    ['Own focus', 'too_soon', { pageKeyAt: NOW - 999 }, [KEY]],
    ['Came', 'moved', { cameToButton: false }, [MOUSE]],
    ['In sight', 'too_soon', places({ button: { ...CLEAR, halfInViewSince: NOW - 249 } }), [FINGER]],
    [
      'Clear',
      'obscured',
      places({ button: CLEAR, total: { ...CLEAR, cover: 'over' } }),
      [KEY, MOUSE, FINGER],
    ],
    ['Clear', 'obscured', places({ total: CLEAR, button: { ...CLEAR, cover: 'fixed' } }), [MOUSE, FINGER]],
  ];
  it.each(cases)('%s (%s)', (_, refusal, facts, by) => {
    const judged = [KEY, MOUSE, FINGER].map((click) => judge(facts, click));
    expect(judged).toEqual([KEY, MOUSE, FINGER].map((click) => (by.includes(click) ? refusal : null)));
  });

  it.each([
    { innerWidth: 199, innerHeight: 120 },
    { innerWidth: 200, innerHeight: 119 },
  ])('Room (%o)', (room) => {
    expect([KEY, MOUSE, FINGER].map((click) => judge({}, click, null, room))).toEqual(
      [KEY, MOUSE, FINGER].map(() => 'too_small'),
    );
  });

  it('Elsewhere', () => {
    const near = { x: 50, y: 65, age: 499 };
    expect([KEY, MOUSE, FINGER].map((click) => judge({}, click, near))).toEqual([null, 'moved', 'moved']);
    expect(judge({}, MOUSE, { ...near, age: 500 })).toBeNull();
    expect(judge({}, MOUSE, { ...near, y: 66 })).toBeNull();
  });
});

it("the page's own button is not judged by the focus that the page moved", () => {
  const facts = { ...COUNTS, pageKeyAt: NOW };
  expect(refusalAtOnce(facts, 'host', KEY, ROOM)).toBeNull();
  expect(refusalAtOnce(facts, 'buyer', KEY, ROOM)).toBe('too_soon');
});

it('if several rules refuse, the buyer sees the most lasting one: the room, the pointer, the cover, the time', () => {
  const covered = places({ button: { ...CLEAR, cover: 'over' } });
  const all: Partial<PressFacts> = { ...covered, seenFor: 0, cameToButton: false };
  expect(judge({ ...all, amount: null }, MOUSE, null, { innerWidth: 0, innerHeight: 0 })).toBe('too_small');
  expect(judge(all, MOUSE)).toBe('moved');
  expect(judge({ ...all, cameToButton: true }, MOUSE)).toBe('obscured');
  expect(judge({ seenFor: 0 }, MOUSE)).toBe('too_soon');
});

describe('after a refusal for a cover', () => {
  const covered = (age: number, amount = '10.00 USD'): Partial<PressFacts> => ({
    ...places({ button: { ...CLEAR, cover: 'over' }, hint: CLEAR }),
    covered: { amount, at: NOW - age },
  });

  it.each([
    [499, 'obscured'],
    [500, null],
    [8000, null],
    [8001, 'obscured'],
  ])('a press %i ms later is judged %s', (age, refusal) => {
    expect(judge(covered(age), MOUSE)).toBe(refusal);
  });

  it('a press of another amount is refused', () => {
    expect(judge(covered(500, '9.00 USD'), MOUSE)).toBe('obscured');
  });

  it('the exception is for one press, and a double click does not postpone it', () => {
    const remembered = (age: number, refusal: GuardRefusal | null) =>
      coveredAfter({ ...COUNTS, ...covered(age) }, '10.00 USD', refusal);
    expect(remembered(500, null)).toBeNull();
    expect(remembered(499, 'obscured')).toEqual({ amount: '10.00 USD', at: NOW - 499 });
    expect(remembered(500, 'obscured')).toEqual({ amount: '10.00 USD', at: NOW });
    expect(remembered(600, 'too_soon')).toEqual({ amount: '10.00 USD', at: NOW - 600 });
    expect(coveredAfter(COUNTS, '10.00 USD', 'obscured')).toEqual({ amount: '10.00 USD', at: NOW });
  });
});
