import { describe, expect, it } from 'vitest';
import { createFocusTheft } from './focus-theft.ts';

/** A buyer who came to a card field at 0 and pressed a key in it at 1000. */
const typing = () => {
  const theft = createFocusTheft();
  theft.came(0);
  theft.acted(1000, false);
  return theft;
};

describe('issue 13, A5: the page may bring the focus to a card field', () => {
  it('before anything happened, and while the buyer is in the form', () => {
    expect(createFocusTheft().mayReturn()).toBe(true);
    expect(typing().mayReturn()).toBe(true);
  });

  it('not once it took the focus from one, however often it asks and however long it waits', () => {
    const theft = typing();
    theft.lost(90_000, true);
    expect([theft.mayReturn(), theft.mayReturn()]).toEqual([false, false]);
    theft.came(100_000); // nothing but the buyer, or a refused page, can bring it there
    expect(theft.mayReturn()).toBe(false);
  });

  it('again as soon as the buyer pressed a key or a pointer in the form, until it takes it again', () => {
    const theft = typing();
    theft.lost(1010, false);
    theft.acted(5000, false);
    expect(theft.mayReturn()).toBe(true);
    theft.lost(5010, false);
    expect(theft.mayReturn()).toBe(false);
  });

  it('where the buyer left by Tab: nothing was taken', () => {
    const theft = typing();
    theft.acted(1100, true);
    theft.lost(1101, false);
    expect([theft.mayReturn(), theft.isInterrupted()]).toEqual([true, false]);
  });

  it('not where a Tab led to the next card field and that one lost it', () => {
    const theft = typing();
    theft.acted(1100, true);
    theft.came(1101);
    theft.lost(1110, false);
    expect([theft.mayReturn(), theft.isInterrupted()]).toEqual([false, true]);
  });

  it('not where a key came between a Tab that was kept in the form and the loss', () => {
    const theft = typing();
    theft.acted(1100, true);
    theft.acted(1200, false);
    theft.lost(1210, false);
    expect(theft.mayReturn()).toBe(false);
  });
});

describe('issue 13, A5: the buyer whose typing was interrupted is told when back in the form', () => {
  it.each([
    ['right after a key', 1001, false, true],
    ['less than a second after a key', 1999, false, true],
    ['a second after a key: whoever clicks elsewhere takes that long', 2000, false, false],
    ['in a field in which nothing is missing any more', 1001, true, false],
  ])('%s', (_, at, isDone, told) => {
    const theft = typing();
    theft.lost(at, isDone);
    expect(theft.isInterrupted()).toBe(told);
    expect(theft.acted(9000, false)).toBe(told);
    expect(theft.mayReturn()).toBe(true);
  });

  it('also before the first key, right after coming to the field', () => {
    const theft = createFocusTheft();
    theft.came(500);
    theft.lost(520, false);
    expect(theft.acted(9000, false)).toBe(true);
  });

  it('once', () => {
    const theft = typing();
    theft.lost(1001, false);
    expect([theft.acted(5000, false), theft.acted(5100, false)]).toEqual([true, false]);
  });

  it('though the page went on to take the focus from fields in which nothing was typed', () => {
    const theft = typing();
    theft.lost(1001, false);
    theft.lost(60_000, false);
    expect(theft.acted(90_000, false)).toBe(true);
  });
});
