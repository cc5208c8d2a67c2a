/** The page's requests to the shop's server (src/sandbox/shop/orders.ts), shared by all frameworks. */

import type { CardFormOptions } from '@partner/card-form';

/** An unpaid order with the arguments of `loadCardForm` and `mount()`. */
export type Order = {
  id: string;
  /** The origin of the payment service. */
  service: string;
  publishableKey: string;
  clientSecret: string;
  defaultValues: CardFormOptions['defaultValues'];
};

const request = async (method: string, path: string) => {
  const response = await fetch(path, { method });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
};

/** Places an order for the cart. */
export const placeOrder = (): Promise<Order> => request('POST', '/orders');

/** Adds gift wrapping, which raises the amount of the payment on the server. */
export const wrapOrder = ({ id }: Pick<Order, 'id'>): Promise<unknown> =>
  request('POST', `/orders/${id}/wrapping`);

/**
 * Returns true if the shop's server knows that the order is paid. The result that the form reports must not decide
 * that.
 */
export const isPaid = async ({ id }: Pick<Order, 'id'>): Promise<boolean> =>
  (await request('GET', `/orders/${id}`)).paid;
