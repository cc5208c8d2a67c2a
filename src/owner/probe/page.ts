/**
 * The page that a probe opens, and the code that runs there. It is the probe's own shop, on a different site from the
 * service, and exists only in the browser: no merchant's server is involved.
 */
import type { CardFormApi } from '@partner/card-form';

declare global {
  interface Window {
    CardForm?: CardFormApi;
  }
}

/** An address that no server has (RFC 2606). */
const PAGE_OVER_HTTPS = 'https://card-form-probe.invalid/';
/** A service without https lets only pages of this machine embed its form. Nothing listens there. */
const PAGE_OVER_HTTP = 'http://localhost:49151/';

/** The page's address. `origin` is the service's. */
export const pageFor = (origin: string): string =>
  origin.startsWith('https:') ? PAGE_OVER_HTTPS : PAGE_OVER_HTTP;

export const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>Card form probe</title>
<main><h1>Card form probe</h1><div id="card-form"></div></main>
</html>
`;

/** Times in ms since the script was requested; null until the event happens. */
export type ProbeTimes = {
  /** The script ran. */
  loader: number | null;
  /** The form was painted, so a buyer could type. */
  typeable: number | null;
  /** The total was read as well, so a buyer could pay. */
  ready: number | null;
};

/** Observations from inside the page. */
export type PageFinding = {
  /** The outcome. `threw`: `mount()` rejected its options. `ready`: with or without a total. */
  end: 'ready' | 'no_loader' | 'threw' | 'loaderror' | 'timeout';
  times: ProbeTimes;
  /** The release of the script; null until it ran. */
  release: string | null;
  /** True if the buyer saw a total. */
  hasTotal: boolean;
  /** The reason of `loaderror`, or the error of `mount()`. */
  detail: string;
  /** Codes of the form's errors. */
  codes: string[];
};

/** Loads the script and mounts a form. Runs in the page, so it uses nothing from this module. */
export const mountInPage = ({
  loader,
  publishableKey,
  clientSecret,
  timeout,
}: {
  loader: string;
  publishableKey: string;
  clientSecret: string;
  timeout: number;
}): Promise<PageFinding> =>
  new Promise((resolve) => {
    const start = performance.now();
    const since = () => Math.round(performance.now() - start);
    const times: ProbeTimes = { loader: null, typeable: null, ready: null };
    const codes: string[] = [];
    let release: string | null = null;
    const end = (how: PageFinding['end'], detail = '', hasTotal = false) =>
      resolve({ end: how, times, release, hasTotal, detail, codes });
    setTimeout(end, timeout, 'timeout');

    const mount = () => {
      const api = window.CardForm;
      if (api === undefined) return end('threw', 'the script defines no CardForm');
      release = api.version;
      times.loader = since();
      try {
        const form = api.mount('#card-form', { publishableKey, clientSecret, locale: 'en' });
        form.on('error', ({ code }) => codes.push(code));
        form.on('loaderror', ({ reason, message }) => end('loaderror', `${reason}: ${message}`));
        form.on('result', (result) => {
          codes.push(result.outcome === 'failed' ? result.error.code : result.outcome);
        });
        form.on('ready', ({ amountTotal }) => {
          const at = since();
          form.diagnostics().then(({ timings: { typeable } }) => {
            times.typeable = typeable === undefined ? null : Math.round(typeable - start);
            times.ready = amountTotal === null ? null : at;
            end('ready', '', amountTotal !== null);
          });
        });
      } catch (error) {
        end('threw', error instanceof Error ? error.message : `${error}`);
      }
    };
    const script = document.createElement('script');
    script.onload = mount;
    script.onerror = () => end('no_loader');
    script.src = loader;
    document.head.append(script);
  });

/**
 * Removes APIs that the form doesn't use and that could send data past the probe. Runs in every document before its own
 * scripts. This is only a second line of defence: requests are blocked outside the page.
 */
export const disarm = (): void => {
  const names = [
    'EventSource',
    'RTCPeerConnection',
    'SharedWorker',
    'WebSocket',
    'WebSocketStream',
    'WebTransport',
    'Worker',
    'fetchLater',
  ];
  for (const name of names) Reflect.deleteProperty(globalThis, name);
  Reflect.deleteProperty(Navigator.prototype, 'sendBeacon');
  Reflect.deleteProperty(Navigator.prototype, 'serviceWorker');
};

/** All visible or typed text of a document. Runs in each frame. */
export const visibleText = (): string =>
  [
    document.documentElement?.innerText ?? '',
    ...Array.from(document.querySelectorAll('input, textarea'), (field) =>
      'value' in field ? `${field.value}` : '',
    ),
  ].join('\n');
