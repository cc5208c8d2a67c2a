/**
 * The rules of the server routes (contract 5, S1, S7 to S11 and S16). Payments are created and never paid. Only the
 * refund checks move money, and only from the payment named by `refundOf`.
 */
import { createPublicKey, verify } from 'node:crypto';
import type { HttpResponse } from '../../api/command/http.ts';
import * as LIMITS from '../../api/limits.ts';
import { SERVER_ROUTES } from '../../api/routes.ts';
import { FeeQuote, List, PaymentIntent, WebhookSigningKey } from '../../api/schemas.ts';
import { type ConformanceCheck, checks, checksOf, type Rows } from './check.ts';
import { expectedDifference, findItemProblem } from './client-view.ts';
import {
  expectRefused,
  expectRetryAfter,
  expectSame,
  Mismatch,
  retryAfterSeconds,
  Skipped,
} from './context.ts';
import { expectNoCardNumber, FINAL_CHECKS } from './history.ts';
import { answerOverLimit } from './rate-limit.ts';
import {
  create,
  created,
  ITEM,
  list,
  named,
  ORDER_TO_CHECK,
  paidIntent,
  pathOf,
  readAs,
  retrievedIntent,
} from './server-calls.ts';
import type { ServerConformanceOptions, ServerContext } from './server-context.ts';
import { SERVER_MONEY_CHECKS } from './server-money-checks.ts';

/**
 * Changes to a create body, or whole bodies, that are refused, by code. The smallest total includes the fees that the
 * buyer bears.
 */
const REFUSED_BODIES: Rows<Rows<object | string>> = {
  validation_error: {
    'unknown-field: S1.6: an unknown field is refused': { colour: 'red' },
    'broken-json: S16.3: broken JSON is refused': '{"amount":',
    'wrong-type: 5.8: a field of the wrong type is refused': { order_reference: 5 },
    'no-items: S7.7: items are required': { items: undefined },
    'description-long: S17.11: a description': { description: 'x'.repeat(LIMITS.description + 1) },
    'metadata-long: S17.12: metadata': { metadata: { a: 'x'.repeat(LIMITS.metadataValue + 1) } },
  },
  invalid_amount: {
    'amount-zero: S16.3: an amount of 0 is refused': { amount: 0 },
    'amount-fraction: S1.4: an amount is an integer': { amount: 10.5 },
  },
  amount_too_small: { 'total-small: S17.6: the smallest total': { amount: 1 } },
  amount_too_large: { 'total-large: S17.7: the largest total': { amount: LIMITS.largestAmount + 1 } },
  unsupported_currency: { 'currency: S16.3: usd and eur only': { currency: 'gbp' } },
  invalid_payment_details: {
    'items-many: S17.8: at most 100 items': { items: Array(LIMITS.items + 1).fill(ITEM) },
    'quantity-zero: S17.9: a quantity is above 0': { items: [{ ...ITEM, quantity: 0 }] },
    'quantity-decimals: S17.9: at most 3 decimals': { items: [{ ...ITEM, quantity: 0.0001 }] },
    'reference-long: S17.10: an order reference': { order_reference: 'x'.repeat(LIMITS.orderReference + 1) },
  },
};

const LIST = SERVER_ROUTES.paymentIntents;

/** Paths that are refused, by code. */
const REFUSED_READS: Rows<Rows<string>> = {
  payment_intent_not_found: { 'retrieve-unknown: S16.3: payment_intent_not_found': pathOf('lg_pi_none') },
  refund_not_found: {
    'refund-unknown: S16.3: refund_not_found': SERVER_ROUTES.refund.replace(':id', 'lg_re_none'),
  },
  validation_error: {
    'pages-unknown: S10.1: an id after which nothing can follow is refused, as the list would begin again': `${LIST}?starting_after=lg_pi_none`,
    ...Object.fromEntries(
      ['0', '101', 'x'].map((limit) => [
        `limit-${limit}: S17.13: a page size of ${limit} is refused`,
        `${LIST}?limit=${limit}`,
      ]),
    ),
  },
};

/** Keys that are refused, by code. */
const REFUSED_KEYS: Rows<Rows<(options: ServerConformanceOptions) => string | null>> = {
  invalid_api_key: {
    'no-key: S16.3: invalid_api_key without a key': () => null,
    'unknown-key: S16.3: invalid_api_key for an unknown key': () => `sk_live_${'0'.repeat(32)}`,
    'publishable-key: S11.2: server routes refuse a key that starts with pk_live_': ({ secretKey }) =>
      secretKey.replace(/^sk/, 'pk'),
  },
  api_key_revoked: {
    'revoked-key: S11.4: api_key_revoked': ({ revokedSecretKey }) => {
      if (revokedSecretKey === null) throw new Skipped('needs --revoked-secret-key');
      return revokedSecretKey;
    },
  },
};

/** One check per row: runs the same function on all rows and expects the code they are listed under. */
const byCode = <Row>(
  table: Rows<Rows<Row>>,
  answerOf: (row: Row, context: ServerContext) => Promise<HttpResponse>,
) =>
  Object.entries(table).flatMap(([code, rows]) =>
    checksOf(rows, async (row, context: ServerContext) => expectRefused(await answerOf(row, context), code)),
  );

/** A body with every field of create, as a payment shows them. */
const everyField = (context: ServerContext) => ({
  ...ORDER_TO_CHECK,
  shipping_amount: 500,
  tax_amount: 77,
  discount_amount: 33,
  goods_type: 'physical',
  buyer: { name: 'Ada Byron' },
  order_reference: named(context, 'whole'),
  shipping_details: {
    name: 'Ada Byron',
    phone: '020 7946 0000',
    address: {
      line1: '12 St James Square',
      line2: null,
      city: 'London',
      state: null,
      postal_code: 'SW1Y 4JH',
      country: 'GB',
    },
  },
  description: 'Two mugs',
  metadata: { colour: 'red', size: 'M' },
});

/** Requests a minute (contract S17.1). */
const LIMIT = 1200;

export const SERVER_CHECKS: readonly ConformanceCheck<ServerContext>[] = [
  ...checks<ServerContext>({
    'created: S3.1: create answers with every field, and with the client secret': async (context) => {
      const { id, client_secret = '', status } = await created(context);
      if (!id.startsWith('lg_pi_') || !client_secret.startsWith('lg_cs_'))
        throw new Mismatch('an id lg_pi_… and a client secret lg_cs_…', `${id} and a secret of another form`);
      expectSame('status', status, 'pending');
    },
    'created-whole: S3.1: a payment has what was sent to create, in the answer and in every read': async (
      context,
    ) => {
      const sent = everyField(context);
      const made = await created(context, sent);
      const shown = (intent: PaymentIntent) =>
        Object.fromEntries(Object.keys(sent).map((field) => [field, Reflect.get(intent, field)]));
      const expected = { ...sent, items: [{ ...ITEM, amount: 1001 }] };
      expectSame('the answer', shown(made), expected);
      expectSame('the payment read', shown(await retrievedIntent(context, made.id)), expected);
    },
    'money: S3.1 and S6.4: total, fees and refundable amount follow from each other': async (context) => {
      const { amount, amount_total, fee_buyer, processing_fee, bank_fee, fee_bearer, amount_refundable } =
        await created(context);
      expectSame('amount', amount, ORDER_TO_CHECK.amount);
      expectSame('fee_buyer', fee_buyer, fee_bearer === 'buyer' ? processing_fee + bank_fee : 0);
      expectSame('amount_total', amount_total, amount + fee_buyer);
      expectSame('amount_refundable', amount_refundable, 0);
    },
    'money-items: S3.5: a line is unit_amount x quantity, rounded half up once; items_difference is the rest':
      async (context) => {
        const intent = await created(context);
        const wrong = findItemProblem(intent.items);
        if (wrong !== null) throw new Mismatch(...wrong);
        expectSame('items_difference', intent.items_difference, expectedDifference(intent));
      },
    'money-quote: 5.3: a fee quote has the fees of a payment of this amount': async (context) => {
      const { amount, currency } = ORDER_TO_CHECK;
      const quote = readAs(
        await context.call('POST', SERVER_ROUTES.feeQuotes, { body: { amount, currency } }),
        FeeQuote,
      );
      const { processing_fee, bank_fee, amount_total } = await created(context);
      expectSame(
        'the fees',
        [quote.processing_fee, quote.bank_fee, quote.amount_total],
        [processing_fee, bank_fee, amount_total],
      );
    },
    'retrieve: S8.1: retrieve answers with the same payment, without the client secret': async (context) => {
      const { client_secret: _, ...made } = await created(context);
      expectSame('the payment', await retrievedIntent(context, made.id), made);
    },
    'update: 5.1 and S8.3: update changes the amount and reprices it': async (context) => {
      const { id } = await created(context);
      const response = await context.call('POST', pathOf(id), { body: { amount: 2002 } });
      const { amount, amount_total, fee_buyer } = readAs(response, PaymentIntent);
      expectSame('amount and total', [amount, amount_total], [2002, 2002 + fee_buyer]);
      expectSame('the amount read', (await retrievedIntent(context, id)).amount, 2002);
    },
    'update-rest: S8.3: update leaves the fields that were not sent, and null clears those that may be null':
      async (context) => {
        const { client_secret: _, ...made } = await created(context, everyField(context));
        const changes = [{ description: 'Three mugs' }, { buyer: null }, { amount: made.amount }];
        for (const change of changes) {
          const expected = Object.assign(made, change);
          const answer = readAs(await context.call('POST', pathOf(made.id), { body: change }), PaymentIntent);
          const what = `the payment after an update of ${Object.keys(change)}`;
          expectSame(what, answer, expected);
          expectSame(`${what}, read,`, await retrievedIntent(context, made.id), expected);
        }
      },
    'same-key: S9.2: the same key and body return the same payment and client secret, also at the same time':
      async (context) => {
        const reference = named(context, 'same');
        const body = { ...ORDER_TO_CHECK, order_reference: reference };
        const both = await Promise.all([
          created(context, body, reference),
          created(context, body, reference),
        ]);
        const ids = [...both, await created(context, body, reference)].map(({ id, client_secret }) => [
          id,
          client_secret,
        ]);
        expectSame('every answer', ids, Array(3).fill(ids[0]));
        const { data } = await list(context, `order_reference=${reference}`);
        expectSame('the number of payments', data.length, 1);
      },
    'same-key-other-body: S9.3: the same key with another body is refused': async (context) => {
      const key = named(context, 'other-body');
      await created(context, ORDER_TO_CHECK, key);
      expectRefused(
        await create(context, { ...ORDER_TO_CHECK, amount: 2002 }, key),
        'idempotency_key_reused',
      );
    },
    'same-key-other-route: S9.3 and S9.4: a key of a payment is refused on the route of refunds': async (
      context,
    ) => {
      const idempotencyKey = named(context, 'other-route');
      const { id } = await created(context, ORDER_TO_CHECK, idempotencyKey);
      const response = await context.call('POST', SERVER_ROUTES.refunds, {
        body: { payment_intent: id },
        idempotencyKey,
      });
      expectRefused(response, 'idempotency_key_reused');
    },
    'error-stores-nothing: S9.5: a request that ends in an error stores nothing under its key': async (
      context,
    ) => {
      const key = named(context, 'error');
      expectRefused(await create(context, { ...ORDER_TO_CHECK, amount: 0 }, key), 'invalid_amount');
      await created(context, ORDER_TO_CHECK, key);
    },
    'key-length: S17.14: an idempotency key has at most 255 characters': async (context) =>
      expectRefused(
        await create(context, ORDER_TO_CHECK, 'k'.repeat(LIMITS.idempotencyKey + 1)),
        'validation_error',
      ),
  }),
  ...byCode(REFUSED_BODIES, (change, context) =>
    create(context, typeof change === 'string' ? change : { ...ORDER_TO_CHECK, ...change }),
  ),
  ...byCode(REFUSED_READS, (path, context) => context.call('GET', path)),
  ...byCode(REFUSED_KEYS, (keyOf, { call, options }) => call('GET', LIST, { key: keyOf(options) })),
  ...checks<ServerContext>({
    'pages: S10.1: newest first, each payment on one page, has_more until the last': async (context) => {
      const reference = named(context, 'pages');
      const made: string[] = [];
      for (let count = 0; count < 3; count += 1)
        made.unshift((await created(context, { ...ORDER_TO_CHECK, order_reference: reference })).id);
      const first = await list(context, `order_reference=${reference}&limit=2`);
      const second = await list(context, `order_reference=${reference}&limit=2&starting_after=${made[1]}`);
      const shape = ({ data, has_more }: typeof first) => [data.map(({ id }) => id), has_more];
      expectSame(
        'the pages',
        [shape(first), shape(second)],
        [
          [made.slice(0, 2), true],
          [made.slice(2), false],
        ],
      );
    },
    'refund-unpaid: S4.4: a payment that has not succeeded cannot be refunded': async (context) => {
      const { id } = await created(context);
      expectRefused(
        await context.call('POST', SERVER_ROUTES.refunds, { body: { payment_intent: id } }),
        'payment_not_refundable',
      );
    },
    'refund-too-much: S6.3: never more than amount_refundable': async (context) => {
      const { id, amount_refundable } = await paidIntent(context);
      const body = { payment_intent: id, amount: amount_refundable + 1 };
      expectRefused(await context.call('POST', SERVER_ROUTES.refunds, { body }), 'refund_exceeds_remaining');
    },
  }),
  ...SERVER_MONEY_CHECKS,
  ...checks<ServerContext>({
    'signing-keys: 5.5 and 5.6: a list of Ed25519 public keys': async (context) => {
      const { data } = await signingKeys(context);
      if (data.length === 0) throw new Mismatch('at least one key', 'none');
      for (const { public_key_pem } of data) publicKey(public_key_pem);
    },
    'webhook: 5.6: a webhook is signed with a listed key over <t>.<endpoint>.<body>': async (context) => {
      const { webhook } = context.options;
      if (webhook === null) throw new Skipped('needs --webhook <file>');
      const [, t, kid, v1] =
        /^t=(\d{1,12}),kid=([^,\s]+),v1=([A-Za-z0-9+/]{86}==)$/.exec(webhook.signature) ?? [];
      if (t === undefined || v1 === undefined) throw new Mismatch('t=…,kid=…,v1=…', 'another form');
      const key = (await signingKeys(context)).data.find((one) => one.kid === kid);
      if (key === undefined) throw new Mismatch('a listed key', `the kid ${kid}`);
      const signed = Buffer.from(`${t}.${webhook.endpoint}.${webhook.body}`);
      if (!verify(null, signed, publicKey(key.public_key_pem), Buffer.from(v1, 'base64')))
        throw new Mismatch('a valid signature', 'another');
    },
    'rate-limit: S17.1 and S17.4: over the limit 429 with Retry-After': async (context) => {
      expectRetryAfter(context.exchanges);
      if (!context.options.exhaustRateLimit) throw new Skipped('needs --exhaust-rate-limit');
      const ask = () => context.callOnce('GET', SERVER_ROUTES.balance);
      const response = await answerOverLimit(LIMIT, ask, context.now);
      expectRefused(response, 'rate_limited');
      retryAfterSeconds(response);
    },
  }),
  ...FINAL_CHECKS,
  ...checks<ServerContext>({
    'no-card: 5.2: no answer and no webhook has a card number': async ({ exchanges, options }) =>
      expectNoCardNumber([...exchanges.map(({ response }) => response.text), options.webhook?.body ?? '']),
  }),
];

const signingKeys = async (context: ServerContext) =>
  readAs(await context.call('GET', SERVER_ROUTES.webhookSigningKeys), List(WebhookSigningKey));

const publicKey = (pem: string) => {
  const key = (() => {
    try {
      return createPublicKey(pem);
    } catch {
      return null;
    }
  })();
  if (key?.asymmetricKeyType !== 'ed25519')
    throw new Mismatch('an Ed25519 public key in PEM form', 'another');
  return key;
};
