// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { showAnswer } from './show-answer.ts';

const scrolled: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = '<p class="summary"></p><button class="pay"></button><p class="notices"></p>';
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    scrolled.push(this.className);
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  scrolled.length = 0;
});

/** Sets the height of the frame, and the height that the content needs. */
const resize = (innerHeight: number, scrollHeight: number) => {
  vi.stubGlobal('innerHeight', innerHeight);
  vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockReturnValue(scrollHeight);
  dispatchEvent(new Event('resize'));
};

const ALL = ['summary', 'pay', 'notices'];

it('the consequence of an answer is shown at once if the frame has room for it', () => {
  resize(500, 500);
  showAnswer(null);
  vi.runAllTimers();
  expect(scrolled).toEqual(ALL);
});

it('waits for a frame that has yet to grow, and ignores an earlier height', () => {
  resize(511, 533);
  showAnswer(null);
  vi.runAllTimers();
  resize(415, 533); // the page's earlier height
  expect(scrolled).toEqual([]);
  resize(533, 533);
  expect(scrolled).toEqual(ALL);
  resize(600, 533); // the buyer turns the phone
  expect(scrolled).toEqual(ALL);
});

it('only the last answer is shown once there is room', () => {
  resize(415, 511);
  showAnswer(null);
  vi.runAllTimers();
  resize(415, 533);
  showAnswer(null);
  vi.runAllTimers();
  resize(533, 533);
  expect(scrolled).toEqual(ALL);
});
