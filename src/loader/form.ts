/**
 * One form on the page, from mount to unmount: an iframe in a container, or a sentence in its place. Its
 * promises never reject and always settle, also when the page removes the container without telling anybody.
 */
import type { FrameMessage, Hello, HostMessageInput, InitInput, Result, State } from '../channel/messages.ts';
import { CHANNEL, PROTOCOL } from '../channel/protocol.ts';
import { createElement } from './create-element.ts';
import { throwMistake } from './errors.ts';
import { createEvents } from './events.ts';
import { createIframe, STYLE } from './iframe.ts';
import type { PageScript } from './import-verified.ts';
import { createLoadErrorAlert } from './load-error-alert.ts';
import { checkOptions } from './options.ts';
import type { CardFormApi, CardFormDiagnosis, CardFormUpdate, LoadErrorReason } from './types.ts';
import { unclobbered } from './unclobbered.ts';
import { unclobberedDocument } from './unclobbered-document.ts';

declare const __RELEASE__: string;

/** How long a frame may take to say hello. Only hello counts: `load` fires for error pages, too. */
const HELLO_WITHIN = 10_000;

/** How long after `load`, which comes after the hello of a document of ours. */
const HELLO_AFTER_LOAD = 2000;

/** Says something to the frame. */
type Post = <Type extends HostMessageInput['type']>(
  type: Type,
  more?: Omit<Extract<HostMessageInput, { type: Type }>, 'type'>,
) => void;

/** What is known of a form: the classes for its container, and whether a payment was sent whose outcome is not known. */
type Known = Pick<State, 'classes'> & Partial<State>;

/** Before the frame has said anything. */
const NOTHING: Known = { classes: [] };

/** What stands in the container: the iframe, or a sentence in its place, which has no window. */
type Shown = HTMLIFrameElement | (HTMLDivElement & { readonly contentWindow?: undefined });

/** Containers and client secrets of the forms that stand. */
const taken = new Set<Element | string>();

/**
 * Makes the API, frozen so that no other script can put a mount() of its own in place. It puts the frame document of
 * the release, whose files are below `folder`, into the page, or takes the one that the page put there itself.
 */
export const createCardForm = (
  folder: string,
  release: string,
  load: () => Promise<PageScript>,
): CardFormApi =>
  Object.freeze({
    version: release,
    mount: (target, page) => {
      const place = typeof target === 'string' ? unclobberedDocument.querySelector(target) : target;
      /** No element, where no element was given; then the box, which is none either, is not connected. */
      const container: Element = unclobbered(Object(place)).closest?.(':not(iframe)');
      /** A container that is a form may have fields named as what is asked of it. */
      const box: Element = unclobbered(Object(container));
      if (!box.isConnected) throwMistake('target_not_found', `no ${target}`);
      page.signal?.throwIfAborted();
      const options = checkOptions(page);
      const { clientSecret } = page;
      const payment = clientSecret ?? container;
      if (taken.has(container) || taken.has(payment)) {
        throwMistake('already_mounted', 'unmount() first');
      }
      taken.add(container).add(payment);
      const src = `${folder}/frame.html`;
      const { origin: service } = new URL(folder);
      const [emit, events] = createEvents();
      const end = new AbortController();
      /** Asks the page for the secret of an intent. */
      const fetchSecret = async () => page.fetchClientSecret?.();

      const unmount = () => {
        if (!shown) return; // unmounted already
        end.abort();
        taken.delete(payment);
        giveUp();
        show();
        port?.close();
        observer.disconnect();
        taken.delete(container);
      };

      /** What stands in the container, first of all the iframe that the page put into its own HTML. */
      let shown: Shown | null | undefined = box.querySelector<HTMLIFrameElement>(
        'iframe[data-card-form-frame]',
      );
      /** What the loader itself has to say for `diagnostics()`. */
      let log: readonly CardFormDiagnosis[] = [];
      let timer: ReturnType<typeof setTimeout> | undefined;
      let port: MessagePort | undefined;
      /** What the frame said last of how the form is. */
      let state: Known = NOTHING;
      /** How often it was of another release: the first time another is tried. */
      let mismatches = 0;
      /** The latest answer of the page, so that a frame that was reloaded gets the same. */
      let secret = !clientSecret && fetchSecret();
      /** How often the iframe's document has said hello: once, and once more when it was reloaded. */
      let hellos = 0;

      const post: Post = (type, more) => port?.postMessage({ ...more, type });
      const receive = ({ data: message }: MessageEvent<FrameMessage>) => {
        const { type } = message;
        const details: { readonly [name: string]: unknown } = message;
        if (type === 'state') {
          mark(message);
          if (shown) {
            shown.style.height = `${message.height}px`;
            shown.style.colorScheme = ''; // from here on as the page is
          }
        } else if (type === 'loaderror') {
          // Not during a payment: what became of it is still to come.
          if (!state.sent) fail(message.reason, message.file);
        } else if (type === 'secret') {
          if (message.anew || !secret) secret = fetchSecret();
          secret.then((clientSecret) => post('secret', { clientSecret })); // what it rejects with is the page's error, reported as such
          secret.catch(() => post('secret'));
        } else if (type === 'covers') {
          load()
            .then(({ checkCovers }) => checkCovers(shown, message.lines))
            .then(
              (sight) => post('covers', sight),
              () => post('covers'), // what cannot look does not keep a buyer from paying
            );
        } else {
          // The answer to diagnostics() is no event of the page's, but comes by the same way.
          emit(type, details[type] ?? message); // an error or a result is what the message has of its name
        }
      };

      const update = (changes?: CardFormUpdate) => {
        const news = {
          ...changes,
          // As the container is painted, which the iframe inherits. In another the browser would paint it opaque.
          colorScheme: `${getComputedStyle(container).colorScheme} ${matchMedia('(prefers-color-scheme:dark)').matches}`,
        };
        Object.assign(options, news);
        post('update', news);
      };

      const show = (next?: Shown) => {
        mark(NOTHING);
        emit('diagnostics', log); // who waits for an answer of the frame's would wait for ever
        hellos = 0;
        clearTimeout(timer);
        shown?.remove();
        if (next) box.append(next);
        shown = next;
      };

      const begin = (early?: HTMLIFrameElement | null) => {
        const iframe = early ?? createIframe(src);
        if (!early) show(iframe);
        /** How many documents it has had. */
        let loads = 0;
        iframe.style = STYLE;
        iframe.onload = () => {
          if (++loads > hellos) {
            // A document that is not ours stands in its place, unless it says hello.
            clearTimeout(timer);
            timer = setTimeout(hellos ? shutOut : fail, HELLO_AFTER_LOAD, 'http');
          }
        };
        timer = setTimeout(fail, HELLO_WITHIN);
        iframe.ontransitionend = () => update();
        // Until it has loaded it is a document of the page's own origin, and its hello is still to come.
        if (!iframe.contentDocument) iframe.contentWindow?.postMessage({ channel: CHANNEL }, service);
      };

      const fail = (reason: LoadErrorReason = 'timeout', detail = src, isFinal?: boolean) => {
        if (!isFinal && !navigator.onLine) reason = 'offline';
        const alert = createLoadErrorAlert(reason);
        if (!isFinal) {
          alert.append(
            createElement('button', { textContent: 'Try again', type: 'button', onclick: () => begin() }),
          );
        }
        const message = `${reason}: ${detail}`;
        emit('loaderror', { reason, message });
        log = [{ what: message, event: 'loaderror', at: 0 }];
        show(alert);
      };

      const when = <Detail>(...names: readonly ('ready' | 'result' | 'unmount' | 'diagnostics')[]) =>
        new Promise<Detail>((resolve) => {
          for (const name of names) events.once(name, resolve);
        });

      const giveUp = () => {
        const result = { reason: 'unmounted', paymentIntent: null, outcome: 'unknown' } as const;
        emit(state.sent ? 'result' : 'unmount', result);
      };

      const shutOut = () => {
        giveUp();
        fail('blocked', src, true);
      };

      const mark = (next: Known) => {
        box.classList.remove(...state.classes);
        box.classList.add(...next.classes);
        state = next;
      };

      // Called after the page's whole change, so what was only moved is connected again.
      const observer = new MutationObserver(() => shown?.isConnected || unmount());
      // A change inside a shadow root is not seen from outside.
      for (let node: (Node & { host?: Element }) | undefined = box; node; node = unclobbered(node).host) {
        node = node.getRootNode();
        observer.observe(node, { subtree: true, childList: true });
      }

      page.signal?.addEventListener('abort', unmount, end);
      addEventListener(
        'securitypolicyviolation',
        (violation) => {
          if (!hellos && violation.disposition === 'enforce' && violation.blockedURI.startsWith(service)) {
            fail('csp', `${violation.violatedDirective} ${service}`);
          }
        },
        end,
      );
      addEventListener(
        'message',
        ({ data, origin: from, source }: MessageEvent<Partial<Hello> | null | undefined>) => {
          // Hello is the one message our document ever sends to a window.
          if (data?.channel !== CHANNEL || source !== shown?.contentWindow || from !== service) return;
          if (data.again && port) return;
          clearTimeout(timer);
          // With a payment on its way nobody may begin anew unasked. While the form is being developed, its document is
          // reloaded all the time.
          if (state.sent || (__RELEASE__ !== 'dev' && hellos > 1)) shutOut();
          // The release says all: of the loader's own the frame speaks its protocol.
          else if (data.release === release) {
            hellos++;
            update();
            const pipe = new MessageChannel();
            port = pipe.port1;
            port.onmessage = receive;
            source?.postMessage(
              {
                ...options,
                clientSecret: (!secret && clientSecret) || true,
                protocol: PROTOCOL,
                channel: CHANNEL,
              } satisfies InitInput,
              service,
              [pipe.port2],
            );
          } else if (mismatches++) fail('version_mismatch');
          else begin();
        },
        end,
      );

      if (origin === 'null') fail('opaque_parent', src, true);
      else if (!isSecureContext) fail('insecure_context', src, true);
      else begin(shown);

      return {
        ...events,
        refresh: () => post('refresh'),
        submit: () => post('submit'),
        blur: () => post('blur'),
        unmount,
        diagnostics: () => {
          post('diagnostics');
          if (!hellos) emit('diagnostics', log); // nobody else answers
          return when('diagnostics');
        },
        [Symbol.dispose]: unmount,
        result: when<Result>('result', 'unmount'),
        update,
        ready: when('ready'),
        focus: (field) => post('focus', { field }),
        clear: () => post('clear'),
      };
    },
  });
