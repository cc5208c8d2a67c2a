/** The form reaches `ready` before the machine has arrived; the machine says the same, and goes on from there. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../clock/manual-clock.ts';
import { runs } from '../../proof/fuzz.ts';
import { openedWith } from './opened.ts';
import { exampleIntent } from './payment.fixture.ts';
import { type Calls, createPayment } from './payment.ts';
import type { Intent } from './payment-state.ts';
import type { PageEvent } from './told.ts';

const never = () => new Promise<never>(() => undefined);

/** The machine after its first read. */
const afterFirstRead = async (read: Intent) => {
  const clock = createManualClock(3);
  const events: PageEvent[] = [];
  const payment = createPayment({
    clock,
    calls: callsWith({ retrieve: async () => ({ ok: true, value: read }) }),
    random: () => 0.5,
    isAwake: () => true,
    onTell: (event) => events.push(event),
  });
  payment.send({ type: 'opened' });
  await clock.advance(0);
  return { now: clock.now(), state: payment.state.peek(), told: payment.told.peek(), events };
};

const callsWith = (calls: Partial<Calls>): Calls => ({
  retrieve: never,
  confirm: never,
  release: never,
  waitForTab: never,
  ...calls,
});

/** Whatever the client can read (api/client.ts): a running attempt has no error beside it. */
const intents = fc
  .record({
    status: fc.constantFrom('pending', 'processing', 'succeeded', 'canceled', 'unheard_of'),
    confirmation_attempts: fc.constantFrom(null, 0, 1, 3),
    attempts_left: fc.constantFrom(null, 0, 1, 2),
    attempt_in_progress: fc.constantFrom(null, false),
    missing_details: fc.option(fc.array(fc.constant('buyer.name'), { maxLength: 1 })),
    last_payment_error: fc.constantFrom(null, { type: 'card_error', code: 'payment_failed', message: '' }),
  })
  .map((different) => {
    const { attemptsAreOver: _, ...intent } = exampleIntent(different);
    return intent;
  });

describe('a payment that can be paid after its first read', () => {
  it('is in the state that the machine would be in, and the page has been told the same', async () => {
    await fc.assert(
      fc.asyncProperty(intents, async (read) => {
        const { now, state, told, events } = await afterFirstRead(read);
        const opened = openedWith(read, now);
        if (!opened) return;
        expect(opened).toEqual(state);
        expect(events).toEqual([{ tell: 'ready' }]);
        const resumed = createPayment({
          clock: createManualClock(3),
          calls: callsWith({}),
          random: () => 0.5,
          isAwake: () => true,
          opened,
        });
        expect([resumed.state.peek(), resumed.told.peek()]).toEqual([opened, told]);
      }),
      { numRuns: runs(500) },
    );
  });

  it('is any that the machine would offer with nothing to tell', async () => {
    await fc.assert(
      fc.asyncProperty(intents, async (read) => {
        const { now, state } = await afterFirstRead(read);
        const isPlain = state.status === 'ready' && !state.feedback.notice && !read.missing_details?.length;
        expect(openedWith(read, now) !== null).toBe(isPlain);
      }),
      { numRuns: runs(500) },
    );
  });

  it('is none while an attempt is running', () => {
    expect(openedWith(exampleIntent({ attempt_in_progress: true }), 0)).toBeNull();
  });

  it('outcomes I7: its first read counts among the reads of a minute', async () => {
    const clock = createManualClock();
    const opened = openedWith(exampleIntent(), 0);
    if (!opened) throw new Error('This intent can be paid.');
    let reads = 0;
    const payment = createPayment({
      clock,
      calls: callsWith({
        async retrieve() {
          reads += 1;
          return { ok: true, value: exampleIntent() };
        },
      }),
      random: () => 0.5,
      isAwake: () => true,
      opened,
    });
    for (let i = 0; i < 30; i += 1) {
      payment.send({ type: 'restored' });
      await clock.advance(1);
    }
    expect(reads).toBe(19);
  });
});
