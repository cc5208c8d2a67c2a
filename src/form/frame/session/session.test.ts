import { describe, expect, it } from 'vitest';
import { type Answer, DECLINED_BODY, intentIs, jsonResponse, never, open, SHOWN } from './session.fixture.ts';

/** Presses Pay once the intent was read, and awaits the answer. */
const payIn = async ({ session, clock }: Pick<ReturnType<typeof open>, 'session' | 'clock'>) => {
  await clock.advance(1000);
  session.pay(SHOWN);
  await clock.advance(1000);
};

describe('a session', () => {
  it('begins with one read and shows its total', async () => {
    const { session, clock, requests } = open();
    await clock.advance(0);
    expect(requests).toEqual(['retrieve']);
    expect(session.view.peek()).toMatchObject({
      screen: 'form',
      action: { kind: 'pay', total: { amount: 1234, currency: 'usd' } },
    });
  });

  it('sends one confirm for one press, however often it is pressed', async () => {
    const { session, clock, requests, heard } = open();
    await clock.advance(1000);
    expect(session.pay(SHOWN)).toBe(true);
    expect(session.pay(SHOWN)).toBe(false);
    await clock.advance(1000);
    expect(requests).toEqual(['retrieve', 'confirm']);
    expect(heard()).toEqual(['ready', 'processing']);
  });

  it('takes no press while the intent is being read, nor with an incomplete form', async () => {
    const { session, clock, requests, form } = open();
    expect(session.pay(SHOWN)).toBe(false);
    await clock.advance(1000);
    form.details.mockReturnValue(null);
    expect(session.pay(SHOWN)).toBe(false);
    await clock.advance(1000);
    expect(requests).toEqual(['retrieve']);
  });

  it('releases after a 402, reads, and forgets the security code; the page receives one decline', async () => {
    const { session, clock, requests, heard, form } = open({
      confirm: [() => jsonResponse(402, DECLINED_BODY)],
    });
    await payIn({ session, clock });
    expect(requests).toEqual(['retrieve', 'confirm', 'release', 'retrieve']);
    expect(heard()).toEqual(['ready', 'processing', 'decline']);
    expect(form.clearCvc).toHaveBeenCalled();
    expect(form.clearCard).not.toHaveBeenCalled();
  });

  it('awaits the outcome from the confirm until the page has received it, whatever is asked in the meantime', async () => {
    const { session, clock, heard } = open({ confirm: [never], retrieve: [intentIs(), never] });
    await clock.advance(1000);
    expect(session.isAwaitingOutcome.peek()).toBe(false);
    session.pay(SHOWN);
    expect(session.isAwaitingOutcome.peek()).toBe(true);
    session.pay(SHOWN);
    session.refresh();
    session.retry();
    await clock.advance(30_000);
    expect([session.isAwaitingOutcome.peek(), heard()]).toEqual([true, ['ready', 'processing']]);
  });

  it.each<[string, Answer, string]>([
    ['a decline', () => jsonResponse(402, DECLINED_BODY), 'decline'],
    ['success', intentIs({ status: 'succeeded', succeeded_at: 1 }), 'result'],
  ])('awaits nothing after %s was reported', async (_, answer, told) => {
    const { session, clock, heard } = open({ confirm: [answer] });
    await payIn({ session, clock });
    expect([heard().at(-1), session.isAwaitingOutcome.peek()]).toEqual([told, false]);
  });

  it('does not await an outcome while an intent is only read again', async () => {
    const { session, clock } = open({ retrieve: [intentIs(), never] });
    await clock.advance(1000);
    session.refresh();
    expect(session.state.peek().status).toBe('reloading');
    expect(session.isAwaitingOutcome.peek()).toBe(false);
  });

  it('forgets card and client secret after success, and notifies the other tabs', async () => {
    const { session, clock, requests, form, channel } = open({
      confirm: [intentIs({ status: 'succeeded', succeeded_at: 1 })],
    });
    await payIn({ session, clock });
    expect(form.clearCard).toHaveBeenCalled();
    expect(channel.postMessage.mock.calls).toEqual([['lg_pi_1']]);
    session.refresh();
    await clock.advance(1000);
    expect(requests).toEqual(['retrieve', 'confirm']);
  });

  it('reads again when another tab says that this intent has ended, and only then', async () => {
    const { clock, requests, channel } = open();
    await clock.advance(1000);
    channel.onmessage?.({ data: 'lg_pi_2' });
    await clock.advance(5000);
    expect(requests).toEqual(['retrieve']);
    channel.onmessage?.({ data: 'lg_pi_1' });
    await clock.advance(5000);
    expect(requests).toEqual(['retrieve', 'retrieve']);
  });

  it('marks the field that the service refused', async () => {
    const refused = {
      error: {
        type: 'invalid_request_error',
        code: 'invalid_billing_details',
        message: 'No.',
        param: 'billing_details.email',
      },
    };
    const { session, clock, form } = open({ confirm: [() => jsonResponse(400, refused)] });
    await payIn({ session, clock });
    expect(form.markRefused.mock.calls.flat()).toContain('email');
  });

  it('outcomes 2.6: a refused card number is marked, can be corrected, and is then paid', async () => {
    const refused = {
      error: {
        type: 'invalid_request_error',
        code: 'validation_error',
        message: 'The check digit does not fit.',
        param: 'card.number',
      },
    };
    const { session, clock, form, messages } = open({
      confirm: [() => jsonResponse(400, refused), intentIs({ status: 'succeeded', succeeded_at: 1 })],
    });
    await payIn({ session, clock });
    expect(form.markRefused.mock.calls).toEqual([['number']]);
    expect(form.clearCvc).not.toHaveBeenCalled();
    expect(session.view.peek()).toMatchObject({ screen: 'form', locked: false, fieldToFix: 'number' });
    await clock.advance(3000);
    session.pay(SHOWN);
    await clock.advance(1000);
    expect(session.state.peek().status).toBe('succeeded');
    expect(messages).toMatchObject([
      { type: 'ready', amountTotal: SHOWN.amount, currency: SHOWN.currency },
      { type: 'processing' },
      { type: 'error', error: { code: 'validation_error', charged: 'no', recovery: 'fix_input' } },
      { type: 'processing' },
      { type: 'result', result: { outcome: 'succeeded' } },
    ]);
  });

  it('asks the page for a client secret if it has none, and sends nothing before', async () => {
    const { session, clock, requests, messages } = open({}, { clientSecret: { kind: 'ask' } });
    await clock.advance(1000);
    expect([requests, messages]).toEqual([[], [{ type: 'secret', anew: false }]]);
    session.receiveSecret('lg_cs_2');
    await clock.advance(0);
    expect(requests).toEqual(['retrieve']);
  });

  it('closed in the middle of a confirm, it aborts the request, clears the card and leaves no timer', async () => {
    let aborted = false;
    const { session, clock, form, channel } = open({
      confirm: [
        (signal) => {
          signal.addEventListener('abort', () => {
            aborted = true;
          });
          return never(signal);
        },
      ],
    });
    await clock.advance(1000);
    session.pay(SHOWN);
    await clock.advance(10);
    session.close();
    await clock.advance(0);
    expect([aborted, clock.waiting()]).toEqual([true, 0]);
    expect(form.clearCard).toHaveBeenCalled();
    expect(channel.close).toHaveBeenCalled();
  });

  it.each([
    [0, 'keeps', 0],
    [1, 'clears', 1],
  ])(
    'whose first intent is canceled after %i attempts %s what was typed of the card',
    async (attempts, _, cleared) => {
      const canceled = intentIs({ status: 'canceled', confirmation_attempts: attempts });
      const { clock, form, session, heard } = open(
        { retrieve: [canceled, intentIs({ id: 'lg_pi_2' })] },
        { canReplace: true },
      );
      await clock.advance(1000);
      session.receiveSecret('lg_cs_2');
      await clock.advance(1000);
      expect(session.view.peek()).toMatchObject({ action: { kind: 'pay' } });
      expect(form.clearCard).toHaveBeenCalledTimes(cleared);
      expect(heard().toSorted()).toEqual(['error', 'ready', 'secret']);
    },
  );

  it('marks no field, clears nothing and says nothing while nothing happens', async () => {
    const { clock, form, heard } = open();
    await clock.advance(60_000);
    expect([form.clearCard, form.clearCvc, form.markRefused].map(({ mock }) => mock.calls.length)).toEqual([
      0, 0, 0,
    ]);
    expect(heard()).toEqual(['ready']);
  });
});
