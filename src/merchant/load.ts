/**
 * Loads the service's script at run time. A copy bundled with a shop would never be updated, and the shop would be
 * responsible for it (PCI DSS 6.4.3, 11.6.1).
 *
 * Does nothing in Node, when imported or when called.
 */
import { ownProperties } from '../form/channel/own-property.ts';
import type { CardFormApi } from '../form/loader/types.ts';
import { unclobbered } from '../form/loader/unclobbered.ts';

export type LoadOptions = {
  /** Pins a release by its name in `sri.json`, such as `0.1.0-5504ff6e62fb`. Default: the service's current release. */
  version?: string | undefined;
  /**
   * The hash of the pinned release's script from `sri.json`, `sha384-…`. It requires `version`, because the hash of the
   * current release changes. Alternatively the service's public key, `ed25519-…`, which accepts every release it
   * signed; only Chromium checks the signature.
   */
  integrity?: string | undefined;
  /** The script's nonce, for a page whose Content-Security-Policy requires one. */
  nonce?: string | undefined;
};

/** Why the script could not be loaded. */
export type LoadFailure =
  /** `baseUrl` or an option is invalid; the message says what was expected. */
  | 'invalid_option'
  /** The browser is offline. */
  | 'offline'
  /** The page's Content-Security-Policy or Trusted Types forbid the script. */
  | 'csp'
  /** The script did not load within twenty seconds. */
  | 'timeout'
  /**
   * The script could not be fetched, because of the address, the network or an extension, or doesn't match `integrity`.
   */
  | 'blocked'
  /** A script loaded, but it is not the card form's. */
  | 'unexpected_script'
  /** The page has already loaded another release than `version`. */
  | 'version_mismatch';

/** Error of `loadCardForm`. Check its `code`; the message says what went wrong and what to do. */
export type CardFormLoadError = Error & { name: 'CardFormLoadError'; code: LoadFailure };

declare global {
  interface Window {
    CardForm?: CardFormApi;
  }
}

/** Missing in some browsers, and in TypeScript's DOM types. */
type TrustedTypes = {
  createPolicy(name: string, rules: Policy): Policy;
};
type Policy = { createScriptURL(url: string): string };

/** Limit for one attempt, in ms. */
const TIMEOUT = 20_000;

/** Delay before the second attempt, in ms. */
const RETRY_DELAY = 1_000;

/** Pending and finished loads, by script address. */
const loading = new Map<string, Promise<CardFormApi>>();

/**
 * Loads the service's script once, however often it is called, and resolves to `CardForm`, or to `null` on a server. A
 * failed load is retried once. Then the promise rejects with a {@link CardFormLoadError}, and the next call starts
 * again.
 *
 * @example
 * const CardForm = await loadCardForm('https://pay.example');
 * CardForm?.mount('#card-form', { publishableKey, clientSecret });
 */
export const loadCardForm = async (baseUrl: string, given?: LoadOptions): Promise<CardFormApi | null> => {
  if (typeof window === 'undefined' || typeof document === 'undefined') return null;
  const options = ownProperties(given);
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

/** Avoids `URL.canParse`, which Safari has only since version 17. */
const urlOf = (text: string): URL | null => {
  try {
    return new URL(text);
  } catch {
    return null;
  }
};

/** Base address of the service's API and the card form's files. Throws if `baseUrl` is invalid. */
export const serviceAt = (baseUrl: string): string => {
  const url = urlOf(baseUrl);
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.search ||
    url.hash ||
    /\.js$|\/v1\b/.test(url.pathname)
  ) {
    throw failure(
      'invalid_option',
      `baseUrl must be the address of the payment service without anything after it, such as https://pay.example; got ${JSON.stringify(baseUrl)}.`,
    );
  }
  return `${url.href.replace(/\/$/, '')}/partner/v1`;
};

/** Returns `version` for use in an address. Throws if it isn't a release name. */
export const checkRelease = (version: string): string => {
  if (/^\d+\.\d+\.\d+-\w+$/.test(version)) return version;
  throw failure(
    'invalid_option',
    `version must be the name of a release in sri.json, such as 0.1.0-5504ff6e62fb; got ${JSON.stringify(version)}.`,
  );
};

const addressOf = (baseUrl: string, { version, integrity }: LoadOptions): string => {
  const service = serviceAt(baseUrl);
  if (version !== undefined) return `${service}/card-form/${checkRelease(version)}/card-form.js`;
  if (integrity === undefined || integrity.startsWith('ed25519-')) return `${service}/card-form.js`;
  throw failure(
    'invalid_option',
    'integrity requires version: without it the current release is loaded, whose hash changes. Set version to the one in sri.json.',
  );
};

const ofVersion = (api: CardFormApi, { version }: LoadOptions): CardFormApi => {
  if (version === undefined || version === api.version) return api;
  throw failure(
    'version_mismatch',
    `version is ${version}, but the page has already loaded release ${api.version}. Load only one of them.`,
  );
};

/**
 * A global variable set by the browser or a script. An element or frame with that name is not an own property of
 * `window`.
 */
const ownGlobal = (name: string) => Object.hasOwn(window, name) && Reflect.get(window, name);

/** The API, if the script has run. */
const cardForm = (): CardFormApi | undefined => {
  const api = ownGlobal('CardForm');
  return typeof api?.mount === 'function' ? api : undefined;
};

/** Failures that a second attempt can fix. */
const TEMPORARY: readonly unknown[] = ['blocked', 'offline', 'timeout'] satisfies LoadFailure[];

const twice = (load: () => Promise<CardFormApi>): Promise<CardFormApi> =>
  load().catch(async (error: CardFormLoadError) => {
    if (!TEMPORARY.includes(error.code)) throw error;
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY));
    return load();
  });

/** Adds the script to the page and waits for it. Removes it if it fails to load. */
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
      () => fail('timeout', `${src} did not load within ${TIMEOUT / 1000} seconds. Try again.`),
      TIMEOUT,
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
          `${src} could not be loaded: the browser is offline. Try again when it is online.`,
        );
      const pinned = integrity === undefined ? '' : ' that integrity is the hash of that version,';
      fail(
        'blocked',
        `${src} could not be loaded. Check the address,${pinned} the browser's extensions, and the service.`,
      );
    };
    script.onerror = () => setTimeout(miss); // let a policy violation reported at about the same time win
    script.onload = () => {
      const api = cardForm();
      if (!api)
        return fail('unexpected_script', `${src} is a script, but not the card form's. Check baseUrl.`);
      done.abort();
      clearTimeout(timer);
      resolve(api);
    };

    if (nonce !== undefined) script.nonce = nonce;
    if (integrity !== undefined) {
      script.integrity = integrity;
      script.crossOrigin = 'anonymous'; // browsers check integrity only with CORS
    }
    try {
      script.src = trusted(src);
    } catch {
      fail(
        'csp',
        "The page's Content-Security-Policy forbids this script's Trusted Types policy. Add card-form to trusted-types.",
      );
      return;
    }
    page.head.append(script);
  });

let policy: Policy | undefined;

/** The address as a TrustedScriptURL if the browser has Trusted Types, which a page may enforce. */
const trusted = (src: string): string => {
  const trustedTypes: TrustedTypes | false = ownGlobal('trustedTypes');
  if (trustedTypes) policy ??= trustedTypes.createPolicy('card-form', { createScriptURL: (url) => url });
  return policy?.createScriptURL(src) ?? src;
};

const failure = (code: LoadFailure, message: string): CardFormLoadError =>
  Object.assign(new Error(message), { name: 'CardFormLoadError' as const, code });
