import { createPayment } from '../../../shop.mjs';

export const load = async ({ url }) => {
  const order = String(url.searchParams.get('order'));
  return { order, payment: await createPayment(order) };
};
