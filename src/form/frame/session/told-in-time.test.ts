/** promises 1.11: the messages to the page after a press, and their times in ms. */
import { describe, expect, it } from 'vitest';
import { type Answer, DECLINED_BODY, intentIs, jsonResponse, never, open, SHOWN } from './session.fixture.ts';

/** The service after the only attempt was declined. */
const LAST = { confirmation_attempts: 1, attempts_left: 0, attempt_in_progress: false } as const;
const ONE_LEFT = { confirmation_attempts: 0, attempts_left: 1, attempt_in_progress: false } as const;
const fails: Answer = () => {
  throw new TypeError('fetch failed');
};

describe('promises 1.11: after `processing` the page learns the outcome when the buyer does', () => {
  it('the last attempt is declined, and another intent is requested: decline at once, without a second read', async () => {
    const { session, clock, requests, heard } = open(
      {
        retrieve: [intentIs(ONE_LEFT), intentIs(LAST)],
        confirm: [() => jsonResponse(402, DECLINED_BODY)],
        release: [intentIs(LAST)],
      },
      { canReplace: true },
    );
    await clock.advance(1000);
    session.pay(SHOWN);
    await clock.advance(0);
    expect(requests).toEqual(['retrieve', 'confirm', 'release', 'retrieve']);
    expect(heard()).toEqual(['ready', 'processing', 'decline', 'error', 'secret']);
  });

  it('the last attempt is declined, and a service does not say whether one runs: decline with the first read', async () => {
    const silent = { ...LAST, attempt_in_progress: null };
    const { session, clock, messages, heard } = open({
      retrieve: [intentIs(ONE_LEFT), intentIs(silent)],
      confirm: [() => jsonResponse(402, DECLINED_BODY)],
      release: [intentIs(silent)],
    });
    await clock.advance(1000);
    session.pay(SHOWN);
    await clock.advance(0);
    expect(heard()).toEqual(['ready', 'processing', 'decline']);
    expect(messages.at(-1)).toMatchObject({ error: { charged: 'no' } });
    // Nothing can be typed, so the form does not ask for another card.
    expect(session.view.peek()).toMatchObject({
      locked: true,
      notices: [{ message: { key: 'notice.declined' } }],
    });
    await clock.advance(6000);
    expect(heard()).toEqual(['ready', 'processing', 'decline', 'result']);
  });

  it('the total changed under a confirm: error with review_amount, then amountchange', async () => {
    const updated = { error: { type: 'api_error', code: 'payment_intent_updated', message: 'Changed.' } };
    const { session, clock, messages, heard } = open({
      retrieve: [intentIs(), intentIs({ amount_total: 1334 })],
      confirm: [() => jsonResponse(409, updated)],
    });
    await clock.advance(1000);
    session.pay(SHOWN);
    await clock.advance(1000);
    expect(heard()).toEqual(['ready', 'processing', 'error', 'amountchange']);
    expect(messages[2]).toMatchObject({ error: { recovery: 'review_amount', charged: 'no' } });
    // The buyer sees only the notice about the new total.
    expect(session.view.peek()).toMatchObject({ notices: [{ message: { key: 'notice.total_changed' } }] });
  });

  it('reads fail after the last decline: never ready without an attempt left', async () => {
    const { session, clock, heard } = open({
      retrieve: [intentIs(ONE_LEFT), fails, fails, fails, fails, fails, intentIs(LAST)],
      confirm: [() => jsonResponse(402, DECLINED_BODY)],
      release: [intentIs(LAST)],
    });
    const seen = new Set<string>();
    await clock.advance(1000);
    session.pay(SHOWN);
    session.state.subscribe(({ status }) => void seen.add(status));
    await clock.advance(120_000);
    expect([...seen]).not.toContain('ready');
    expect(heard()).toEqual(['ready', 'processing', 'decline', 'result']);
    expect(session.state.peek().status).toBe('exhausted');
  });

  it('a wait after a 429 ends with the form: its outcome is still to be reported', async () => {
    const limited: Answer = () =>
      new Response('{"error":{"type":"rate_limit_error","code":"rate_limited","message":"Wait."}}', {
        status: 429,
        headers: { 'Content-Type': 'application/json', 'Retry-After': '30' },
      });
    const { session, clock } = open({ confirm: [limited] });
    await clock.advance(1000);
    session.pay(SHOWN);
    await clock.advance(1000);
    expect([session.state.peek().status, session.isAwaitingOutcome.peek()]).toEqual(['throttled', true]);
    await clock.advance(30_000);
    expect([session.state.peek().status, session.isAwaitingOutcome.peek()]).toEqual(['ready', false]);
  });

  it('outcomes 2.4: a form mounted after one that was unmounted during a press says no only about its own press', async () => {
    const earlier = open({ confirm: [never] });
    await earlier.clock.advance(1000);
    earlier.session.pay(SHOWN);
    await earlier.clock.advance(1000);
    // The loader reports the result `unknown` for a form that is removed in this state.
    expect(earlier.session.isAwaitingOutcome.peek()).toBe(true);
    earlier.session.close();

    const { session, clock, messages, heard } = open({
      retrieve: [intentIs(), intentIs({ confirmation_attempts: 1 })],
      confirm: [() => jsonResponse(402, DECLINED_BODY)],
      release: [intentIs({ confirmation_attempts: 1 })],
    });
    await clock.advance(1000);
    session.pay(SHOWN);
    await clock.advance(1000);
    expect(heard()).toEqual(['ready', 'processing', 'decline']);
    expect(messages.at(-1)).toMatchObject({ error: { charged: 'no' } });
    expect(session.isAwaitingOutcome.peek()).toBe(false);
  });
});
