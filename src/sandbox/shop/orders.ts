/** The server of the single-page checkouts. It answers the page's three requests with data from the service. */
import { randomUUID } from 'node:crypto';
import { type createPayments, knownOf, type ShopOrder } from './payments.ts';

/** The shop's account, as far as the page needs it. */
export type ShopAccount = { service: string; publishableKey: string };

/** Handles a request of the page. Returns `null` if there is no such route or order. */
export const createOrderRoutes =
  (
    orders: Map<string, ShopOrder>,
    payments: ReturnType<typeof createPayments>,
    account: ShopAccount,
    registerWebhook: () => Promise<void>,
  ) =>
  async (method: string, pathname: string): Promise<object | null> => {
    const [, collection, id = '', action] = pathname.split('/');
    if (collection !== 'orders') return null;
    const order = orders.get(id);
    switch (`${method} ${id ? 'order' : 'orders'}${action ? ` ${action}` : ''}`) {
      case 'POST orders': {
        const view = { locale: 'en', theme: 'auto', cart: 'coffee', currency: 'usd' } as const;
        const id = randomUUID(); // unguessable: anybody who knows it can pay the order
        const placed: ShopOrder = { id, reference: `MC-${id.slice(0, 8).toUpperCase()}`, view };
        await registerWebhook();
        const { id: intent, client_secret } = await payments.create(placed);
        orders.set(id, { ...placed, intent });
        return { id, ...account, clientSecret: client_secret, defaultValues: knownOf(placed) };
      }
      case 'POST order wrapping':
        return order?.intent ? await payments.wrap(order.intent, order) : null;
      case 'GET order':
        // The page trusts only this answer, not the result that the form reports.
        return order?.intent
          ? { paid: (await payments.retrieve(order.intent)).status === 'succeeded' }
          : null;
      default:
        return null;
    }
  };
