/** Calls to the service made by the checks of the server routes. */
import type { HttpResponse } from '../../api/command/http.ts';
import { SERVER_ROUTES } from '../../api/routes.ts';
import { List, PaymentIntent } from '../../api/schemas.ts';
import { Mismatch, Skipped } from './context.ts';
import { answered, type ServerContext } from './server-context.ts';

export const ITEM = { name: 'Conformance', quantity: 1.5, unit_amount: 667 };
export const ORDER_TO_CHECK = { amount: 1001, currency: 'usd', items: [ITEM] };

export const create = (
  context: ServerContext,
  body: object | string = ORDER_TO_CHECK,
  idempotencyKey?: string,
) =>
  context.call('POST', SERVER_ROUTES.paymentIntents, {
    body,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  });

/** Parses an answer with its schema. */
export const readAs = <Value>(
  response: HttpResponse,
  schema: {
    safeParse(
      value: unknown,
    ): { success: true; data: Value } | { success: false; error: { issues: readonly object[] } };
  },
): Value => {
  const parsed = schema.safeParse(answered(response));
  if (parsed.success) return parsed.data;
  throw new Mismatch('every field of the object', JSON.stringify(parsed.error.issues).slice(0, 300));
};

export const created = async (context: ServerContext, body: object = ORDER_TO_CHECK, key?: string) =>
  readAs(await create(context, body, key), PaymentIntent);

export const pathOf = (id: string): string => SERVER_ROUTES.paymentIntent.replace(':id', id);
export const retrievedIntent = async (context: ServerContext, id: string) =>
  readAs(await context.call('GET', pathOf(id)), PaymentIntent);
export const list = async (context: ServerContext, query: string) =>
  readAs(await context.call('GET', `${SERVER_ROUTES.paymentIntents}?${query}`), List(PaymentIntent));

/** A key or reference unique to this check and this run. */
export const named = ({ options }: ServerContext, what: string): string => `${options.run}-${what}`;

export const paidIntent = async (context: ServerContext) => {
  const { refundOf } = context.options;
  if (refundOf === null) throw new Skipped('needs --refund-of <id>, which is refunded in part');
  const intent = await retrievedIntent(context, refundOf);
  if (intent.status !== 'succeeded') throw new Skipped(`the payment is ${intent.status}`);
  return intent;
};
