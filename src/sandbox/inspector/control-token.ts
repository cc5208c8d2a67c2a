/**
 * The control token, which control routes require if other machines can reach the sandbox (contract 6.3). The page gets
 * it from its URL (`#token=…`, as the sandbox prints it) or from the developer, and keeps it until the tab is closed.
 */

const KEY = 'card-form-control-token';
const FRAGMENT = /^#token=([\w.~+/=-]+)$/;

type Place = { hash: string; pathname: string; search: string };
type Browser = {
  location: Place;
  history: { replaceState(data: null, unused: string, url: string): void };
  storage: Pick<Storage, 'getItem' | 'setItem'>;
};

/** This page's browser globals. */
const browser = (): Browser => ({ location, history, storage: sessionStorage });

/** Moves the token out of the URL, so that a screenshot, a bookmark or a copied link doesn't contain it. */
export const takeTokenFromAddress = ({ location, history, storage }: Browser = browser()): void => {
  const [, token] = FRAGMENT.exec(location.hash) ?? [];
  if (token === undefined) return;
  storage.setItem(KEY, token);
  history.replaceState(null, '', location.pathname + location.search);
};

export const saveToken = (token: string, { storage }: Pick<Browser, 'storage'> = browser()): void =>
  storage.setItem(KEY, token.trim());

/** Returns the header for control requests, if there is a token. */
export const tokenHeader = ({ storage }: Pick<Browser, 'storage'> = browser()): Record<string, string> => {
  const token = storage.getItem(KEY);
  return token === null ? {} : { authorization: `Bearer ${token}` };
};
