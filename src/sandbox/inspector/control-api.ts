import { CONTROL } from '../../api/routes.ts';
import { tokenHeader } from './control-token.ts';

/** An error of the control routes, with a message that can be shown. */
export class ControlError extends Error {
  override name = 'ControlError';
  /** The code in the sandbox's answer; `null` if there was no answer. */
  readonly code: string | null;

  constructor(message: string, code: string | null = null) {
    super(message);
    this.code = code;
  }
}

/** The code for a request without the control token, or with a wrong one. */
export const TOKEN_REQUIRED = 'control_token_required';

/** Calls a control route and returns the response body, whose type the caller states. Rejects with a `ControlError`. */
const send = async <Body>(
  path: string,
  init: { method?: string; headers?: Record<string, string>; body?: string },
): Promise<Body> => {
  let response: Response;
  try {
    response = await fetch(`${CONTROL}/${path}`, {
      cache: 'no-store',
      ...init,
      headers: { ...init.headers, ...tokenHeader() },
    });
  } catch {
    throw new ControlError('The sandbox does not answer. Is it still running?');
  }
  // Not validated: page and sandbox have the same origin and the same release.
  const body = await response.json().catch(() => {
    throw new ControlError(`The sandbox answered ${response.status} with a body that is not JSON.`);
  });
  if (response.ok) return body;
  throw new ControlError(
    String(body?.error?.message ?? `The sandbox answered ${response.status}.`),
    String(body?.error?.code),
  );
};

export const get = <Body>(path: string): Promise<Body> => send(path, {});

export const remove = (path: string): Promise<unknown> => send(path, { method: 'DELETE' });

export const post = <Body = unknown>(path: string, body: object = {}): Promise<Body> =>
  send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Fetches a secret key of the first account, to be copied. */
export const fetchSecretKey = async (): Promise<string> => {
  const { secret_key } = await post<{ secret_key: string | null }>('secret_key');
  if (secret_key === null)
    throw new ControlError(
      'All secret keys of the account are revoked. Make a new pair: POST /_sandbox/accounts/account_1/keys.',
    );
  return secret_key;
};
