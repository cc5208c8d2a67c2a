/** Bodies the suite sends. */
import type { Session } from './session.ts';

/** Passes the check digit and is nobody's: whoever tried to charge it would be declined. */
const DECLINED = '4000000000000002';

/** Everything of a card the suite sends by itself. */
export const NO_MONEY: readonly string[] = [DECLINED];

/** In the form of a client secret, and of no payment. */
export const OTHER_SECRET = `lg_cs_${'0'.repeat(24)}`;

/** How a confirm differs from what the form would send for the payment that is shown. */
export type ConfirmChange = {
  amount_total?: 'lower' | 'higher' | 'another';
  currency?: 'other';
  number?: string;
  wrong?: [path: string, value: unknown];
};

/** The body of a confirm, as the form sends it but for the change. */
export const confirmOf = (
  session: Pick<Session, 'given' | 'now'>,
  view: Readonly<Record<string, unknown>>,
  change: ConfirmChange = {},
): Record<string, unknown> => {
  const { amount_total, currency, number = DECLINED, wrong } = change;
  const total = Number(view.amount_total);
  const shown = { lower: total - 1, higher: total + 1, another: total + 1 };
  const body = {
    client_secret: session.given.clientSecret,
    amount_total: amount_total === undefined ? total : shown[amount_total],
    currency: currency === undefined ? view.currency : view.currency === 'usd' ? 'eur' : 'usd',
    card: {
      number,
      exp_month: 12,
      exp_year: new Date(session.now()).getUTCFullYear() + 3,
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
  return wrong === undefined ? body : changed(body, wrong[0], wrong[1]);
};

/** A copy of a body with another value at a path such as `card.number`; `undefined` leaves the field out. */
export const changed = (
  body: Readonly<Record<string, unknown>>,
  path: string,
  value: unknown,
): Record<string, unknown> => {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...body, [name]: value };
  const inner = body[name];
  const below = typeof inner === 'object' && inner !== null ? { ...inner } : {};
  return { ...body, [name]: changed(below, rest.join('.'), value) };
};
