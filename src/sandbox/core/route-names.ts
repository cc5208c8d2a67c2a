/** The routes by name, as the request log, the rate limits and the faults have them. */
import { type ClientRoute, clientRoutes } from '../../api/routes.ts';

/** A route of the browser. */
export type BrowserRoute = `client.${ClientRoute}`;

export const BROWSER_ROUTES: readonly BrowserRoute[] = clientRoutes().map(
  (route) => `client.${route}` as const,
);

/** The routes of the merchant's server. */
export const MERCHANT_ROUTES = [
  'payment_intents.create',
  'payment_intents.list',
  'payment_intents.retrieve',
  'payment_intents.update',
  'refunds.create',
  'refunds.list',
  'refunds.retrieve',
  'fee_quotes.create',
  'balance.retrieve',
  'webhook_signing_keys.list',
] as const;
export type MerchantRoute = (typeof MERCHANT_ROUTES)[number];

export type RouteName = BrowserRoute | MerchantRoute | 'unknown';
