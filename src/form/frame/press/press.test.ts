import { signal } from '@preact/signals';
import { beforeEach, describe, expect, it } from 'vitest';
import type { MessageKey } from '../../i18n/en.ts';
import { FIRST_VIEW, type View } from '../view/form-view.ts';
import type { GuardRefusal } from './judge.ts';
import { createPress, type Press, type PressRefusal, totalToPay } from './press.ts';

const READY: View = {
  screen: 'form',
  intent: null,
  previousTotal: null,
  locked: false,
  notices: [],
  action: { kind: 'pay', total: { amount: 5804, currency: 'usd' } },
  noticesFirst: false,
  fieldToFix: null,
};

/** The calls, in order. */
let calls: unknown[] = [];
let screen = signal<View>(FIRST_VIEW);
let pressHint = signal<MessageKey | null>(null);
let isInterrupted = signal(false);
/** The guard's judgement. */
let judge: () => Promise<GuardRefusal | null> = async () => null;
/** Pending while a country's fields are loading. */
let loading: Promise<void> | null = null;
let problem: 'number' | 'state' | null = null;
let isInView = true;
let isMeantForPage = false;
let accepts = true;
/** How often earlier presses were dropped. */
let drops = 0;
/** Ends the pending waits, in order. */
let waits: (() => void)[] = [];
let press: Press;
/** The counted reasons, in order. */
let counted: PressRefusal[] = [];

beforeEach(() => {
  calls = [];
  counted = [];
  screen = signal<View>(FIRST_VIEW);
  screen.value = READY;
  pressHint = signal<MessageKey | null>(null);
  isInterrupted = signal(false);
  judge = async () => null;
  problem = null;
  loading = null;
  isInView = true;
  isMeantForPage = false;
  accepts = true;
  drops = 0;
  waits = [];
  press = createPress({
    form: { press: () => problem, settle: () => loading },
    screen,
    pressHint,
    isInterrupted,
    guard: {
      judge: () => judge(),
      isInView: (place) => place === 'button' && isInView,
      isMeantForPage: () => isMeantForPage,
    },
    clock: {
      now: () => 0,
      wait: () =>
        new Promise((resolve) => {
          waits.push(resolve);
        }),
    },
    actions: {
      pay(shown) {
        calls.push(['pay', shown]);
        return accepts;
      },
      refused: (why) => calls.push(['not pressed', why]),
      counted: (why) => counted.push(why),
      retry: () => calls.push(['retry']),
      drops: () => drops,
    },
    focusField: (field) => calls.push(['focus', field]),
    showButton: () => calls.push(['show button']),
    focusButton: () => calls.push(['focus button']),
  });
});

const PAID = ['pay', { amount: 5804, currency: 'usd' }];

it('a press that counts pays exactly the total that was shown', async () => {
  await press('buyer');
  expect(calls).toEqual([PAID]);
});

describe('a press that was held', () => {
  const shown = { amount: 5804, currency: 'usd' } as const;

  it('pays by its judgement at the moment of the press', async () => {
    judge = async () => 'obscured'; // now
    await press('buyer', { shown, refusal: Promise.resolve(null) });
    expect(calls).toEqual([PAID]);
  });

  it('does not pay if it was refused when it was made', async () => {
    await press('buyer', { shown, refusal: Promise.resolve('moved') });
    expect(calls).toEqual([['not pressed', 'moved']]);
    expect(pressHint.value).toBe('notice.press_again');
  });

  it('does not pay another total than the one it was made for', async () => {
    await press('buyer', { shown: { ...shown, amount: 1 }, refusal: Promise.resolve(null) });
    expect(calls).toEqual([['not pressed', 'too_soon']]);
  });

  it('promises 1.6: does not pay once another intent was requested, even with the same total', async () => {
    drops = 1;
    await press('buyer', { shown, refusal: Promise.resolve(null) });
    expect(calls).toEqual([['not pressed', 'too_soon']]);
  });

  it('focuses the incomplete field', async () => {
    problem = 'number';
    await press('buyer', { shown, refusal: Promise.resolve(null) });
    expect(calls).toEqual([['focus', 'number']]);
  });
});

it('promises 1.6: a press being judged does not pay once another intent with the same total was requested', async () => {
  judge = async () => {
    drops += 1;
    return null;
  };
  await press('buyer');
  expect(calls).toEqual([['not pressed', 'too_soon']]);
  judge = async () => null;
  await press('buyer');
  expect(calls.at(-1)).toEqual(PAID);
});

describe('promises 2.11: a press while the fields of a country are loading', () => {
  it('waits for them and then pays, by its judgement at the moment of the press', async () => {
    let isThere = () => {};
    loading = new Promise((resolve) => {
      isThere = resolve;
    });
    problem = 'state'; // as long as the fields are those of another country
    const pressed = press('buyer');
    judge = async () => 'obscured'; // from now on
    problem = null;
    isThere();
    await pressed;
    expect(calls).toEqual([PAID]);
  });

  it('promises 1.15: does not pay if the form was parked meanwhile, also once it is back with the same total', async () => {
    let isThere = () => {};
    loading = new Promise((resolve) => {
      isThere = resolve;
    });
    const pressed = press('buyer');
    drops += 1;
    isThere();
    await pressed;
    expect(calls).toEqual([['not pressed', 'too_soon']]);
  });

  it('does not pay another total than the one it was made for', async () => {
    loading = Promise.resolve().then(() => {
      screen.value = { ...READY, action: { kind: 'pay', total: { amount: 6000, currency: 'usd' } } };
    });
    await press('buyer');
    expect(calls).toEqual([['not pressed', 'too_soon']]);
  });

  it('focuses the field that is still missing then', async () => {
    loading = Promise.resolve().then(() => {
      problem = 'number';
    });
    await press('buyer');
    expect(calls).toEqual([['focus', 'number']]);
  });
});

it('an incomplete field is focused, and only a page with its own button receives an error', async () => {
  problem = 'number';
  await press('buyer');
  expect(calls).toEqual([['focus', 'number']]);
  await press('host');
  expect(calls.at(-1)).toEqual(['not pressed', 'incomplete']);
});

it('every refused press is counted, even those not reported to the page', async () => {
  problem = 'number';
  await press('buyer');
  problem = null;
  judge = async () => 'moved';
  await press('buyer');
  screen.value = { ...READY, locked: true };
  await press('host');
  expect(counted).toEqual(['incomplete', 'moved', 'not_ready']);
  judge = async () => null;
  screen.value = READY;
  await press('buyer');
  expect(counted).toHaveLength(3);
});

describe('a press that is refused is never silent', () => {
  it.each(['too_soon', 'moved', 'too_small', 'obscured'] as const)(
    '%s shows a hint and is reported to the page, for the buyer and for submit()',
    async (why) => {
      judge = async () => why;
      for (const presser of ['buyer', 'host'] as const) {
        calls = [];
        pressHint.value = null;
        await press(presser);
        expect(calls).toEqual([['not pressed', why]]);
        expect(pressHint.value).toBe(why === 'too_small' ? 'notice.too_small' : 'notice.press_again');
      }
    },
  );

  it('so is one that the state machine does not accept', async () => {
    accepts = false;
    await press('buyer');
    expect(calls).toEqual([PAID, ['not pressed', 'too_soon']]);
    expect(pressHint.value).toBe('notice.press_again');
  });

  it('promises 1.11: a key that may be meant for the page focuses the button', async () => {
    judge = async () => 'too_soon';
    isMeantForPage = true;
    await press('buyer');
    expect(calls).toEqual([['not pressed', 'too_soon'], ['focus button']]);
  });

  it('the button is scrolled into view if it was pressed from elsewhere', async () => {
    judge = async () => 'obscured';
    isInView = false;
    await press('buyer');
    expect(calls).toEqual([['not pressed', 'obscured'], ['show button']]);
  });

  it('but not if the page has the button, or a field is to be filled in', async () => {
    judge = async () => 'obscured';
    isInView = false;
    await press('host');
    expect(calls).toEqual([['not pressed', 'obscured']]);
    problem = 'number';
    await press('buyer');
    expect(calls.slice(1)).toEqual([['focus', 'number']]);
    expect(pressHint.value).toBeNull();
  });
});

it('the hint goes with the next press that counts, or after 8 s', async () => {
  judge = async () => 'too_soon';
  await press('buyer');
  expect(pressHint.value).not.toBeNull();
  judge = async () => null;
  await press('buyer');
  expect(pressHint.value).toBeNull();
  judge = async () => 'too_soon';
  await press('buyer');
  waits.at(-1)?.();
  await Promise.resolve();
  expect(pressHint.value).toBeNull();
});

it('the hint about a later press stays for another 8 s', async () => {
  judge = async () => 'too_soon';
  await press('buyer');
  await press('buyer');
  waits[0]?.();
  await Promise.resolve();
  expect(pressHint.value).toBe('notice.press_again');
});

it('a press that counts leaves nothing to wait for', async () => {
  await press('buyer');
  expect(waits).toEqual([]);
});

it('a press removes the notice that typing was interrupted, whether or not it counts', async () => {
  for (const why of ['too_soon', null] as const) {
    judge = async () => why;
    isInterrupted.value = true;
    await press('buyer');
    expect(isInterrupted.value).toBe(false);
  }
});

it('a press while another is being judged is ignored: two clicks pay once', async () => {
  const judged: ((why: GuardRefusal | null) => void)[] = [];
  judge = () => new Promise((resolve) => judged.push(resolve));
  const presses = [press('buyer'), press('buyer')];
  expect(judged).toHaveLength(1);
  judged[0]?.(null);
  await Promise.all(presses);
  expect(calls).toEqual([PAID]);
});

it.each<[string, View]>([
  ['another total', { ...READY, action: { kind: 'pay', total: { amount: 6804, currency: 'usd' } } }],
  ['another currency', { ...READY, action: { kind: 'pay', total: { amount: 5804, currency: 'eur' } } }],
  ['nothing to pay', { ...READY, action: { kind: 'idle', total: null } }],
  ['a locked form', { ...READY, locked: true }],
])('nothing is paid if the screen changed while the guard was asking: %s', async (_, view) => {
  judge = async () => {
    screen.value = view;
    return null;
  };
  await press('buyer');
  expect(calls).toEqual([['not pressed', 'too_soon']]);
});

it('a locked form or one without a total is not ready; only the buyer can press "Try again"', async () => {
  screen.value = { ...READY, locked: true };
  await press('host');
  screen.value = { ...READY, action: { kind: 'idle', total: null } };
  await press('host');
  expect(calls).toEqual([
    ['not pressed', 'not_ready'],
    ['not pressed', 'not_ready'],
  ]);
  calls = [];
  screen.value = { ...READY, action: { kind: 'retry', message: { key: 'action.try_again' } } };
  await press('host');
  await press('buyer');
  expect(calls).toEqual([['not pressed', 'not_ready'], ['retry']]);
});

const OUTCOME: View = {
  screen: 'outcome',
  tone: 'good',
  title: { key: 'notice.succeeded' },
  details: [],
  action: null,
};

it('with an outcome on the screen or the form locked, a press focuses nothing and pays nothing', async () => {
  problem = 'number';
  for (const view of [OUTCOME, { ...READY, locked: true }]) {
    screen.value = view;
    await press('buyer');
  }
  expect([calls, counted]).toEqual([[], ['not_ready', 'not_ready']]);
});

it('only a form that is not locked and offers to pay has a total to pay', () => {
  expect(totalToPay(READY)).toEqual({ amount: 5804, currency: 'usd' });
  expect(totalToPay({ ...READY, locked: true })).toBeNull();
  expect(
    totalToPay({ ...READY, action: { kind: 'idle', total: { amount: 5804, currency: 'usd' } } }),
  ).toBeNull();
  expect(totalToPay(OUTCOME)).toBeNull();
});
