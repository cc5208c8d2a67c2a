import { accountOf } from '../accounts/accounts.ts';
import { RefusedRequest } from '../core/errors.ts';
import type { Account, KeyKind } from '../store/records.ts';
import { rateLimited } from './limits.ts';
import type { Service } from './service.ts';

const ARTICLE: Record<KeyKind, string> = {
  publishable: 'the publishable key (pk_live_…)',
  secret: 'the secret key (sk_live_…)',
};

/** Returns the account of the key in `Authorization: Bearer <key>`, or throws 401 (contract S11.1, S11.2 and S11.4). */
const accountOfKey = (service: Service, header: string | null, wanted: KeyKind): Account => {
  const expected = `This route takes ${ARTICLE[wanted]} as "Authorization: Bearer <key>"`;
  if (header === null) {
    throw new RefusedRequest('invalid_api_key', `${expected}; the Authorization header is missing.`);
  }
  const bearer = /^Bearer +(\S+)$/i.exec(header.trim());
  const key = bearer?.[1] === undefined ? undefined : service.store.keys.get(bearer[1]);
  if (bearer === null) {
    throw new RefusedRequest('invalid_api_key', `${expected}; the Authorization header has another form.`);
  }
  if (key === undefined) {
    throw new RefusedRequest(
      'invalid_api_key',
      `${expected}; no such key exists. Check that it is complete.`,
    );
  }
  if (key.revoked) {
    throw new RefusedRequest('api_key_revoked', 'This key was revoked. Use a key that is in force.');
  }
  if (key.kind !== wanted) {
    const warning = key.kind === 'secret' ? ' A secret key must never reach a browser.' : '';
    throw new RefusedRequest('invalid_api_key', `${expected}; got ${ARTICLE[key.kind]}.${warning}`);
  }
  return accountOf(service.store, key);
};

/** Authenticates a browser request. The rate limit of browser requests covers failures too. */
export const authenticateBrowser = (service: Service, header: string | null): Account =>
  accountOfKey(service, header, 'publishable');

/**
 * Authenticates a request of a merchant's server and counts its failures per address (contract S11.7 and S17.2).
 *
 * Above the limit the key is not looked up, so even a correct guess gets 429.
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
