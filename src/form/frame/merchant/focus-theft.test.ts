import { describe, expect, it } from 'vitest';
import { createFocusTheft } from './focus-theft.ts';

/** The memory shared by the frames of one tab. */
const partition = () => {
  let is = false;
  return {
    isInterrupted: () => is,
    set(to: boolean) {
      is = to;
    },
  };
};

/** A buyer who focused a card field at 0 and pressed a key in it at 1000. */
const typing = () => {
  const theft = createFocusTheft(partition());
  theft.came(0);
  theft.acted(1000, false);
  return theft;
};

describe('threat-model 2.5: the page may move the focus to a card field', () => {
  it('before anything happened, and while the buyer is in the form', () => {
    expect(createFocusTheft(partition()).mayReturn()).toBe(true);
    expect(typing().mayReturn()).toBe(true);
  });

  it('not after it took the focus from one, however often it asks and however long it waits', () => {
    const theft = typing();
    theft.lost(90_000, true);
    expect([theft.mayReturn(), theft.mayReturn()]).toEqual([false, false]);
    theft.came(100_000); // the focus may arrive, but the buyer did nothing
    expect(theft.mayReturn()).toBe(false);
  });

  it('again after the buyer used a key or the pointer in the form, until it takes the focus again', () => {
    const theft = typing();
    theft.lost(1010, false);
    theft.acted(5000, false);
    expect(theft.mayReturn()).toBe(true);
    theft.lost(5010, false);
    expect(theft.mayReturn()).toBe(false);
  });

  it('if the buyer left by Tab: then nothing was taken', () => {
    const theft = typing();
    theft.acted(1100, true);
    theft.lost(1101, false);
    expect([theft.mayReturn(), theft.isInterrupted()]).toEqual([true, false]);
  });

  it('not if a Tab led to the next card field and that one lost the focus', () => {
    const theft = typing();
    theft.acted(1100, true);
    theft.came(1101);
    theft.lost(1110, false);
    expect([theft.mayReturn(), theft.isInterrupted()]).toEqual([false, true]);
  });

  it('not if the buyer pressed another key after a Tab that stayed in the form', () => {
    const theft = typing();
    theft.acted(1100, true);
    theft.acted(1200, false);
    theft.lost(1210, false);
    expect(theft.mayReturn()).toBe(false);
  });
});

describe('threat-model 2.5: a buyer whose typing was interrupted sees a notice at their next action in the form', () => {
  it.each([
    ['right after a key', 1001, false, true],
    ['less than a second after a key', 1999, false, true],
    ['not a second after a key: then they may have clicked elsewhere', 2000, false, false],
    ['not in a complete field', 1001, true, false],
  ])('%s', (_, at, isComplete, isNoticed) => {
    const theft = typing();
    theft.lost(at, isComplete);
    expect(theft.isInterrupted()).toBe(isNoticed);
    expect(theft.acted(9000, false)).toBe(isNoticed);
    expect(theft.mayReturn()).toBe(true);
  });

  it('also before the first key, right after focusing the field', () => {
    const theft = createFocusTheft(partition());
    theft.came(500);
    theft.lost(520, false);
    expect(theft.acted(9000, false)).toBe(true);
  });

  it('once', () => {
    const theft = typing();
    theft.lost(1001, false);
    expect([theft.acted(5000, false), theft.acted(5100, false)]).toEqual([true, false]);
  });

  it('also in a frame mounted later, where the page may not move the focus either', () => {
    const shared = partition();
    const first = createFocusTheft(shared);
    first.came(0);
    first.lost(10, false);
    const second = createFocusTheft(shared);
    expect(second.mayReturn()).toBe(false);
    expect([second.acted(5000, false), second.acted(5100, false)]).toEqual([true, false]);
    expect([second.mayReturn(), createFocusTheft(shared).mayReturn()]).toEqual([true, true]);
  });

  it('even if the page then took the focus again while nothing was typed', () => {
    const theft = typing();
    theft.lost(1001, false);
    theft.lost(60_000, false);
    expect(theft.acted(90_000, false)).toBe(true);
  });
});
