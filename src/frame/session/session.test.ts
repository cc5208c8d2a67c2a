import { signal } from '@preact/signals';
import { describe, expect, it, vi } from 'vitest';
import { exampleDetails } from '../../api/confirm-details.fixture.ts';
import { createManualClock } from '../../api/manual-clock.ts';
import { CLIENT_ROUTES } from '../../api/routes.ts';
import type { FrameMessage } from '../../channel/messages.ts';
import { exampleIntent } from '../../payment/payment.fixture.ts';
import type { Intent } from '../../payment/payment-state.ts';
import { createSession, type SessionDeps } from './session.ts';

const SHOWN = { amount: 1234, currency: 'usd' } as const;
const DECLINED = { error: { type: 'card_error', code: 'payment_method_declined', message: 'Declined.' } };

type Route = keyof typeof CLIENT_ROUTES;
type Answer = (signal: AbortSignal) => Response | Promise<Response>;

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
const intentIs =
  (different: Partial<Intent> = {}): Answer =>
  () =>
    json(200, exampleIntent(different));
/** Rejects only when the request is aborted. */
const never: Answer = (signal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));

class FakeChannel {
  onmessage: ((event: { data: string }) => void) | null = null;
  postMessage = vi.fn();
  close = vi.fn();
}

/** A session with a service that answers each route as told; a route is answered by its last answer ever after. */
const open = (
  answers: Partial<Record<Route, readonly Answer[]>> = {},
  changes: Partial<SessionDeps> = {},
) => {
  const clock = createManualClock(3);
  const left: Record<Route, Answer[]> = {
    retrieve: [...(answers.retrieve ?? [intentIs()])],
    confirm: [...(answers.confirm ?? [never])],
    release: [...(answers.release ?? [intentIs()])],
  };
  const requests: Route[] = [];
  const messages: FrameMessage[] = [];
  const form = {
    details: vi.fn<SessionDeps['form']['details']>(() => exampleDetails()),
    cardNumber: () => '4242424242424242',
    clearCard: vi.fn(),
    clearCvc: vi.fn(),
    markRefused: vi.fn(),
  };
  const channel = new FakeChannel();
  const session = createSession({
    service: {
      baseUrl: 'https://pay.example',
      publishableKey: 'pk_live_1',
      async fetch(input, init) {
        const route = (['retrieve', 'confirm', 'release'] as const).find((name) =>
          String(input).endsWith(CLIENT_ROUTES[name]),
        );
        if (!route) throw new Error(`No route of the client: ${input}`);
        requests.push(route);
        const [answer = never, ...others] = left[route];
        if (others.length > 0) left[route] = others;
        return answer(init?.signal ?? new AbortController().signal);
      },
    },
    clientSecret: { kind: 'given', value: 'lg_cs_1' },
    canReplace: false,
    form,
    lifecycle: { online: signal(true), isAwake: () => true, listen: () => undefined },
    tabs: { locks: undefined, openChannel: () => Object.setPrototypeOf(channel, null) },
    network: { diagnose: (send) => send() },
    clock,
    random: () => 0.5,
    post: (message) => messages.push(message),
    onFailure: () => undefined,
    onDefect: (defect) => {
      throw defect;
    },
    ...changes,
  });
  const heard = () => messages.map((message) => message.type);
  return { session, clock, requests, messages, heard, form, channel };
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

  it('releases after a 402, reads, and forgets the security code; the page hears of the decline once', async () => {
    const { session, clock, requests, heard, form } = open({ confirm: [() => json(402, DECLINED)] });
    await clock.advance(1000);
    session.pay(SHOWN);
    await clock.advance(1000);
    expect(requests).toEqual(['retrieve', 'confirm', 'release', 'retrieve']);
    expect(heard()).toEqual(['ready', 'processing', 'decline']);
    expect(form.clearCvc).toHaveBeenCalled();
    expect(form.clearCard).not.toHaveBeenCalled();
  });

  it('awaits the outcome from the confirm until the page has heard it, whatever is asked meanwhile', async () => {
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
    ['a decline', () => json(402, DECLINED), 'decline'],
    ['success', intentIs({ status: 'succeeded', succeeded_at: 1 }), 'result'],
  ])('awaits nothing after %s was told', async (_, answer, told) => {
    const { session, clock, heard } = open({ confirm: [answer] });
    await clock.advance(1000);
    session.pay(SHOWN);
    await clock.advance(1000);
    expect([heard().at(-1), session.isAwaitingOutcome.peek()]).toEqual([told, false]);
  });

  it('does not await an outcome while an intent is only read again', async () => {
    const { session, clock } = open({ retrieve: [intentIs(), never] });
    await clock.advance(1000);
    session.refresh();
    expect(session.state.peek().status).toBe('reloading');
    expect(session.isAwaitingOutcome.peek()).toBe(false);
  });

  it('forgets card and client secret after success, and tells the other tabs', async () => {
    const { session, clock, requests, form, channel } = open({
      confirm: [intentIs({ status: 'succeeded', succeeded_at: 1 })],
    });
    await clock.advance(1000);
    session.pay(SHOWN);
    await clock.advance(1000);
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
    const { session, clock, form } = open({ confirm: [() => json(400, refused)] });
    await clock.advance(1000);
    session.pay(SHOWN);
    await clock.advance(1000);
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
      confirm: [() => json(400, refused), intentIs({ status: 'succeeded', succeeded_at: 1 })],
    });
    await clock.advance(1000);
    session.pay(SHOWN);
    await clock.advance(1000);
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
