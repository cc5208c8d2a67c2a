import type { Hono } from 'hono';
import { SERVER_ROUTES } from '../../api/routes.ts';
import { feeQuote } from '../accounts/fee-quotes.ts';
import { balanceOf } from '../payments/balance.ts';
import { listRefunds, ownRefund, parseRefund, refundOnce } from '../payments/refunds.ts';
import { refundView } from '../payments/views.ts';
import type { SandboxEnv } from './context.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { listRoute, serverRoute } from './server-routes.ts';
import type { Service } from './service.ts';

/** Refunds, balance and fee quotes, with the secret key (contract S8.6 to S8.8, 5.2 to 5.4). */
export const addMoneyRoutes = (app: Hono<SandboxEnv>, service: Service): void => {
  app.post(
    SERVER_ROUTES.refunds,
    serverRoute(service, 'refunds.create', (account, c, entry, sent) => {
      const key = idempotencyKeyOf(c);
      const body = parseRefund(sent());
      const refund = refundOnce(service, account, key, body);
      entry.intent = refund.payment_intent;
      return refundView(refund);
    }),
  );

  app.get(
    SERVER_ROUTES.refunds,
    listRoute(service, 'refunds.list', (account, query) => listRefunds(service, account, query)),
  );

  app.get(
    SERVER_ROUTES.refund,
    serverRoute(service, 'refunds.retrieve', (account, c, entry) => {
      const refund = ownRefund(service, account, c.req.param('id') ?? '');
      entry.intent = refund.payment_intent;
      return refundView(refund);
    }),
  );

  app.get(
    SERVER_ROUTES.balance,
    serverRoute(service, 'balance.retrieve', (account) => balanceOf(service, account)),
  );

  app.post(
    SERVER_ROUTES.feeQuotes,
    serverRoute(service, 'fee_quotes.create', (account, _c, _entry, sent) => feeQuote(account, sent())),
  );
};
