import { json } from '@sveltejs/kit';
import { wrapOrder } from '../../../../shop.mjs';

export const POST = async ({ url }) => {
  await wrapOrder(url.searchParams.get('order'));
  return json({});
};
