/** The body of a confirm: valid, or wrong in one field. */
import { type CheckContext, Skipped } from './context.ts';

/** Passes the check digit but belongs to no card, so even a service that tried to charge it would get a decline. */
export const DECLINED_NUMBER = '4000000000000002';

/** Looks like a client secret, but belongs to no payment. */
export const UNKNOWN_SECRET = `lg_cs_${'0'.repeat(24)}`;

/** Looks like a publishable key, but belongs to no account. */
export const UNKNOWN_KEY = `pk_live_${'0'.repeat(32)}`;

/** Changes to the confirm the form would send. */
export type ConfirmChange = {
  amount_total?: 'lower' | 'higher';
  currency?: 'other';
  number?: string;
  wrong?: readonly [path: string, value: unknown];
};

/**
 * The body of a confirm as the form sends it, with the change applied. Throws `Skipped` if the payment has no total:
 * the check of that rule reports it, and no other check would learn anything.
 */
export const confirmToCheck = (
  context: Pick<CheckContext, 'options' | 'now'>,
  view: Readonly<Record<string, unknown>>,
  change: ConfirmChange = {},
): Record<string, unknown> => {
  const { amount_total, currency, number = DECLINED_NUMBER, wrong } = change;
  const total = Number(view.amount_total);
  if (!Number.isSafeInteger(total)) throw new Skipped('the payment has no total that could be confirmed');
  const wrongTotal = { lower: total - 1, higher: total + 1 };
  const body = {
    client_secret: context.options.clientSecret,
    amount_total: amount_total === undefined ? total : wrongTotal[amount_total],
    currency: currency === undefined ? view.currency : view.currency === 'usd' ? 'eur' : 'usd',
    card: {
      number,
      exp_month: 12,
      exp_year: new Date(context.now()).getUTCFullYear() + 3,
      cvc: /^3[47]/.test(number) ? '1234' : '123',
    },
    billing_details: {
      email: 'conformance@example.com',
      name: 'Conformance Suite',
      address: {
        line1: '1 Test Street',
        line2: null,
        city: 'London',
        state: null,
        postal_code: 'SW1A 1AA',
        country: 'GB',
      },
    },
  };
  return wrong === undefined ? body : withField(body, wrong[0], wrong[1]);
};

/** Copies the body with another value at a path such as `card.number`; `undefined` omits the field. */
export const withField = (
  body: Readonly<Record<string, unknown>>,
  path: string,
  value: unknown,
): Record<string, unknown> => {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...body, [name]: value };
  const inner = body[name];
  const below = typeof inner === 'object' && inner !== null ? { ...inner } : {};
  return { ...body, [name]: withField(below, rest.join('.'), value) };
};
