/**
 * One form on the page, from mount to unmount: an iframe in a container, or a sentence in its place. Its
 * promises never reject and always settle, also when the page removes the container without telling anybody.
 */
import type { ColorScheme, FrameMessage, Result } from '../channel/messages.ts';
import { CHANNEL } from '../channel/protocol.ts';
import { connect } from './connect.ts';
import { mistake } from './errors.ts';
import { createEvents } from './events.ts';
import { createFallback } from './fallback.ts';
import { createIframe, STYLE } from './iframe.ts';
import { checkOptions } from './options.ts';
import type { CardFormInstance, CardFormOptions, LoadErrorReason } from './types.ts';

declare const __RELEASE__: string;

/** How long a frame may take to say hello. Only hello counts: `load` fires for error pages, too. */
const HELLO_WITHIN = 10_000;

/** How long after `load`, which comes after the hello of a document of ours. */
const HELLO_AFTER_LOAD = 2000;

/** Containers and client secrets of the forms that stand. */
const taken = new Set<Element | string>();

/**
 * Puts the frame document of the release, whose files are below `folder`, into the container, or takes the one that
 * the page put there itself. `page` is what the page gave.
 */
export const createForm = (
  container: Element,
  page: CardFormOptions,
  folder: string,
  release: string,
): CardFormInstance => {
  page.signal?.throwIfAborted();
  const options = checkOptions(page);
  const clientSecret = options.clientSecret === true ? container : options.clientSecret;
  if (taken.has(container) || taken.has(clientSecret)) {
    throw mistake('already_mounted', 'unmount() first');
  }
  taken.add(container).add(clientSecret);
  const src = `${folder}/frame.html`;
  const { origin } = new URL(src);
  const { emit, ...events } = createEvents();
  const end = new AbortController();
  const { signal } = end;
  /** Asks the page for the secret of an intent. */
  const fetchSecret = async () => page.fetchClientSecret?.();

  /** An iframe that the page put into its own HTML. */
  const early = container.querySelector<HTMLIFrameElement>('[data-card-form-frame]');
  /** What stands in the container; a window belongs to it if it is the iframe. */
  let shown: HTMLElement & { contentWindow?: Window | null } = early ?? createIframe(src);
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** How often the iframe's document has said hello: once, and once more when it was reloaded. */
  let hellos = 0;
  /** How many documents it has had. */
  let loads = 0;
  /** A payment was sent, and its outcome is not known. */
  let inFlight = false;
  let settle = (_: Result) => {};
  /** The latest answer of the page, so that a frame that was reloaded gets the same. */
  let secret = clientSecret === container && fetchSecret();
  let classes: readonly string[] = [];

  const when = <Detail>(name: 'ready' | 'diagnostics') =>
    new Promise<Detail>((resolve) => {
      events.once(name, resolve);
    });
  const say = (type: 'refresh' | 'submit' | 'blur' | 'clear') => () => post({ type });

  /** As the container is painted, which the iframe inherits. In another the browser would paint it opaque. */
  const dress = (): { colorScheme: ColorScheme } => {
    const schemes = getComputedStyle(container).colorScheme;
    const isDark = matchMedia('(prefers-color-scheme:dark)').matches;
    return { colorScheme: /dark/.test(schemes) && (isDark || !/light/.test(schemes)) ? 'dark' : 'light' };
  };

  const mark = (next: readonly string[]) => {
    container.classList.remove(...classes);
    container.classList.add(...next);
    classes = next;
  };

  const clear = () => {
    clearTimeout(timer);
    shown.remove();
    mark([]);
  };

  const show = (element: HTMLElement) => {
    clear();
    shown = element;
    container.append(element);
  };

  const fail = (reason: LoadErrorReason, retry?: () => void) => {
    show(createFallback(retry));
    emit('loaderror', { reason, message: `${reason}: ${src}` });
  };

  const begin = (iframe: HTMLIFrameElement) => {
    if (iframe !== early) show(iframe);
    iframe.style.cssText = STYLE;
    hellos = loads = 0;
    iframe.onload = () => {
      if (++loads <= hellos) return;
      // A document that is not ours stands in its place, unless it says hello.
      clearTimeout(timer);
      timer = setTimeout(hellos ? shutOut : miss, HELLO_AFTER_LOAD, 'http');
    };
    iframe.ontransitionend = () => post({ type: 'update', ...dress() });
    timer = setTimeout(miss, HELLO_WITHIN);
  };

  const start = () => begin(createIframe(src));

  /** The frame, or a part of it, does not come. */
  const miss = (reason: LoadErrorReason = 'timeout') => fail(navigator.onLine ? reason : 'offline', start);

  const give = (clientSecret: string | null = null) => post({ type: 'secret', clientSecret });

  const receive = (message: FrameMessage) => {
    const { type } = message;
    if (type === 'height') {
      shown.style.height = `${message.height}px`;
      shown.style.colorScheme = ''; // from here on as the page is
    } else if (type === 'state') {
      mark(message.classes);
      inFlight = message.inFlight;
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
      if (type === 'result') settle(message.result);
      // The answer to diagnostics() is no event of the page's, but comes by the same way.
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
    fail('blocked');
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
    if (!shown.isConnected) unmount();
  });
  for (let inner: Element | undefined = container; inner; ) {
    // A change inside a shadow root is not seen from outside.
    const root: Node & { readonly host?: Element } = inner.getRootNode();
    observer.observe(root, { childList: true, subtree: true });
    inner = root.host;
  }

  const post = connect(
    () => shown.contentWindow,
    origin,
    signal,
    (spoken) => {
      clearTimeout(timer);
      if (spoken !== release) {
        if (shown === early) start();
        else fail('version_mismatch', start);
        // While the form is being developed, its document is reloaded all the time.
      } else if (!hellos++ || ((__RELEASE__ === 'dev' || hellos < 3) && !inFlight)) {
        return { ...options, ...dress() };
      } else {
        // With a payment on its way nobody may begin anew unasked.
        shutOut();
      }
      return undefined;
    },
    receive,
  );
  document.addEventListener(
    'securitypolicyviolation',
    ({ disposition, blockedURI }) => {
      if (!hellos && disposition === 'enforce' && blockedURI.startsWith(origin)) fail('csp', start);
    },
    { signal },
  );
  page.signal?.addEventListener('abort', unmount, { signal });

  if (self.origin === 'null') fail('opaque_parent');
  else if (!isSecureContext) fail('insecure_context');
  else if (early) {
    begin(early);
    // Until it has loaded it is a document of the page's own origin, and its hello is still to come.
    if (!early.contentDocument) early.contentWindow?.postMessage({ channel: CHANNEL, type: 'knock' }, origin);
  } else start();

  return {
    ...events,
    update: (changes) => {
      Object.assign(options, changes);
      post({ ...changes, type: 'update' });
    },
    refresh: say('refresh'),
    submit: say('submit'),
    blur: say('blur'),
    clear: say('clear'),
    focus: (field) => post({ type: 'focus', field }),
    unmount,
    [Symbol.dispose]: unmount,
    diagnostics: () => {
      post({ type: 'diagnostics' });
      return when('diagnostics');
    },
    ready: when('ready'),
    result: new Promise((resolve) => {
      settle = resolve;
    }),
  };
};
