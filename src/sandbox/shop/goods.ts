/** The shop's carts and their prices. Amounts are in minor units (cents). */

/** Two carts: coffee, which is shipped, and a course, which is not. */
export type Cart = 'coffee' | 'digital';

export type ShopCurrency = 'usd' | 'eur';

/** One line of a cart, in the format of the service's `items`. */
export type CartLine = { name: string; quantity: number; unit_amount: number };

const LINES: Record<Cart, readonly CartLine[]> = {
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

/** Returns the lines of a cart with its goods, shipping, tax and total. */
export const price = (cart: Cart) => {
  const lines = LINES[cart];
  const goods = lines.reduce((sum, line) => sum + line.quantity * line.unit_amount, 0);
  const shipping = cart === 'digital' ? 0 : 490;
  const tax = Math.round(goods * 0.08);
  return { lines, goods, shipping, tax, total: goods + shipping + tax };
};
