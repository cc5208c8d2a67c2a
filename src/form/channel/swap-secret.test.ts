/** promises 1.6: a component or an element whose client secret changes. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CardFormEvent } from './events.ts';
import type { CardFormError } from './result.ts';
import { createSecretSwap } from './swap-secret.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const failure = (recovery: CardFormError['recovery'], retryAfter?: number): CardFormError => ({
  type: 'invalid_request_error',
  code: 'payment_in_progress',
  message: `It is refused: ${recovery}.`,
  charged: 'unknown',
  recovery,
  retryAfter,
});

/** A form that refuses swaps with these errors, in order, and then takes every one. */
const mountedForm = (...errors: CardFormError[]) => {
  const asked: string[] = [];
  const swapped: string[] = [];
  const warned: string[] = [];
  let end = () => {};
  let hear: (...event: CardFormEvent) => void = () => {};
  const form = {
    result: new Promise<void>((resolve) => {
      end = resolve;
    }),
    on: (_: '*', handler: typeof hear) => {
      hear = handler;
    },
    update: async ({ clientSecret }: { clientSecret: string }) => {
      asked.push(clientSecret);
      return errors.shift() ?? null;
    },
  };
  const give = createSecretSwap(form, {
    warn: ({ hint }) => warned.push(hint),
    swapped: (clientSecret) => swapped.push(clientSecret),
  });
  return { give, end, asked, swapped, warned, hear: (...event: CardFormEvent) => hear(...event) };
};

const settle = () => vi.advanceTimersByTimeAsync(0);

describe('a swap that fails', () => {
  it.each([['wait'], ['retry']] as const)(
    'is tried again every 5 seconds until the form has the payment, with one warning: %s',
    async (recovery) => {
      const { give, asked, swapped, warned } = mountedForm(failure(recovery), failure(recovery));
      give('lg_cs_2');
      await settle();
      await vi.advanceTimersByTimeAsync(4999);
      expect([asked, warned]).toEqual([['lg_cs_2'], [failure(recovery).message]]);
      await vi.advanceTimersByTimeAsync(60_000);
      expect([asked, warned, swapped]).toEqual([
        ['lg_cs_2', 'lg_cs_2', 'lg_cs_2'],
        [failure(recovery).message],
        ['lg_cs_2'],
      ]);
    },
  );

  it('waits as long as the service says', async () => {
    const { give, asked } = mountedForm(failure('wait', 30));
    give('lg_cs_2');
    await vi.advanceTimersByTimeAsync(29_999);
    expect(asked).toEqual(['lg_cs_2']);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toEqual(['lg_cs_2', 'lg_cs_2']);
  });

  it('is tried again at once, and only once, when the payment in its way ends without a charge', async () => {
    const declined = ['decline', { error: failure('retry') }] as const;
    for (const event of [declined, ['error', failure('retry')] as const]) {
      const { give, asked, hear } = mountedForm(failure('wait'));
      give('lg_cs_2');
      await settle();
      hear(...event);
      hear(...event);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(asked).toEqual(['lg_cs_2', 'lg_cs_2']);
    }
  });

  it.each([['fix_integration'], ['new_payment']] as const)(
    'is not tried again if the shop has to do something: %s',
    async (recovery) => {
      const { give, asked, warned, hear } = mountedForm(failure(recovery));
      give('lg_cs_2');
      await settle();
      hear('decline', { error: failure('retry') });
      await vi.advanceTimersByTimeAsync(60_000);
      expect([asked, warned]).toEqual([['lg_cs_2'], [failure(recovery).message]]);
    },
  );

  it('is not tried again once the payment is over or the form is unmounted, which settle its result', async () => {
    const [late, early] = [mountedForm(failure('wait')), mountedForm(failure('wait'))];
    late.give('lg_cs_2');
    await settle();
    early.give('lg_cs_2');
    for (const { end } of [late, early]) end();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([late, early].map(({ asked }) => asked)).toEqual([['lg_cs_2'], ['lg_cs_2']]);
  });

  it('gives way to another client secret', async () => {
    const { give, asked, warned } = mountedForm(failure('wait'));
    give('lg_cs_2');
    give('lg_cs_3');
    await vi.advanceTimersByTimeAsync(60_000);
    expect([asked, warned]).toEqual([['lg_cs_2', 'lg_cs_3'], []]);
  });
});
