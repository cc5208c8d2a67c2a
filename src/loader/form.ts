/**
 * One form on the page, from mount to unmount: an iframe in a container, or a sentence in its place. Its
 * promises never reject and always settle, also when the page removes the container without telling anybody.
 */
import type { ColorScheme, FrameMessage, Hello, HostMessage, Init, Result } from '../channel/messages.ts';
import { CHANNEL, PROTOCOL } from '../channel/protocol.ts';
import { element } from './element.ts';
import { mistake } from './errors.ts';
import { createEvents } from './events.ts';
import { createIframe, STYLE } from './iframe.ts';
import { checkOptions } from './options.ts';
import type {
  CardFormDiagnosis,
  CardFormInstance,
  CardFormOptions,
  CardFormUpdate,
  LoadErrorReason,
} from './types.ts';

declare const __RELEASE__: string;

/** How long a frame may take to say hello. Only hello counts: `load` fires for error pages, too. */
const HELLO_WITHIN = 10_000;

/** How long after `load`, which comes after the hello of a document of ours. */
const HELLO_AFTER_LOAD = 2000;

/** What an element stands in: a document, or a shadow root of the host. */
type Rooted = Node & { readonly host?: Element };

/** Says something to the frame. */
type Post = <Type extends HostMessage['type']>(
  type: Type,
  more?: Omit<Extract<HostMessage, { type: Type }>, 'type'>,
) => void;

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
  const { clientSecret } = options;
  const payment = clientSecret === true ? container : clientSecret;
  if (taken.has(container) || taken.has(payment)) {
    throw mistake('already_mounted', 'unmount() first');
  }
  taken.add(container).add(payment);
  const src = `${folder}/frame.html`;
  const { origin } = new URL(src);
  const { emit, ...events } = createEvents();
  const end = new AbortController();
  /** Asks the page for the secret of an intent. */
  const fetchSecret = async () => page.fetchClientSecret?.();

  /** The iframe that the page put into its own HTML, or ours. */
  const first = container.querySelector<HTMLIFrameElement>('[data-card-form-frame]') ?? createIframe(src);
  /** What stands in the container; a window belongs to it if it is the iframe. */
  let shown: HTMLElement & { contentWindow?: Window | null } = first;
  let port: MessagePort | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** How often the iframe's document has said hello: once, and once more when it was reloaded. */
  let hellos = 0;
  /** How many documents it has had. */
  let loads = 0;
  /** A payment was sent, and its outcome is not known. */
  let inFlight = false;
  /** The latest answer of the page, so that a frame that was reloaded gets the same. */
  let secret = payment === container && fetchSecret();
  let classes: readonly string[] = [];
  /** What the loader itself has to say for `diagnostics()`. */
  let log: readonly CardFormDiagnosis[] = [];

  const post: Post = (type, more) => port?.postMessage({ ...more, type });
  const when = <Detail>(name: 'ready' | 'result' | 'unmount' | 'diagnostics') =>
    new Promise<Detail>((resolve) => events.once(name, resolve));

  /** As the container is painted, which the iframe inherits. In another the browser would paint it opaque. */
  const dress = (schemes = getComputedStyle(container).colorScheme): { colorScheme: ColorScheme } => ({
    colorScheme:
      /dark/.test(schemes) && (matchMedia('(prefers-color-scheme:dark)').matches || !/light/.test(schemes))
        ? 'dark'
        : 'light',
  });

  const update = (changes?: CardFormUpdate) => {
    Object.assign(options, changes);
    post('update', { ...changes, ...dress() });
  };

  const mark = (next: readonly string[]) => {
    container.classList.remove(...classes);
    container.classList.add(...next);
    classes = next;
  };

  const show = (...next: readonly HTMLElement[]) => {
    clearTimeout(timer);
    mark([]);
    hellos = loads = 0;
    emit('diagnostics', log); // who waits for an answer of the frame's would wait for ever
    shown.remove();
    container.append(...next);
    [shown = shown] = next;
  };

  const fail = (reason: LoadErrorReason = 'timeout', isFinal?: boolean, detail = src) => {
    if (!isFinal && !navigator.onLine) reason = 'offline';
    const message = `${reason}: ${detail}`;
    log = [{ at: 0, event: 'loaderror', what: message }];
    show(element('div', { role: 'alert', textContent: 'Card form does not load. ' }));
    if (!isFinal) {
      shown.append(element('button', { type: 'button', textContent: 'Try again', onclick: () => begin() }));
    }
    emit('loaderror', { reason, message });
  };

  const begin = (iframe = createIframe(src)) => {
    if (!iframe.isConnected) show(iframe);
    iframe.style.cssText = STYLE;
    iframe.onload = () => {
      if (++loads > hellos) {
        // A document that is not ours stands in its place, unless it says hello.
        clearTimeout(timer);
        timer = setTimeout(hellos ? shutOut : fail, HELLO_AFTER_LOAD, 'http');
      }
    };
    iframe.ontransitionend = () => update();
    timer = setTimeout(fail, HELLO_WITHIN);
    // Until it has loaded it is a document of the page's own origin, and its hello is still to come.
    if (!iframe.contentDocument)
      iframe.contentWindow?.postMessage({ channel: CHANNEL, type: 'knock' }, origin);
  };

  const give = (clientSecret: string | null = null) => post('secret', { clientSecret });

  const receive = ({ data: message }: MessageEvent<FrameMessage>) => {
    const { type } = message;
    const details: { readonly [name: string]: unknown } = message;
    if (type === 'height') {
      shown.style.height = `${message.height}px`;
      shown.style.colorScheme = ''; // from here on as the page is
    } else if (type === 'state') {
      mark(message.classes);
      inFlight = message.inFlight;
    } else if (type === 'loaderror') {
      fail();
    } else if (type === 'secret') {
      if (message.anew || !secret) secret = fetchSecret();
      secret.then(give); // what it rejects with is the page's error, reported as such
      secret.catch(() => give());
    } else {
      // The answer to diagnostics() is no event of the page's, but comes by the same way.
      emit(type, details[type] ?? message); // an error or a result is what the message has of its name
    }
  };

  const giveUp = () => {
    const result = { outcome: 'unknown', reason: 'unmounted', paymentIntent: null } as const;
    emit(inFlight ? 'result' : 'unmount', result);
    inFlight = false;
  };

  const shutOut = () => {
    giveUp();
    fail('blocked', true);
  };

  const unmount = () => end.abort();
  end.signal.onabort = () => {
    observer.disconnect();
    show();
    port?.close();
    taken.delete(container);
    taken.delete(payment);
    giveUp();
  };

  // Called after the page's whole change, so what was only moved is connected again.
  const observer = new MutationObserver(() => shown.isConnected || unmount());
  // A change inside a shadow root is not seen from outside.
  for (let inner: Element | undefined = container, root: Rooted; inner; inner = root.host) {
    root = inner.getRootNode();
    observer.observe(root, { childList: true, subtree: true });
  }

  addEventListener(
    'message',
    ({ data, source, origin: from }: MessageEvent<Partial<Hello> | null | undefined>) => {
      if (!source || source !== shown.contentWindow || from !== origin) return;
      // Hello is the one message our document ever sends to a window.
      if (data?.channel !== CHANNEL || (data.again && port)) return;
      clearTimeout(timer);
      // The release says all: of the loader's own the frame speaks its protocol.
      if (data.release !== release) {
        if (shown === first) begin();
        else fail('version_mismatch');
        // While the form is being developed, its document is reloaded all the time.
      } else if (!hellos++ || ((__RELEASE__ === 'dev' || hellos < 3) && !inFlight)) {
        const pipe = new MessageChannel();
        port?.close();
        port = pipe.port1;
        port.onmessage = receive;
        source.postMessage(
          {
            ...options,
            ...dress(),
            clientSecret: secret ? true : clientSecret,
            channel: CHANNEL,
            type: 'init',
            protocol: PROTOCOL,
          } satisfies Init,
          origin,
          [pipe.port2],
        );
      } else {
        // With a payment on its way nobody may begin anew unasked.
        shutOut();
      }
    },
    end,
  );
  addEventListener(
    'securitypolicyviolation',
    ({ disposition, blockedURI, violatedDirective }) => {
      if (!hellos && disposition === 'enforce' && blockedURI.startsWith(origin)) {
        fail('csp', false, `add ${violatedDirective} ${origin}`);
      }
    },
    end,
  );
  page.signal?.addEventListener('abort', unmount, end);

  if (self.origin === 'null') fail('opaque_parent', true);
  else if (!isSecureContext) fail('insecure_context', true);
  else begin(first);

  return {
    ...events,
    update,
    refresh: () => post('refresh'),
    submit: () => post('submit'),
    blur: () => post('blur'),
    clear: () => post('clear'),
    focus: (field) => post('focus', { field }),
    unmount,
    [Symbol.dispose]: unmount,
    diagnostics: () => {
      if (hellos) post('diagnostics');
      else emit('diagnostics', log);
      return when('diagnostics');
    },
    ready: when('ready'),
    result: Promise.race([when<Result>('result'), when<Result>('unmount')]),
  };
};
