/** A session with a service that gives predefined answers, for tests. */
import { signal } from '@preact/signals';
import { vi } from 'vitest';
import { createManualClock } from '../../../api/clock/manual-clock.ts';
import { exampleDetails } from '../../../api/confirm-details.fixture.ts';
import { CLIENT_ROUTES, clientRoutes } from '../../../api/routes.ts';
import type { FrameMessage } from '../../channel/messages.ts';
import { exampleIntent } from '../../payment/payment.fixture.ts';
import type { Intent } from '../../payment/payment-state.ts';
import { createSession, type SessionDeps } from './session.ts';

export const SHOWN = { amount: 1234, currency: 'usd' } as const;
export const DECLINED_BODY = {
  error: { type: 'card_error', code: 'payment_method_declined', message: 'Declined.' },
};

export type Route = keyof typeof CLIENT_ROUTES;
export type Answer = (signal: AbortSignal) => Response | Promise<Response>;

export const jsonResponse = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
export const intentIs =
  (different: Partial<Intent> = {}): Answer =>
  () =>
    jsonResponse(200, exampleIntent(different));
/** Rejects only when the request is aborted. */
export const never: Answer = (signal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));

class FakeChannel {
  onmessage: ((event: { data: string }) => void) | null = null;
  postMessage = vi.fn();
  close = vi.fn();
}

/** A session with a service that answers each route with its answers in turn, then always with the last one. */
export const open = (
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
        const route = clientRoutes().find((name) => String(input).endsWith(CLIENT_ROUTES[name]));
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
