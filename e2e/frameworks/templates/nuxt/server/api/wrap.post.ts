import { wrapOrder } from '../../shop.mjs';

export default defineEventHandler(async (event) => {
  await wrapOrder(String(getQuery(event).order));
  return {};
});
