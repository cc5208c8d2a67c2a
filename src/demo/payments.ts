/** The shop's requests to the payment service, made with the secret key. */
import type { CreatePaymentIntent, ServiceClient } from '@partner/card-form/server';
import { type Line, price } from './goods.ts';
import type { View } from './pages.ts';

/** An order. It does not change once placed, because one order must stay one payment. */
export type Order = {
  id: string;
  reference: string;
  view: View;
  intent?: string;
  /** The id of the event that had the order fulfilled. Set once, so that an order is fulfilled once. */
  fulfilledBy?: string;
};

/** The one shipping address of the demo. */
export const SHIP_TO = {
  name: 'Ada Lovelace',
  address: { line1: '12 Orchard Lane', city: 'Portland', state: 'OR', postal_code: '97205', country: 'US' },
};

/** In minor units. */
const WRAPPING: Line = { name: 'Gift wrapping', quantity: 1, unit_amount: 500 };

/** The shop's payments. What fails is tried again by the client; what still fails rejects. */
export const createPayments = ({ paymentIntents }: Pick<ServiceClient, 'paymentIntents'>) => ({
  /** Creates the payment of an order. The idempotency key makes a repeat return the same payment. */
  create: ({ id, reference, view: { cart, currency } }: Order) => {
    const { lines, shipping, tax, total } = price(cart);
    const body: CreatePaymentIntent = {
      amount: total,
      currency,
      items: lines,
      shipping_amount: shipping,
      tax_amount: tax,
      order_reference: reference,
      buyer: { name: SHIP_TO.name },
      ...(cart === 'digital' ? { goods_type: 'non_physical' } : { shipping_details: SHIP_TO }),
    };
    return paymentIntents.create(body, { idempotencyKey: `order-${id}` });
  },

  /** Adds gift wrapping to a payment. The form shows the new total after `refresh()`. */
  wrap: async (id: string, { view: { cart } }: Order): Promise<object> => {
    const { lines, total } = price(cart);
    const items = [...lines, WRAPPING];
    const { status } = await paymentIntents.update(id, { amount: total + WRAPPING.unit_amount, items });
    return { status };
  },

  /** The current state of a payment. */
  retrieve: (id: string) => paymentIntents.retrieve(id),
});
