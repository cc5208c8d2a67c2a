/** The server of a single-page checkout, whole: three requests of the page, each answered from the service. */
import { randomUUID } from 'node:crypto';
import type { createPayments, Order } from './payments.ts';

/** What the page is told of the shop's account. */
export type Account = { service: string; publishableKey: string };

/** Answers a request of the page, or says that there is no such thing. */
export const createOrders =
  (
    orders: Map<string, Order>,
    payments: ReturnType<typeof createPayments>,
    account: Account,
    hearOfPayments: () => Promise<void>,
  ) =>
  async (method: string, pathname: string): Promise<object | null> => {
    const [, place, id = '', what] = pathname.split('/');
    if (place !== 'orders') return null;
    const order = orders.get(id);
    switch (`${method} ${id ? 'order' : 'orders'}${what ? ` ${what}` : ''}`) {
      case 'POST orders': {
        const view = { locale: 'en', theme: 'auto', cart: 'coffee', currency: 'usd' } as const;
        const id = randomUUID(); // not to be guessed: whoever knows it may pay it
        const placed: Order = { id, reference: `MC-${id.slice(0, 8).toUpperCase()}`, view };
        await hearOfPayments();
        const { id: intent, client_secret } = await payments.create(placed);
        orders.set(id, { ...placed, intent });
        return { id, ...account, clientSecret: client_secret };
      }
      case 'POST order wrapping':
        return order?.intent ? await payments.wrap(order.intent, order) : null;
      case 'GET order':
        // The only place where the page learns that it was paid.
        return order?.intent
          ? { paid: (await payments.retrieve(order.intent)).status === 'succeeded' }
          : null;
      default:
        return null;
    }
  };
