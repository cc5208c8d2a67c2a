/**
 * The control routes of accounts and keys, which replace the service's dashboard.
 *
 * - `GET  /_sandbox/accounts` -> `{data: [{id, …settings}, …]}`, oldest first; the sandbox starts with the first.
 * - `POST /_sandbox/accounts` `{…settings}` -> `{id, …settings, keys: {id, publishable_key, secret_key}}`. The
 *   account is approved and has the sandbox's default schedules unless the settings say otherwise.
 * - `GET  /_sandbox/accounts/:id` -> `{id, …settings}`.
 * - `POST /_sandbox/accounts/:id` `{…settings}` -> the account after the change.
 * - `GET  /_sandbox/accounts/:id/keys` -> `{data: [{id, publishable_key, secret_key_last4, publishable_revoked,
 *   secret_revoked}, …]}`, newest first.
 * - `POST /_sandbox/accounts/:id/keys` (no body) -> `{id, publishable_key, secret_key}`, the only response that
 *   shows the secret key.
 * - `POST /_sandbox/accounts/:id/keys/:pair/revoke` (no body) -> the list of keys. Both keys are refused from now
 *   on. `POST /_sandbox/keys/revoke` revokes a single key.
 *
 * `…settings` are the fields of `AccountSettings`.
 */
import type { Hono } from 'hono';
import { CONTROL } from '../../../api/routes.ts';
import { RefusedRequest } from '../core/errors.ts';
import { json } from '../core/response.ts';
import { parseBody } from '../core/validate.ts';
import type { SandboxContext, SandboxEnv } from '../http/context.ts';
import { readJsonOrNothing } from '../http/read-json.ts';
import type { Service } from '../http/service.ts';
import type { Account } from '../store/records.ts';
import {
  AccountSettings,
  changeAccount,
  createKeys,
  keysView,
  openAccount,
  revokePair,
  settingsView,
} from './account-settings.ts';
import { refuseBody } from './control.ts';

/** Adds the control routes of accounts and keys. Call `addControl` first: its middleware guards them. */
export const addAccountControl = (app: Hono<SandboxEnv>, service: Service): void => {
  app.get(`${CONTROL}/accounts`, () => json({ data: [...service.store.accounts.values()].map(accountView) }));

  app.post(`${CONTROL}/accounts`, async (c) => {
    const settings = parseBody(AccountSettings, await readJsonOrNothing(c.req.raw));
    const { account, keys } = openAccount(service, settings);
    return json({ ...accountView(account), keys });
  });

  app.get(`${CONTROL}/accounts/:id`, (c) => json(accountView(accountIn(service, c))));

  app.post(`${CONTROL}/accounts/:id`, async (c) => {
    const account = accountIn(service, c);
    changeAccount(service, account, parseBody(AccountSettings, await readJsonOrNothing(c.req.raw)));
    return json(accountView(account));
  });

  app.get(`${CONTROL}/accounts/:id/keys`, (c) => json({ data: keysView(service, accountIn(service, c)) }));

  app.post(`${CONTROL}/accounts/:id/keys`, async (c) => {
    await refuseBody(c.req.raw);
    return json(createKeys(service, accountIn(service, c)));
  });

  app.post(`${CONTROL}/accounts/:id/keys/:pair/revoke`, async (c) => {
    await refuseBody(c.req.raw);
    const account = accountIn(service, c);
    if (!revokePair(service, account, c.req.param('pair') ?? '')) {
      throw new RefusedRequest(
        'not_found',
        'The account has no pair of keys with this id. GET the keys of the account for the ids of its pairs.',
      );
    }
    return json({ data: keysView(service, account) });
  });
};

const accountView = (account: Account) => ({ id: account.id, ...settingsView(account) });

const accountIn = (service: Service, c: SandboxContext): Account => {
  const account = service.store.accounts.get(c.req.param('id') ?? '');
  if (account === undefined) {
    throw new RefusedRequest(
      'not_found',
      `The sandbox has no account with this id. GET ${CONTROL}/accounts lists its accounts.`,
    );
  }
  return account;
};
