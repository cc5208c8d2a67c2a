/** The shop's requests to the payment service, made with the secret key. */
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

/** The fields of a payment intent that the shop reads. */
export type Intent = { id: string; status: string; client_secret?: string };

/** The one shipping address of the demo. */
export const SHIP_TO = {
  name: 'Ada Lovelace',
  address: { line1: '12 Orchard Lane', city: 'Portland', state: 'OR', postal_code: '97205', country: 'US' },
};

/** In minor units. */
const WRAPPING: Line = { name: 'Gift wrapping', quantity: 1, unit_amount: 500 };

/** The requests to the service at `api`. They reject on any answer but success. */
export const createPayments = (api: string, secretKey: string) => {
  const request = async (path: string, init: RequestInit): Promise<Intent> => {
    const response = await fetch(`${api}/payment_intents${path}`, {
      ...init,
      headers: { ...init.headers, Authorization: `Bearer ${secretKey}`, 'Content-Type': 'application/json' },
      signal: AbortSignal.timeout(20_000),
    });
    if (!response.ok) throw new Error(`the service answered ${response.status}`);
    return response.json();
  };

  return {
    /** Creates the payment of an order. The idempotency key makes a repeat return the same payment. */
    create: ({ id, reference, view: { cart, currency } }: Order): Promise<Intent> => {
      const { lines, shipping, tax, total } = price(cart);
      return request('', {
        method: 'POST',
        headers: { 'Idempotency-Key': `order-${id}` },
        body: JSON.stringify({
          amount: total,
          currency,
          items: lines,
          shipping_amount: shipping,
          tax_amount: tax,
          order_reference: reference,
          buyer: { name: SHIP_TO.name },
          ...(cart === 'digital' ? { goods_type: 'non_physical' } : { shipping_details: SHIP_TO }),
        }),
      });
    },

    /** Adds gift wrapping to a payment. The form shows the new total after `refresh()`. */
    wrap: async (id: string, { view: { cart } }: Order): Promise<object> => {
      const { lines, total } = price(cart);
      const items = [...lines, WRAPPING];
      const body = JSON.stringify({ amount: total + WRAPPING.unit_amount, items });
      const { status } = await request(`/${encodeURIComponent(id)}`, { method: 'POST', body });
      return { status };
    },

    /** The current state of a payment. */
    retrieve: (id: string): Promise<Intent> => request(`/${encodeURIComponent(id)}`, {}),
  };
};
