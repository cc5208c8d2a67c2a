import { signal } from '@preact/signals';
import { beforeEach, describe, expect, it } from 'vitest';
import type { MessageKey } from '../../i18n/en.ts';
import { createFirstView } from '../components/context.ts';
import type { View } from '../view/view.ts';
import type { Refused } from './guard.ts';
import { createPress, type Press } from './press.ts';

const READY: View = {
  screen: 'form',
  intent: null,
  locked: false,
  notices: [],
  action: { kind: 'pay', total: { amount: 5804, currency: 'usd' } },
  fieldToFix: null,
};

/** What happened, in order. */
let heard: unknown[] = [];
let screen = createFirstView();
let pressHint = signal<MessageKey | null>(null);
let isInterrupted = signal(false);
/** The next judgements of the guard. */
let judge: () => Promise<Refused | null> = async () => null;
let problem: 'number' | null = null;
let isInView = true;
let accepts = true;
let endOfWait: () => void = () => undefined;
let press: Press;

beforeEach(() => {
  heard = [];
  screen = createFirstView();
  screen.value = READY;
  pressHint = signal<MessageKey | null>(null);
  isInterrupted = signal(false);
  judge = async () => null;
  problem = null;
  isInView = true;
  accepts = true;
  press = createPress({
    form: { press: () => problem },
    screen,
    pressHint,
    isInterrupted,
    guard: { judge: () => judge(), isInView: () => isInView },
    clock: {
      now: () => 0,
      wait: () =>
        new Promise((resolve) => {
          endOfWait = resolve;
        }),
    },
    actions: {
      pay(shown) {
        heard.push(['pay', shown]);
        return accepts;
      },
      refused: (why) => heard.push(['not pressed', why]),
      retry: () => heard.push(['retry']),
    },
    lead: (field) => heard.push(['lead', field]),
    reveal: () => heard.push(['reveal']),
  });
});

const PAID = ['pay', { amount: 5804, currency: 'usd' }];

it('a press that counts pays exactly the total that stood there', async () => {
  await press('buyer');
  expect(heard).toEqual([PAID]);
});

it('what is missing comes first, and only a page that has the button is told', async () => {
  problem = 'number';
  await press('buyer');
  expect(heard).toEqual([['lead', 'number']]);
  await press('host');
  expect(heard.at(-1)).toEqual(['not pressed', 'incomplete']);
});

describe('a press is never swallowed', () => {
  it.each(['too_soon', 'moved', 'too_small', 'obscured'] as const)(
    '%s is said on the screen and to the page, whoever pressed',
    async (why) => {
      judge = async () => why;
      for (const presser of ['buyer', 'host'] as const) {
        heard = [];
        pressHint.value = null;
        await press(presser);
        expect(heard).toEqual([['not pressed', why]]);
        expect(pressHint.value).toBe(why === 'too_small' ? 'notice.too_small' : 'notice.press_again');
      }
    },
  );

  it('one that the machine does not take is said as well', async () => {
    accepts = false;
    await press('buyer');
    expect(heard).toEqual([PAID, ['not pressed', 'too_soon']]);
    expect(pressHint.value).toBe('notice.press_again');
  });

  it('who pressed a key elsewhere is led to the button', async () => {
    judge = async () => 'obscured';
    isInView = false;
    await press('buyer');
    expect(heard).toEqual([['not pressed', 'obscured'], ['reveal']]);
  });
});

it('what is said of a press is over with the next that counts, or after 8 s', async () => {
  judge = async () => 'too_soon';
  await press('buyer');
  expect(pressHint.value).not.toBeNull();
  judge = async () => null;
  await press('buyer');
  expect(pressHint.value).toBeNull();
  judge = async () => 'too_soon';
  await press('buyer');
  endOfWait();
  await Promise.resolve();
  expect(pressHint.value).toBeNull();
});

it('a press takes away the notice that typing was interrupted, whether or not it counts', async () => {
  for (const why of ['too_soon', null] as const) {
    judge = async () => why;
    isInterrupted.value = true;
    await press('buyer');
    expect(isInterrupted.value).toBe(false);
  }
});

it('a press while another is judged is the same press: two clicks pay once', async () => {
  let decide: (why: Refused | null) => void = () => undefined;
  judge = () =>
    new Promise((resolve) => {
      decide = resolve;
    });
  const first = press('buyer');
  await press('buyer');
  expect(heard).toEqual([]);
  decide(null);
  await first;
  expect(heard).toEqual([PAID]);
});

it.each<[string, View]>([
  ['another total', { ...READY, action: { kind: 'pay', total: { amount: 6804, currency: 'usd' } } }],
  ['another currency', { ...READY, action: { kind: 'pay', total: { amount: 5804, currency: 'eur' } } }],
  ['nothing to pay', { ...READY, action: { kind: 'idle', total: null } }],
  ['a locked form', { ...READY, locked: true }],
])('what the screen shows after the guard was asked is paid, or nothing: %s', async (_, view) => {
  judge = async () => {
    screen.value = view;
    return null;
  };
  await press('buyer');
  expect(heard).toEqual([['not pressed', 'too_soon']]);
});

it('a form that is locked or has no total is not ready, and "Try again" is the buyer\'s', async () => {
  screen.value = { ...READY, locked: true };
  await press('host');
  screen.value = { ...READY, action: { kind: 'idle', total: null } };
  await press('host');
  expect(heard).toEqual([
    ['not pressed', 'not_ready'],
    ['not pressed', 'not_ready'],
  ]);
  heard = [];
  screen.value = { ...READY, action: { kind: 'retry', message: { key: 'action.try_again' } } };
  await press('host');
  await press('buyer');
  expect(heard).toEqual([['not pressed', 'not_ready'], ['retry']]);
});
