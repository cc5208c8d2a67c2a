/**
 * Requests to the service as `curl` commands. On the page the secret key is a variable, `$SECRET_KEY`. It is fetched
 * only to be copied, so that it never appears on a screen.
 */
import { PLAYGROUND_MARK } from '../../api/routes.ts';
import type { PaymentIntent } from '../../api/schemas.ts';
import { fetchSecretKey } from './control-api.ts';

/** Quotes a text for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A request of the merchant's server to `path`, such as `/partner/v1/refunds`. */
export const curlOf = (origin: string, path: string, body?: object): string =>
  [
    `curl -s ${quoted(origin + path)}`,
    '-H "Authorization: Bearer $SECRET_KEY"',
    ...(body === undefined
      ? []
      : [
          "-H 'Content-Type: application/json'",
          ...(path.endsWith('s') ? ['-H "Idempotency-Key: $(date +%s)-$$"'] : []),
          `-d ${quoted(JSON.stringify(body))}`,
        ]),
  ].join(' \\\n  ');

/** An order with all details that the service requires before a buyer can pay. */
export const FIRST_ORDER = {
  amount: 2400,
  currency: 'usd',
  items: [{ name: 'Kenya Nyeri AA, 250 g', quantity: 1, unit_amount: 2400 }],
  order_reference: 'order-17',
  buyer: { name: 'Ada Lovelace' },
  shipping_details: {
    name: 'Ada Lovelace',
    address: { line1: '12 Orchard Lane', city: 'Portland', state: 'OR', postal_code: '97205', country: 'US' },
  },
};

/** The body of a create request for a payment like this one. */
export const bodyLike = (payment: PaymentIntent): object => ({
  amount: payment.amount,
  currency: payment.currency,
  items: payment.items.map(({ name, quantity, unit_amount }) => ({ name, quantity, unit_amount })),
  shipping_amount: payment.shipping_amount,
  tax_amount: payment.tax_amount,
  discount_amount: payment.discount_amount,
  goods_type: payment.goods_type,
  description: payment.description,
  // Without the playground's mark, which would hide the copy from the list.
  metadata: payment.metadata.made_by === PLAYGROUND_MARK.made_by ? {} : payment.metadata,
  order_reference: payment.order_reference,
  buyer: payment.buyer,
  shipping_details: payment.shipping_details,
});

/** The commands for a payment, each with its description. */
export const curlsFor = (
  origin: string,
  payment: PaymentIntent,
): readonly { text: string; command: string }[] => {
  const payments = '/partner/v1/payment_intents';
  return [
    { text: 'retrieve', command: curlOf(origin, `${payments}/${payment.id}`) },
    { text: 'create one like it', command: curlOf(origin, payments, bodyLike(payment)) },
    ...(payment.status === 'succeeded'
      ? [{ text: 'refund', command: curlOf(origin, '/partner/v1/refunds', { payment_intent: payment.id }) }]
      : []),
  ];
};

/** Inserts the secret key, so that the command runs wherever it is pasted. */
export const withSecretKey = async (command: string): Promise<string> =>
  command.replace('$SECRET_KEY', await fetchSecretKey());
