import { createPayment } from '../../shop.mjs';
import { Checkout } from './checkout';

export const dynamic = 'force-dynamic';

export default async function CheckoutPage({ searchParams }: { searchParams: Promise<{ order?: string }> }) {
  const { order = '' } = await searchParams;
  return <Checkout order={order} payment={await createPayment(order)} />;
}
