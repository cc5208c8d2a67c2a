import { wrapOrder } from '../../../shop.mjs';

export const POST = async (request: Request) => {
  await wrapOrder(new URL(request.url).searchParams.get('order'));
  return Response.json({});
};
