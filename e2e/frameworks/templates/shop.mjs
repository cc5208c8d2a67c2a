/** The server side of a shop, the same for every project: each order has one payment, however often it is requested. */
const { SERVICE = '', PUBLISHABLE_KEY = '', SECRET_KEY = '' } = process.env;

const PRICE = 5804;
const MUGS = { name: 'Kenya Nyeri AA, 250 g', quantity: 2, unit_amount: 2902 };
const WRAPPING = { name: 'Gift wrapping', quantity: 1, unit_amount: 500 };

const ask = async (path, body, headers = {}) => {
  const response = await fetch(`${SERVICE}/partner/v1/payment_intents${path}`, {
    method: 'POST',
    cache: 'no-store',
    headers: { ...headers, Authorization: `Bearer ${SECRET_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`the service answered ${response.status}: ${await response.text()}`);
  return response.json();
};

const createIntent = (order) =>
  ask(
    '',
    {
      amount: PRICE,
      currency: 'usd',
      items: [MUGS],
      order_reference: order,
      buyer: { name: 'Ada Lovelace' },
      shipping_details: {
        name: 'Ada Lovelace',
        address: {
          line1: '12 Orchard Lane',
          city: 'Portland',
          state: 'OR',
          postal_code: '97205',
          country: 'US',
        },
      },
    },
    { 'Idempotency-Key': `order-${order}` },
  );

/** The data that the form needs to pay this order. */
export const createPayment = async (order) => {
  const { client_secret } = await createIntent(order);
  return { baseUrl: SERVICE, publishableKey: PUBLISHABLE_KEY, clientSecret: client_secret };
};

/** Adds gift wrapping to the order, which raises the amount of its payment. */
export const wrapOrder = async (order) => {
  const { id } = await createIntent(order);
  await ask(`/${id}`, { amount: PRICE + WRAPPING.unit_amount, items: [MUGS, WRAPPING] });
};
