/**
 * The fake's payment service: the client routes of one payment intent per client secret, with the service's answers
 * (contract 3.1 to 3.3). The test decides the outcome of a confirm, before it is sent or while it is open.
 */
import { TextEncoder } from 'node:util';
import type { ClientOptions } from '../../api/client.ts';
import { errorType } from '../../api/errors.ts';
import type { Money } from '../../api/money.ts';
import type { ReadableAnswer } from '../../api/read-json.ts';
import { CLIENT_ROUTES } from '../../api/routes.ts';
import type { ClientPaymentIntent } from '../../api/schemas.ts';

/** The outcome of the next confirm. */
export type FakeOutcome =
  | { kind: 'succeeded' }
  | { kind: 'declined'; declineCode: string }
  /** No request gets an answer from now on. */
  | { kind: 'silent' };

export type FakeService = {
  fetch: NonNullable<ClientOptions['fetch']>;
  /** Answers the open confirm, or the next one. */
  decide(outcome: FakeOutcome): void;
  /** Changes the total of every pending intent, in minor units. */
  changeAmount(amountTotal: number): void;
};

/** The sandbox's limit (contract 6.2). */
const MOST_ATTEMPTS = 5;

export const createFakeService = (first: Money): FakeService => {
  let total = first.amount;
  const intents = new Map<string, ClientPaymentIntent>();
  let decide = (_: FakeOutcome) => {};
  const next = () =>
    new Promise<FakeOutcome>((resolve) => {
      decide = resolve;
    });
  let decided = next();
  let isSilent = false;

  const intentOf = (secret: string): ClientPaymentIntent => {
    const intent =
      intents.get(secret) ?? created(`lg_pi_fake${intents.size + 1}`, { ...first, amount: total });
    intents.set(secret, intent);
    return intent;
  };

  const confirm = async (intent: ClientPaymentIntent, shown: unknown) => {
    if (shown !== intent.amount_total) return refusal('payment_intent_updated', 409);
    if (intent.status !== 'pending' || intent.attempts_left === 0)
      return refusal('payment_intent_not_pending', 400);
    intent.confirmation_attempts = (intent.confirmation_attempts ?? 0) + 1;
    intent.attempts_left = MOST_ATTEMPTS - intent.confirmation_attempts;
    intent.attempt_in_progress = true;
    const outcome = await decided;
    decided = next();
    if (outcome.kind === 'silent') {
      isSilent = true;
      throw new TypeError('Failed to fetch');
    }
    intent.attempt_in_progress = false;
    if (outcome.kind === 'succeeded') {
      intent.status = 'succeeded';
      intent.succeeded_at = intent.created;
      return json(200, intent);
    }
    const error = errorOf('payment_method_declined', outcome.declineCode);
    intent.last_payment_error = error;
    return json(402, { error });
  };

  return {
    async fetch(input, init) {
      if (isSilent) throw new TypeError('Failed to fetch');
      const body = JSON.parse(`${init.body}`);
      const intent = intentOf(body.client_secret);
      return input.endsWith(CLIENT_ROUTES.confirm) ? confirm(intent, body.amount_total) : json(200, intent);
    },
    decide: (outcome) => decide(outcome),
    changeAmount(amountTotal) {
      total = amountTotal;
      for (const intent of intents.values()) {
        if (intent.status !== 'pending') continue;
        intent.amount = amountTotal;
        intent.amount_total = amountTotal;
      }
    },
  };
};

const created = (id: string, { amount, currency }: Money): ClientPaymentIntent => ({
  id,
  object: 'payment_intent',
  status: 'pending',
  currency,
  amount,
  fee_buyer: 0,
  amount_total: amount,
  confirmation_attempts: 0,
  attempts_left: MOST_ATTEMPTS,
  attempt_in_progress: false,
  missing_details: [],
  description: null,
  items: null,
  shipping_amount: null,
  tax_amount: null,
  discount_amount: null,
  items_difference: null,
  created: 1_700_000_000,
  succeeded_at: null,
  last_payment_error: null,
});

const errorOf = (
  code: 'payment_method_declined' | 'payment_intent_updated' | 'payment_intent_not_pending',
  declineCode: string | null,
) => ({
  type: errorType(code),
  code,
  message: 'As the test decided.',
  param: null,
  decline_code: declineCode,
});

const refusal = (code: Parameters<typeof errorOf>[0], status: number) =>
  json(status, { error: errorOf(code, null) });

/** Not a `Response`, which jsdom pages in Jest lack. */
const json = (status: number, body: unknown): ReadableAnswer => {
  const headers: Readonly<Record<string, string>> = {
    'Content-Type': 'application/json',
    Date: new Date().toUTCString(), // contract 3.8
  };
  const parts = [new TextEncoder().encode(JSON.stringify(body))].values();
  const cancel = async () => {};
  const read = async () => parts.next();
  return {
    status,
    headers: { get: (name) => headers[name] ?? null },
    body: { cancel, getReader: () => ({ read, cancel }) },
  };
};
