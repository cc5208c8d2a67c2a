/** The server's half of the integration, whole: two requests with the secret key. */
import { type Line, price } from './goods.ts';
import type { View } from './pages.ts';

/** What somebody wants to buy. Fixed once placed: the same order must stay the same payment. */
export type Order = {
  id: string;
  reference: string;
  view: View;
  intent?: string;
  /** The event that had it packed. Once set it stays, so that an order is packed once. */
  fulfilledBy?: string;
};

/** What the shop reads of a payment intent. */
export type Intent = { id: string; status: string; client_secret?: string };

/** To whom and where the shop ships everything. */
export const SHIP_TO = {
  name: 'Ada Lovelace',
  address: { line1: '12 Orchard Lane', city: 'Portland', state: 'OR', postal_code: '97205', country: 'US' },
};

/** In minor units. */
const WRAPPING: Line = { name: 'Gift wrapping', quantity: 1, unit_amount: 500 };

/** The shop's requests to the service under `api`. They reject when there is no good answer. */
export const createPayments = (api: string, secretKey: string) => {
  const ask = async (path: string, init: RequestInit): Promise<Intent> => {
    const response = await fetch(`${api}/payment_intents${path}`, {
      ...init,
      headers: { ...init.headers, Authorization: `Bearer ${secretKey}`, 'Content-Type': 'application/json' },
      signal: AbortSignal.timeout(20_000),
    });
    if (!response.ok) throw new Error(`the service answered ${response.status}`);
    return response.json();
  };

  return {
    /** The payment of an order: however often it is asked for, the same one, thanks to the key. */
    create: ({ id, reference, view: { cart, currency } }: Order): Promise<Intent> => {
      const { lines, shipping, tax, total } = price(cart);
      return ask('', {
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

    /** Adds wrapping to an order and its price to the payment. The form shows the new total after `refresh()`. */
    wrap: async (id: string, { view: { cart } }: Order): Promise<object> => {
      const { lines, total } = price(cart);
      const items = [...lines, WRAPPING];
      const body = JSON.stringify({ amount: total + WRAPPING.unit_amount, items });
      const { status } = await ask(`/${encodeURIComponent(id)}`, { method: 'POST', body });
      return { status };
    },

    /** What became of a payment. */
    retrieve: (id: string): Promise<Intent> => ask(`/${encodeURIComponent(id)}`, {}),
  };
};
