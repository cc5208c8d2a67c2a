/** The merchant's server: one order of 50.00, paid by one intent of the sandbox or by a later one. */
import { SERVER_ROUTES } from '../../api/routes.ts';
import { PaymentIntent } from '../../api/schemas.ts';
import type { Sandbox } from '../../sandbox/service/sandbox.ts';

export type Merchant = {
  /** All intents of the order, latest last. */
  intents: readonly { id: string; secret: string }[];
  latest(): { id: string; secret: string };
  /** `by`: the difference to the order's usual amount, in minor units. */
  createIntent(by?: number): Promise<void>;
  /**
   * The secret of the order's latest intent. Trusts the form: if it says that the latest one is over, creates another.
   */
  secretAfter(over: string | null): Promise<string>;
  /** The service refuses this for an intent in progress or over. `amount` in minor units. */
  setAmount(id: string, amount: number): Promise<void>;
  /** Uses the sandbox's control route, because the description gives merchants no way to cancel. */
  cancel(id: string): Promise<void>;
};

/** A merchant on the sandbox's own account. */
export const createMerchant = (sandbox: Sandbox): Merchant => {
  const ask = (path: string, body: unknown) =>
    sandbox.fetch(
      new Request(`http://pay.example${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${sandbox.keys.secret}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );

  const intents: { id: string; secret: string }[] = [];
  const latest = () => {
    const found = intents.at(-1);
    if (!found) throw new Error('The order has no intent yet.');
    return found;
  };
  const createIntent = async (by = 0) => {
    const answer = await ask(SERVER_ROUTES.paymentIntents, orderOf(5000 + by));
    const { id, client_secret } = PaymentIntent.parse(await answer.json());
    if (client_secret === undefined) throw new Error('An intent was created without a secret.');
    intents.push({ id, secret: client_secret });
  };
  // One after another: two forms that ask at the same time get the same intent.
  let asked: Promise<unknown> = Promise.resolve();

  return {
    intents,
    latest,
    createIntent,
    secretAfter(over) {
      const secret = asked.then(async () => {
        if (over === latest().id) await createIntent();
        return latest().secret;
      });
      asked = secret;
      return secret;
    },
    async setAmount(id, amount) {
      await ask(SERVER_ROUTES.paymentIntent.replace(':id', id), { amount });
    },
    async cancel(id) {
      await sandbox.fetch(
        new Request(`http://127.0.0.1/_sandbox/payment_intents/${id}/cancel`, {
          method: 'POST',
          headers: { Host: '127.0.0.1' },
        }),
      );
    },
  };
};

const orderOf = (amount: number) => ({
  amount,
  currency: 'usd',
  items: [{ name: 'Beans', quantity: 1, unit_amount: amount }],
  order_reference: 'order-1',
  buyer: { name: 'Ada Lovelace' },
  shipping_details: { name: 'Ada Lovelace', address: { line1: '12 Orchard Lane', country: 'US' } },
});
