/**
 * The paths of all requests in one place. If a real answer replaces "not shown" in the service's description, only this
 * file changes. Our own choices (docs/contract.md) are marked "Ours".
 */

export const PREFIX = '/partner/v1';

/** The browser's routes, with the publishable key. Ours: not shown in the API description (contract 3.1 to 3.3). */
export const CLIENT_ROUTES = {
  retrieve: `${PREFIX}/client/payment_intents/retrieve`,
  confirm: `${PREFIX}/client/payment_intents/confirm`,
  release: `${PREFIX}/client/payment_intents/release`,
} as const;

export type ClientRoute = keyof typeof CLIENT_ROUTES;

const isClientRoute = (name: string): name is ClientRoute => Object.hasOwn(CLIENT_ROUTES, name);

/** The names of the client routes. */
export const clientRoutes = (): readonly ClientRoute[] => Object.keys(CLIENT_ROUTES).filter(isClientRoute);

/** The merchant server's routes, with the secret key. */
export const SERVER_ROUTES = {
  /** POST creates, GET lists. */
  paymentIntents: `${PREFIX}/payment_intents`,
  /** GET retrieves; POST updates. The update is ours: not shown in the API description (contract 5.1). */
  paymentIntent: `${PREFIX}/payment_intents/:id`,
  /** POST creates; GET lists. The list is ours: not shown in the API description (contract 5.2). */
  refunds: `${PREFIX}/refunds`,
  /** Ours: not shown in the API description (contract 5.2). */
  refund: `${PREFIX}/refunds/:id`,
  /** Ours: not shown in the API description (contract 5.3). */
  feeQuotes: `${PREFIX}/fee_quotes`,
  /** Ours: not shown in the API description (contract 5.4). */
  balance: `${PREFIX}/balance`,
  /** Ours: not shown in the API description (contract 5.5). */
  webhookSigningKeys: `${PREFIX}/webhook_signing_keys`,
} as const;

/** Static URLs (contract 2). `release` is the package version plus a hash of the content. */
export const STATIC_ROUTES = {
  loader: `${PREFIX}/card-form.js`,
  frame: `${PREFIX}/card-form/frame`,
  release: (release: string) => `${PREFIX}/card-form/${release}/`,
} as const;

/**
 * Routes that only a sandbox serves: its control routes (contract 6.3) and, under the same prefix, its developer pages.
 */
export const CONTROL = '/_sandbox';
export const INSPECTOR = `${CONTROL}/`;
export const PLAYGROUND = `${INSPECTOR}playground/`;

/** Metadata that marks the payments that the playground creates each time it is opened. */
export const PLAYGROUND_MARK = { made_by: 'playground' } as const;
