// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Money } from '../../../api/money.ts';
import { type HeldPress, holdPress } from './hold-press.ts';
import type { GuardRefusal } from './judge.ts';

const SHOWN = { amount: 5804, currency: 'usd' } as const;

let place: HTMLElement;
let isLive = true;
let total: Money | null = SHOWN;
/** The guard's answers to presses, in order. */
let answers: ((refusal: GuardRefusal | null) => void)[] = [];
let release: () => HeldPress | null;

const settled = () => new Promise((resolve) => setTimeout(resolve));
const click = (at: Element | null) => at?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
const press = () => click(document.querySelector('button'));
const type = () => document.querySelector('input')?.dispatchEvent(new Event('input', { bubbles: true }));
const isBusy = () => place.getAttribute('aria-busy') === 'true';

beforeEach(() => {
  document.body.innerHTML =
    '<form><input><div class="pay-place"><button type="button">Pay</button></div></form>';
  place = document.querySelector<HTMLElement>('.pay-place') ?? document.body;
  isLive = true;
  total = SHOWN;
  answers = [];
  release = holdPress(place, () => total, {
    isLive: () => isLive,
    judge: () => new Promise((resolve) => answers.push(resolve)),
  });
});

afterEach(() => void release());

it('holds a press with the total it was made for, judged at once, and says so', async () => {
  press();
  expect([answers.length, isBusy()]).toEqual([1, true]);
  answers[0]?.(null);
  await settled();
  expect(isBusy()).toBe(true);
  const held = release();
  expect(held?.shown).toEqual(SHOWN);
  expect(await held?.refusal).toBeNull();
  expect(isBusy()).toBe(false);
});

it('holds nothing while there is no total', () => {
  total = null;
  press();
  expect([answers.length, isBusy()]).toEqual([0, false]);
});

it('holds nothing if nothing was pressed, or not by a person', () => {
  isLive = false;
  press();
  expect([answers.length, isBusy()]).toEqual([0, false]);
  expect(release()).toBeNull();
});

it('takes a pointer that passed through the button for a press, and none beside it', () => {
  click(document.querySelector('input'));
  expect(answers).toHaveLength(0);
  click(place);
  expect(answers).toHaveLength(1);
});

it('ignores a press while another is held', async () => {
  press();
  press();
  answers[0]?.(null);
  await settled();
  press();
  expect(answers).toHaveLength(1);
});

it('lets another press follow one that was refused, which is kept for its hint until then', async () => {
  press();
  answers[0]?.('too_soon');
  await settled();
  expect(isBusy()).toBe(false);
  press();
  expect([answers.length, isBusy()]).toEqual([2, true]);
  answers[1]?.(null);
  expect(await release()?.refusal).toBeNull();
});

it('keeps a refused press for its hint', async () => {
  press();
  answers[0]?.('moved');
  await settled();
  expect(await release()?.refusal).toBe('moved');
});

it.each([
  ['what is typed', type],
  ['leaving the page', () => window.dispatchEvent(new Event('pagehide'))],
])('%s withdraws the press', async (_, act) => {
  press();
  act();
  expect(isBusy()).toBe(false);
  answers[0]?.(null);
  await settled();
  expect(release()).toBeNull();
});

it('receives nothing once released', () => {
  release();
  press();
  expect([answers.length, isBusy()]).toEqual([0, false]);
});
