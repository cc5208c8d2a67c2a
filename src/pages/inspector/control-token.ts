/**
 * The control token, which control routes require if other machines can reach the sandbox (contract 6.3). The page gets
 * it from its address (`#token=…`, as the sandbox prints it) or from the developer, and keeps it as long as its tab.
 */

const KEY = 'card-form-control-token';
const FRAGMENT = /^#token=([\w.~+/=-]+)$/;

type Place = { hash: string; pathname: string; search: string };
type Browser = {
  location: Place;
  history: { replaceState(data: null, unused: string, url: string): void };
  storage: Pick<Storage, 'getItem' | 'setItem'>;
};

/** This page's own. */
const browser = (): Browser => ({ location, history, storage: sessionStorage });

/** Takes the token from the address, where a screenshot, a bookmark or a copied link would carry it on. */
export const takeTokenFromAddress = ({ location, history, storage }: Browser = browser()): void => {
  const [, token] = FRAGMENT.exec(location.hash) ?? [];
  if (token === undefined) return;
  storage.setItem(KEY, token);
  history.replaceState(null, '', location.pathname + location.search);
};

export const saveToken = (token: string, { storage }: Pick<Browser, 'storage'> = browser()): void =>
  storage.setItem(KEY, token.trim());

/** The header of each control request, if there is a token. */
export const tokenHeader = ({ storage }: Pick<Browser, 'storage'> = browser()): Record<string, string> => {
  const token = storage.getItem(KEY);
  return token === null ? {} : { authorization: `Bearer ${token}` };
};
