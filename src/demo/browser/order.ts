/** What the page asks its own server (src/demo/orders.ts). The same for every framework. */

/** An order that is to be paid, with what `loadCardForm` and `mount()` need. */
export type Order = {
  id: string;
  /** Where the payment service is. */
  service: string;
  publishableKey: string;
  clientSecret: string;
};

const ask = async (method: string, path: string) => {
  const response = await fetch(path, { method });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
};

/** Orders what is in the cart. */
export const placeOrder = (): Promise<Order> => ask('POST', '/orders');

/** Has it wrapped, which costs: the amount of the payment is changed on the server. */
export const wrapOrder = ({ id }: Pick<Order, 'id'>): Promise<unknown> =>
  ask('POST', `/orders/${id}/wrapping`);

/** Whether the shop's own server knows it as paid. What the form says decides nothing. */
export const isPaid = async ({ id }: Pick<Order, 'id'>): Promise<boolean> =>
  (await ask('GET', `/orders/${id}`)).paid;
