import * as z from 'zod/mini';
import {
  CreatePaymentIntent,
  type ShippingDetailsInput,
  UpdatePaymentIntent,
} from '../../../api/requests.ts';
import type { PaymentIntent, ShippingDetails } from '../../../api/schemas.ts';
import { ListPaymentIntentsQuery } from '../../../api/server-schemas.ts';
import { isCountry } from '../../../form/address/countries.ts';
import { assertMayTakePayments } from '../accounts/accounts.ts';
import { priceOf } from '../accounts/fees.ts';
import { unixNow } from '../core/clock.ts';
import { RefusedRequest } from '../core/errors.ts';
import { pageOf, readQuery } from '../core/list-query.ts';
import { type CodeOf, parseBody } from '../core/validate.ts';
import type { Account, IntentRecord } from '../store/records.ts';
import { settleAll } from './current.ts';
import { withLineTotals } from './items.ts';
import type { PaymentService } from './payment-service.ts';
import { notPending } from './transitions.ts';
import { serverView } from './views.ts';

/** Fields whose rule violations have the code `invalid_payment_details` (contract S16.3). */
const PAYMENT_DETAILS: readonly PropertyKey[] = ['items', 'buyer', 'order_reference', 'shipping_details'];

/** Returns the most specific code of contract S16.3 for a field of create or update. */
const codeOf: CodeOf = (violation, [field], input) => {
  if (violation === 'missing' || violation === 'unknown') return 'validation_error';
  if (field === 'amount') {
    return violation === 'too_big' ? 'amount_too_large' : 'invalid_amount';
  }
  if (violation === 'wrong_type') return 'validation_error';
  if (field === 'currency' && typeof input === 'string') return 'unsupported_currency';
  return PAYMENT_DETAILS.includes(field ?? '') ? 'invalid_payment_details' : 'validation_error';
};

/** Parses and validates the body of create. */
export const parseCreate = (body: unknown): CreatePaymentIntent =>
  withRulesChecked(parseBody(CreatePaymentIntent, body, codeOf), body);

/** Parses and validates the body of update. */
export const parseUpdate = (body: unknown): UpdatePaymentIntent =>
  withRulesChecked(parseBody(UpdatePaymentIntent, body, codeOf), body);

/** Parses and validates a body that changes only the amount. */
export const parseAmountChange = (body: unknown): UpdatePaymentIntent =>
  parseBody(AmountChange, body, codeOf);
const AmountChange = z.strictObject({ amount: CreatePaymentIntent.shape.amount });

/** Checks the rules that the schema does not express. */
const withRulesChecked = <Body extends UpdatePaymentIntent>(parsed: Body, sent: unknown): Body => {
  const country = parsed.shipping_details?.address.country;
  if (country !== undefined && !isCountry(country)) {
    throw new RefusedRequest(
      'invalid_payment_details',
      '"shipping_details.address.country" must be the ISO 3166-1 alpha-2 code of a country; got two other letters.',
      { param: 'shipping_details.address.country' },
    );
  }
  // The schema drops this key silently, but a value that cannot be stored must be refused.
  const metadata = WithMetadata.safeParse(sent);
  if (metadata.success && Object.hasOwn(metadata.data.metadata, '__proto__')) {
    throw new RefusedRequest('validation_error', '"metadata" cannot have a key named __proto__. Rename it.', {
      param: 'metadata',
    });
  }
  return parsed;
};

const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null;
const WithMetadata = z.object({ metadata: z.custom<object>(isRecord) });

/** Creates an intent for an account (contract S7.1 to S7.5) and returns it. */
export const createIntent = (
  service: PaymentService,
  account: Account,
  body: CreatePaymentIntent,
): IntentRecord => {
  assertMayTakePayments(account);
  assertMaySell(account, body.goods_type);
  const price = priceOf(body.amount, account.feeSchedule, account.feeBearer);
  const intent: IntentRecord = {
    id: service.newId('lg_pi_'),
    client_secret: service.newId('lg_cs_'),
    account: account.id,
    status: 'pending',
    currency: body.currency,
    ...price,
    amount_refunded: 0,
    confirmation_attempts: 0,
    description: body.description ?? null,
    metadata: body.metadata ?? {},
    order_reference: body.order_reference ?? null,
    goods_type: body.goods_type ?? 'physical',
    buyer: body.buyer ?? null,
    shipping_details: completeShipping(body.shipping_details),
    items: withLineTotals(body.items),
    shipping_amount: body.shipping_amount ?? 0,
    tax_amount: body.tax_amount ?? 0,
    discount_amount: body.discount_amount ?? 0,
    billing_details: null,
    created: unixNow(service),
    succeeded_at: null,
    unlock_schedule: [],
    last_payment_error: null,
    settlement: null,
    attempt: null,
    playedOnce: [],
    refundsRefused: false,
  };
  service.store.intents.set(intent.id, intent);
  service.ledger.addIntent(intent);
  return intent;
};

/**
 * Updates a pending intent with all the fields sent, or none (contract S8.3).
 *
 * Ours, where not shown: only a pending intent can be changed; a new amount or currency is priced with the account's
 * current fees; metadata is replaced, not merged.
 */
export const updateIntent = (
  { ledger }: Pick<PaymentService, 'ledger'>,
  account: Account,
  intent: IntentRecord,
  body: UpdatePaymentIntent,
): void => {
  if (intent.status !== 'pending') throw notPending(intent.status);
  assertMaySell(account, body.goods_type);
  const changesCurrency = body.currency !== undefined && body.currency !== intent.currency;
  if (changesCurrency && body.items === undefined) {
    throw new RefusedRequest(
      'invalid_payment_details',
      '"items" must be sent again when the currency changes, since their prices were in the other one.',
      { param: 'items' },
    );
  }
  const reprices = body.amount !== undefined || body.currency !== undefined;
  const price = reprices ? priceOf(body.amount ?? intent.amount, account.feeSchedule, account.feeBearer) : {};

  ledger.change(intent, {
    ...price,
    ...(body.currency === undefined ? {} : { currency: body.currency }),
    ...(body.description === undefined ? {} : { description: body.description }),
    ...(body.metadata === undefined ? {} : { metadata: body.metadata ?? {} }),
    ...(body.order_reference === undefined ? {} : { order_reference: body.order_reference }),
    ...(body.goods_type === undefined ? {} : { goods_type: body.goods_type }),
    ...(body.buyer === undefined ? {} : { buyer: body.buyer }),
    ...(body.shipping_details === undefined
      ? {}
      : { shipping_details: completeShipping(body.shipping_details) }),
    ...(body.items === undefined ? {} : { items: withLineTotals(body.items) }),
    ...(body.shipping_amount === undefined ? {} : { shipping_amount: body.shipping_amount }),
    ...(body.tax_amount === undefined ? {} : { tax_amount: body.tax_amount }),
    ...(body.discount_amount === undefined ? {} : { discount_amount: body.discount_amount }),
  });
};

const assertMaySell = (account: Account, goods: CreatePaymentIntent['goods_type']): void => {
  if (goods !== 'non_physical' || account.nonPhysicalGoods) return;
  throw new RefusedRequest(
    'non_physical_goods_not_allowed',
    'The account may not sell non-physical goods. Send "goods_type": "physical", or have the account allowed.',
    { param: 'goods_type' },
  );
};

/** Adds the missing keys as null: the output has every key (contract S3.4). */
const completeShipping = (sent: ShippingDetailsInput | null | undefined): ShippingDetails | null => {
  if (sent === null || sent === undefined) return null;
  const { address } = sent;
  return {
    name: sent.name,
    phone: sent.phone ?? null,
    address: {
      line1: address.line1,
      line2: address.line2 ?? null,
      city: address.city ?? null,
      state: address.state ?? null,
      postal_code: address.postal_code ?? null,
      country: address.country,
    },
  };
};

/** A page of the account's intents, newest first (contract S8.2). */
export const listIntents = (
  service: PaymentService,
  account: Account,
  params: URLSearchParams,
): { object: 'list'; data: PaymentIntent[]; has_more: boolean } => {
  const query = parseBody(ListPaymentIntentsQuery, readQuery(params));
  settleAll(service);
  const { ledger, store } = service;
  const own = {
    kind: 'payment intent',
    items: ledger.intents(account.id, query.order_reference),
    find: (id: string) => {
      const intent = store.intents.get(id);
      return intent?.account === account.id ? intent : undefined;
    },
    placeOf: ledger.placeOf,
  };
  const { page, has_more } = pageOf(own, query);
  return { object: 'list', data: page.map(serverView), has_more };
};
