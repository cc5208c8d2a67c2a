/** Client of a running sandbox: as the merchant, as the form, and through its control routes. */
import type { Exchange, HttpResponse, Send } from '../../api/command/http.ts';
import { OptionError } from '../../api/command/option-error.ts';
import { CONTROL } from '../../api/routes.ts';

/** Additions to a call, which by default has no body and no key. */
export type RemoteCall = { key?: string; body?: object; headers?: Readonly<Record<string, string>> };

export type Remote = {
  /** Every exchange so far, except those with control routes. */
  exchanges: readonly Exchange[];
  /** Calls a route of the service. Error responses don't throw. */
  call(method: 'GET' | 'POST', path: string, options?: RemoteCall): Promise<HttpResponse>;
  /** Calls a control route. Throws an `OptionError` unless it succeeds. */
  control(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<Readonly<Record<string, unknown>>>;
};

/** `token` is for a sandbox that other machines can reach (contract 6.3). */
export const createRemote = (send: Send, token: string | undefined): Remote => {
  const exchanges: Exchange[] = [];
  const sendOrExplain: Send = (request) =>
    send(request).catch((error: Error & { code?: string }) => {
      throw new OptionError(
        `The sandbox does not answer (${error.code ?? error.message}). Start it with "card-form sandbox", or say where it is with --base-url.`,
      );
    });
  const jsonHeaders = (body: object | undefined) =>
    body === undefined ? {} : { 'content-type': 'application/json' };

  return {
    exchanges,
    call: async (method, path, { key, body, headers = {} } = {}) => {
      const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
      const request = {
        ...{ method, path, body: body === undefined ? null : JSON.stringify(body) },
        headers: { ...authorization, ...jsonHeaders(body), ...headers },
      };
      const response = await sendOrExplain(request);
      exchanges.push({ request, response });
      return response;
    },
    control: async (method, path, body) => {
      const { status, text } = await sendOrExplain({
        ...{ method, path: `${CONTROL}/${path}`, body: body === undefined ? null : JSON.stringify(body) },
        headers: {
          ...jsonHeaders(body),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
      });
      const answer = jsonFields(text);
      if (status === 200) return answer;
      const { error } = answer;
      const message =
        typeof error === 'object' && error !== null && 'message' in error
          ? error.message
          : 'This is not a sandbox.';
      throw new OptionError(`${CONTROL}/${path} answered ${status}. ${message}`);
    },
  };
};

/** The fields of a JSON object; none for anything else. */
export const jsonFields = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
};

/** The sandbox's first keys. Both have the same number (contract 6.1). */
export const firstKeysOf = async (remote: Remote) => {
  const { keys } = await remote.control('GET', 'overview');
  const publishable = `${listOf(keys).at(-1)?.publishable_key ?? ''}`;
  return { publishable, secret: publishable.replace(/^p/, 's') };
};

/** The objects of a list. */
export const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];
