import { ServiceError } from '../core/errors.ts';
import type { Service } from '../service.ts';
import { currentIntent } from '../service.ts';
import { type Account, accountOf, type IntentRecord, type KeyKind } from '../store/store.ts';
import { rateLimited } from './limits.ts';

const ARTICLE: Record<KeyKind, string> = {
  publishable: 'the publishable key (pk_live_…)',
  secret: 'the secret key (sk_live_…)',
};

/** Who calls, from `Authorization: Bearer <key>`, or 401 (service-api.md, "Authentication" 1, 2 and 4). */
const accountOfKey = (service: Service, header: string | null, wanted: KeyKind): Account => {
  const expected = `This route takes ${ARTICLE[wanted]} as "Authorization: Bearer <key>"`;
  if (header === null) {
    throw new ServiceError('invalid_api_key', `${expected}; the Authorization header is missing.`);
  }
  const bearer = /^Bearer +(\S+)$/i.exec(header.trim());
  const key = bearer?.[1] === undefined ? undefined : service.store.keys.get(bearer[1]);
  if (bearer === null) {
    throw new ServiceError('invalid_api_key', `${expected}; the Authorization header has another form.`);
  }
  if (key === undefined) {
    throw new ServiceError('invalid_api_key', `${expected}; no such key exists. Check that it is complete.`);
  }
  if (key.kind !== wanted) {
    throw new ServiceError(
      'invalid_api_key',
      `${expected}; got ${ARTICLE[key.kind]}.${key.kind === 'secret' ? ' A secret key must never reach a browser.' : ''}`,
    );
  }
  if (key.revoked) {
    throw new ServiceError('api_key_revoked', 'This key was revoked. Use a key that is in force.');
  }
  return accountOf(service.store, key);
};

/** Authenticates a request of a browser. Its failures are limited with all other browser requests. */
export const authenticateBrowser = (service: Service, header: string | null): Account =>
  accountOfKey(service, header, 'publishable');

/**
 * Authenticates a request of a merchant's server and counts its failures per address
 * (service-api.md, "Authentication" 7 and "Limits").
 *
 * Over the limit nothing is looked up any more: otherwise a right guess would still show.
 */
export const authenticateServer = (service: Service, header: string | null, address: string): Account => {
  const limiter = service.limits.failedAuthentication;
  const seconds = limiter.wait(address);
  if (seconds > 0) throw rateLimited(seconds, 'failed authentications from this address');
  try {
    return accountOfKey(service, header, 'secret');
  } catch (error) {
    limiter.count(address);
    throw error;
  }
};

/** The intent a client secret names, for the account of the publishable key (service-api.md, "Authentication" 5 and 6). */
export const intentOfSecret = (service: Service, account: Account, clientSecret: string): IntentRecord => {
  const id = service.store.secrets.get(clientSecret);
  const intent = id === undefined ? undefined : currentIntent(service, id);
  if (intent === undefined) {
    throw new ServiceError(
      'invalid_client_secret',
      'The client_secret names no payment. Use the one from the answer that created the payment intent.',
      { param: 'client_secret' },
    );
  }
  if (intent.account !== account.id) throw noSuchIntent();
  return intent;
};

/** The same words for an intent that does not exist and for one of another account. */
export const noSuchIntent = (): ServiceError =>
  new ServiceError(
    'payment_intent_not_found',
    'The account of this key has no such payment intent. Check the id, and that key and payment belong together.',
  );

/** Refuses what would start a payment on an account that may not take any (service-api.md, Create rule 3). */
export const assertMayTakePayments = (account: Account): void => {
  if (account.suspended) {
    throw new ServiceError(
      'merchant_suspended',
      'The account is suspended and cannot take payments. Ask the service to lift the suspension.',
    );
  }
  if (!account.approved) {
    throw new ServiceError(
      'merchant_not_approved',
      'The account is not approved yet and cannot take payments. Wait for its approval.',
    );
  }
};
