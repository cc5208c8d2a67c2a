/** What the shop sells, and what a cart of it costs. Amounts are in minor units (cents). */

/** The carts to try: coffee that is shipped, and a course that is not. */
export type Cart = 'coffee' | 'digital';

/** The currencies the shop sells in. */
export type Currency = 'usd' | 'eur';

/** One line of a cart, as the service takes it. */
export type Line = { name: string; quantity: number; unit_amount: number };

const LINES: Record<Cart, readonly Line[]> = {
  coffee: [
    { name: 'Kenya Nyeri AA, 250 g', quantity: 2, unit_amount: 1450 },
    { name: 'Ethiopia Guji, 250 g', quantity: 1, unit_amount: 1600 },
    { name: 'Paper filters, 100', quantity: 1, unit_amount: 420 },
  ],
  digital: [
    { name: 'Home barista, video course', quantity: 1, unit_amount: 3900 },
    { name: 'Brewing guide, PDF', quantity: 1, unit_amount: 900 },
  ],
};

/** What a cart comes to: goods, shipping, tax, and their sum. */
export const price = (cart: Cart) => {
  const lines = LINES[cart];
  const goods = lines.reduce((sum, line) => sum + line.quantity * line.unit_amount, 0);
  const shipping = cart === 'digital' ? 0 : 490;
  const tax = Math.round(goods * 0.08);
  return { lines, goods, shipping, tax, total: goods + shipping + tax };
};
