/**
 * Brings the service's own script into the page, at run time: bundled with a shop it would be a copy that nobody
 * updates, and the shop's to answer for (PCI DSS 6.4.3, 11.6.1).
 *
 * Imported in Node, and called there, this file does nothing.
 */
import type { CardFormApi } from '../loader/types.ts';
import { unclobbered } from '../loader/unclobbered.ts';

/** How the script is loaded. */
export type LoadOptions = {
  /** A release to stay with, as in `sri.json`: `0.1.0-5504ff6e62fb`. Without it the service's current one. */
  version?: string | undefined;
  /**
   * `sha384-…` of that release's script, from `sri.json`. Needs `version`: what moves has no hash that stays. Or the
   * service's key, `ed25519-…`, for every release that it signed: only Chromium holds the script to it.
   */
  integrity?: string | undefined;
  /** For a page whose policy lets scripts in by a nonce. */
  nonce?: string | undefined;
};

/** Why there is no `CardForm`. */
export type LoadFailure =
  /** `baseUrl` or an option is not what it must be; the message says what was expected. */
  | 'invalid_option'
  /** The browser is offline. */
  | 'offline'
  /** The page's Content-Security-Policy, or its trusted types, do not let the script in. */
  | 'csp'
  /** The script did not come within twenty seconds. */
  | 'timeout'
  /** It could not be fetched: address, network, an extension, or it is not what `integrity` says. */
  | 'blocked'
  /** What came from the address is not the card form. */
  | 'unexpected_script'
  /** A script of another release than `version` is on the page already. */
  | 'version_mismatch';

/** What `loadCardForm` rejects with. The message says what was expected, what came, and what to do. */
export type CardFormLoadError = Error & { name: 'CardFormLoadError'; code: LoadFailure };

declare global {
  interface Window {
    CardForm?: CardFormApi;
  }
}

/** Not in every browser, nor in TypeScript's own library. */
type TrustedTypes = {
  createPolicy(name: string, rules: Policy): Policy;
};
type Policy = { createScriptURL(url: string): string };

/** In ms: for one try, and before the second one. */
const WITHIN = 20_000;
const PAUSE = 1_000;

/** What is under way or done, by the address of the script. */
const loading = new Map<string, Promise<CardFormApi>>();

/**
 * Resolves to `CardForm`, with the service's script loaded once however often this is asked; to `null` where there
 * is no window. A script that does not come is asked for a second time; then the promise rejects with a
 * {@link CardFormLoadError} and all is forgotten, so that the next call begins anew.
 *
 * @example
 * const CardForm = await loadCardForm('https://pay.example');
 * CardForm?.mount('#card-form', { publishableKey, clientSecret });
 */
export const loadCardForm = async (
  baseUrl: string,
  options: LoadOptions = {},
): Promise<CardFormApi | null> => {
  if (typeof window === 'undefined' || typeof document === 'undefined') return null;
  const src = addressOf(baseUrl, options);
  const present = cardForm();
  if (present) return ofVersion(present, options);
  let api = loading.get(src);
  if (!api) {
    api = twice(() => insert(src, options));
    loading.set(src, api);
    api.catch(() => loading.delete(src));
  }
  return ofVersion(await api, options);
};

/** The service's address below which everything of the card form lies. Throws where it can be none. */
export const serviceAt = (baseUrl: string): string => {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.search ||
    url.hash ||
    /\.js$|\/v1\b/.test(url.pathname)
  ) {
    throw failure(
      'invalid_option',
      `baseUrl must be the address of the payment service and nothing behind it, such as https://pay.example; got ${JSON.stringify(baseUrl)}.`,
    );
  }
  return `${url.href.replace(/\/$/, '')}/partner/v1`;
};

/** `version` as a part of an address. Throws where it is no release. */
export const releaseOf = (version: string): string => {
  if (/^\d+\.\d+\.\d+-\w+$/.test(version)) return version;
  throw failure(
    'invalid_option',
    `version must be a release as sri.json names it, such as 0.1.0-5504ff6e62fb; got ${JSON.stringify(version)}.`,
  );
};

const addressOf = (baseUrl: string, { version, integrity }: LoadOptions): string => {
  const service = serviceAt(baseUrl);
  if (version !== undefined) return `${service}/card-form/${releaseOf(version)}/card-form.js`;
  if (integrity === undefined || integrity.startsWith('ed25519-')) return `${service}/card-form.js`;
  throw failure(
    'invalid_option',
    'integrity needs version: the current release changes, and its hash with it. Give the version of sri.json, too.',
  );
};

const ofVersion = (api: CardFormApi, { version }: LoadOptions): CardFormApi => {
  if (version === undefined || version === api.version) return api;
  throw failure(
    'version_mismatch',
    `The release asked for is ${version}; ${api.version} is on the page already and stays. Load one of them, once.`,
  );
};

/** A global that the browser or a script defined: an element or a frame of that name is not the window's own. */
const ownGlobal = (name: string) => Object.hasOwn(window, name) && Reflect.get(window, name);

/** What the script left, if it was here. */
const cardForm = (): CardFormApi | undefined => {
  const api = ownGlobal('CardForm');
  return typeof api?.mount === 'function' ? api : undefined;
};

/** What a moment can change. */
const PASSING: readonly unknown[] = ['blocked', 'offline', 'timeout'] satisfies LoadFailure[];

const twice = (load: () => Promise<CardFormApi>): Promise<CardFormApi> =>
  load().catch(async (error: CardFormLoadError) => {
    if (!PASSING.includes(error.code)) throw error;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    return load();
  });

/** Puts the script into the page and waits for it. What did not load is taken out again. */
const insert = (src: string, { integrity, nonce }: LoadOptions): Promise<CardFormApi> =>
  new Promise((resolve, reject) => {
    const page = unclobbered(document);
    const script = page.createElement('script');
    const done = new AbortController();
    const fail = (code: LoadFailure, message: string) => {
      done.abort();
      clearTimeout(timer);
      script.remove();
      reject(failure(code, message));
    };
    const timer = setTimeout(
      () => fail('timeout', `${src} did not come within ${WITHIN / 1000} seconds. Try again.`),
      WITHIN,
    );

    page.addEventListener(
      'securitypolicyviolation',
      ({ disposition, blockedURI, effectiveDirective }) => {
        if (disposition !== 'enforce' || blockedURI !== src) return;
        fail('csp', `The page's Content-Security-Policy forbids ${src}. Add it to ${effectiveDirective}.`);
      },
      { signal: done.signal },
    );
    const miss = () => {
      if (!navigator.onLine)
        return fail(
          'offline',
          `${src} could not be loaded: the browser is offline. Try again when it is not.`,
        );
      const pinned = integrity === undefined ? '' : ' whether integrity is the hash of that version,';
      fail(
        'blocked',
        `${src} could not be loaded. Look at the address,${pinned} extensions of the browser, and the service.`,
      );
    };
    script.onerror = () => setTimeout(miss); // a violation of the policy is told at about the same time
    script.onload = () => {
      const api = cardForm();
      if (!api)
        return fail('unexpected_script', `${src} is a script, but not the card form. Look at baseUrl.`);
      done.abort();
      clearTimeout(timer);
      resolve(api);
    };

    if (nonce !== undefined) script.nonce = nonce;
    if (integrity !== undefined) {
      script.integrity = integrity;
      script.crossOrigin = 'anonymous'; // without it the browser could not compare
    }
    try {
      script.src = trusted(src);
    } catch {
      fail('csp', "The page's Content-Security-Policy forbids it. Add card-form to trusted-types.");
      return;
    }
    page.head.append(script);
  });

let policy: Policy | undefined;

/** As a page wants it that enforces trusted types; elsewhere the address as it is. */
const trusted = (src: string): string => {
  const trustedTypes: TrustedTypes | false = ownGlobal('trustedTypes');
  if (trustedTypes) policy ??= trustedTypes.createPolicy('card-form', { createScriptURL: (url) => url });
  return policy?.createScriptURL(src) ?? src;
};

const failure = (code: LoadFailure, message: string): CardFormLoadError =>
  Object.assign(new Error(message), { name: 'CardFormLoadError' as const, code });
