/** The shop's requests to the payment service, made with the secret key. */
import type { CardFormOptions } from '@partner/card-form';
import type { CreatePaymentIntent, ServiceClient } from '@partner/card-form/server';
import { type CartLine, price } from './goods.ts';
import type { ShopView } from './pages.ts';

/** An order. It does not change once placed, because one order must stay one payment. */
export type ShopOrder = {
  id: string;
  reference: string;
  view: ShopView;
  intent?: string;
  /** The id of the event that fulfilled the order. Set once, so that an order is fulfilled once. */
  fulfilledBy?: string;
};

/** The demo's only shipping address. */
export const SHIP_TO = {
  name: 'Ada Lovelace',
  address: { line1: '12 Orchard Lane', city: 'Portland', state: 'OR', postal_code: '97205', country: 'US' },
};

/** The buyer's details that the shop knows before the payment. */
const BUYER = { name: SHIP_TO.name, email: 'ada@example.com' };

/** Details that the order already has, so that the form doesn't ask for them. */
export const knownOf = ({ view: { cart } }: Pick<ShopOrder, 'view'>): CardFormOptions['defaultValues'] =>
  cart === 'digital'
    ? { billingDetails: BUYER }
    : { billingDetails: { ...BUYER, address: SHIP_TO.address }, sameAsShipping: true };

/** In minor units. */
const WRAPPING: CartLine = { name: 'Gift wrapping', quantity: 1, unit_amount: 500 };

/** The shop's payments. The client retries failures; a failure that remains rejects. */
export const createPayments = ({ paymentIntents }: Pick<ServiceClient, 'paymentIntents'>) => ({
  /** Creates the payment of an order. The idempotency key makes a repeat return the same payment. */
  create: ({ id, reference, view: { cart, currency } }: ShopOrder) => {
    const { lines, shipping, tax, total } = price(cart);
    const body: CreatePaymentIntent = {
      amount: total,
      currency,
      items: lines,
      shipping_amount: shipping,
      tax_amount: tax,
      order_reference: reference,
      buyer: { name: BUYER.name },
      ...(cart === 'digital' ? { goods_type: 'non_physical' } : { shipping_details: SHIP_TO }),
    };
    return paymentIntents.create(body, { idempotencyKey: `order-${id}` });
  },

  /** Adds gift wrapping to a payment. The form shows the new total after `refresh()`. */
  wrap: async (id: string, { view: { cart } }: ShopOrder): Promise<object> => {
    const { lines, total } = price(cart);
    const items = [...lines, WRAPPING];
    const { status } = await paymentIntents.update(id, { amount: total + WRAPPING.unit_amount, items });
    return { status };
  },

  /** The current state of a payment. */
  retrieve: (id: string) => paymentIntents.retrieve(id),
});
