/**
 * One form on the page, from mount to unmount: an iframe in a container, or a sentence in its place. Its
 * promises never reject and always settle, also when the page removes the container without telling anybody.
 */
import type { ColorScheme, FrameMessage, Result } from '../channel/messages.ts';
import { connect } from './connect.ts';
import { mistake } from './errors.ts';
import { createEvents } from './events.ts';
import { createFallback } from './fallback.ts';
import { createIframe } from './iframe.ts';
import type { CheckedOptions } from './options.ts';
import type { CardFormInstance, LoadErrorReason } from './types.ts';

declare const __RELEASE__: string;

/** How long a frame may take to say hello. Only hello counts: `load` fires for error pages, too. */
const HELLO_WITHIN = 10_000;

/** Containers and client secrets of the forms that stand. */
const taken = new Set<Element | string>();

/** Puts the document at `src` into the container. `fetchSecret` asks the page for the secret of an intent. */
export const createForm = (
  container: Element,
  options: CheckedOptions,
  src: string,
  fetchSecret: () => Promise<string | undefined>,
): CardFormInstance => {
  const clientSecret = options.clientSecret === true ? container : options.clientSecret;
  if (taken.has(container) || taken.has(clientSecret)) {
    throw mistake('already_mounted', 'unmount() first');
  }
  taken.add(container).add(clientSecret);
  const { origin } = new URL(src);
  const { emit, ...events } = createEvents();
  const end = new AbortController();
  const { signal } = end;

  /** What stands in the container; a window belongs to it if it is the iframe. */
  let shown: (HTMLElement & { contentWindow?: Window | null }) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** How often the iframe's document has said hello: once, and once more when it was reloaded. */
  let hellos = 0;
  /** How many documents it has had. */
  let loads = 0;
  /** A payment was sent, and nothing has been heard of it since. */
  let inFlight = false;
  let settle = (_: Result) => {};
  /** The latest answer of the page, so that a frame that was reloaded gets the same. */
  let secret = clientSecret === container && fetchSecret();

  const prefersDark = matchMedia('(prefers-color-scheme:dark)');
  /** As the container is painted, which the iframe inherits. In another the browser would paint it opaque. */
  const colorScheme = (): ColorScheme => {
    const schemes = getComputedStyle(container).colorScheme;
    return /dark/.test(schemes) && (prefersDark.matches || !/light/.test(schemes)) ? 'dark' : 'light';
  };

  const clear = () => {
    clearTimeout(timer);
    shown?.remove();
  };

  const show = (element: HTMLElement) => {
    clear();
    shown = element;
    container.append(element);
  };

  const fail = (reason: LoadErrorReason, retry?: () => void): undefined => {
    show(createFallback(retry));
    emit('loaderror', { reason, message: `${reason}: ${src} in ${self.origin}` });
  };

  const start = () => {
    hellos = loads = 0;
    const iframe = createIframe(src);
    iframe.onload = () => {
      if (++loads <= hellos || !hellos) return;
      // A document that is not ours stands in its place, unless it says hello.
      clearTimeout(timer);
      timer = setTimeout(shutOut, HELLO_WITHIN);
    };
    show(iframe);
    timer = setTimeout(miss, HELLO_WITHIN);
  };

  /** The frame, or a part of it, does not come. */
  const miss = () => fail(navigator.onLine ? 'timeout' : 'offline', start);

  const give = (clientSecret: string | null = null) => post({ type: 'secret', clientSecret });

  const receive = (message: FrameMessage) => {
    const { type } = message;
    if (type === 'height') {
      if (shown) {
        shown.style.height = `${message.height}px`;
        shown.style.colorScheme = ''; // from here on as the page is
      }
    } else if (type === 'loaderror') {
      miss();
    } else if (type === 'secret') {
      if (message.anew || !secret) {
        options.clientSecret = true; // the first is of no use to a frame that is reloaded
        secret = fetchSecret();
      }
      secret.then(give); // what it rejects with is the page's error, reported as such
      secret.catch(() => give());
    } else {
      inFlight = type === 'processing' || (inFlight && !/^(am|de|er|re)/.test(type));
      if (type === 'result') settle(message.result);
      emit(type, Reflect.get(message, type) ?? message); // an error or a result is what the message has of its name
    }
  };

  const giveUp = () => {
    const result = { outcome: 'unknown', reason: 'unmounted', paymentIntent: null } as const;
    settle(result);
    if (inFlight) emit('result', result);
    inFlight = false;
  };

  const shutOut = () => {
    giveUp();
    return fail('blocked');
  };

  const unmount = () => {
    if (signal.aborted) return;
    end.abort();
    observer.disconnect();
    clear();
    taken.delete(container);
    taken.delete(clientSecret);
    giveUp();
  };

  // Called after the page's whole change, so what was only moved is connected again.
  const observer = new MutationObserver(() => {
    if (shown?.isConnected === false) unmount();
  });
  for (let inner: Element | undefined = container; inner; ) {
    // A change inside a shadow root is not seen from outside.
    const root: Node & { readonly host?: Element } = inner.getRootNode();
    observer.observe(root, { childList: true, subtree: true });
    inner = root.host;
  }

  const post = connect(
    () => shown?.contentWindow,
    origin,
    signal,
    (understood) => {
      clearTimeout(timer);
      if (!understood) return fail('version_mismatch', start);
      // While the form is being developed, its document is reloaded all the time.
      if (!hellos++ || ((__RELEASE__ === 'dev' || hellos < 3) && !inFlight))
        return { ...options, colorScheme: colorScheme() };
      // With a payment on its way nobody may begin anew unasked.
      return shutOut();
    },
    receive,
  );
  prefersDark.addEventListener('change', () => post({ type: 'update', colorScheme: colorScheme() }), {
    signal,
  });
  document.addEventListener(
    'securitypolicyviolation',
    ({ disposition, blockedURI }) => {
      if (!hellos && disposition === 'enforce' && blockedURI.startsWith(origin)) {
        fail('csp', start);
      }
    },
    { signal },
  );

  if (self.origin === 'null') fail('opaque_parent');
  else if (isSecureContext) start();
  else fail('insecure_context');

  return {
    ...events,
    refresh: () => post({ type: 'refresh' }),
    submit: () => post({ type: 'submit' }),
    unmount,
    ready: new Promise((resolve) => {
      events.once('ready', () => resolve());
    }),
    result: new Promise((resolve) => {
      settle = resolve;
    }),
  };
};
