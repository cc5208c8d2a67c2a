/**
 * `mount()`: one form, from mount to unmount. It reads in the order of the form's life: load the iframe, connect to the
 * frame, exchange messages, fail, unmount. The form's promises never reject, and `result` always settles, even if the
 * page removes the container without calling `unmount()`.
 */
import type { FrameMessage, Hello, HostMessageInput, InitInput, Result, State } from '../channel/messages.ts';
import { CHANNEL, PROTOCOL } from '../channel/protocol.ts';
import { developer, throwMistake } from './errors.ts';
import { createEvents } from './events.ts';
import { createIframe, STYLE } from './iframe.ts';
import type { PageScript } from './import-verified.ts';
import { createLoadErrorAlert } from './load-error-alert.ts';
import { checkOptions } from './options.ts';
import type {
  CardFormApi,
  CardFormDiagnostics,
  CardFormEvents,
  CardFormUpdate,
  CardFormValidation,
  LoadErrorReason,
} from './types.ts';
import { unclobbered } from './unclobbered.ts';
import { unclobberedDocument } from './unclobbered-document.ts';

declare const __RELEASE__: string;

/**
 * How long the frame may take to say hello, and then to post its first message, in ms. Neither hello, which the document's
 * head says, nor the `load` event, which error pages fire, too, proves that all of the document has arrived.
 */
const ANSWER_TIMEOUT = 10_000;

/** How long after a `load` event, in ms, a document may take to say hello. Ours does it before the event. */
const HELLO_AFTER_LOAD = 2000;

/** An iframe is in the container, and its document has not said hello yet. */
const WAITING = 0;
/** An alert is in the container, in place of the iframe. */
const FAILED = 1;
/** The frame has said hello, and messages go over the port. If its document is reloaded, it connects again. */
const CONNECTED = 2;
/** The form was unmounted. It stays so. */
const REMOVED = 3;

/** The status of a form. Numbers, because every buyer would download strings. */
type Status = typeof WAITING | typeof FAILED | typeof CONNECTED | typeof REMOVED;

/** The content of the container: the iframe, or the alert in its place, which has no window. */
type Content = HTMLIFrameElement | (HTMLDivElement & { readonly contentWindow?: undefined });

/** The frame's last `state` message, as far as it is used later. */
type FrameState = Pick<State, 'classes'> & Partial<State>;

/** The answer to `validate()` if no frame can answer. Which other fields the country has, only a frame knows. */
const ALL_MISSING: CardFormValidation = {
  complete: false,
  canPay: false,
  missing: ['card', 'name', 'email', 'country', 'line1'],
  invalid: [],
};

/** Before the frame has posted its state. */
const NO_STATE: FrameState = { classes: [] };

/** What a message to the frame has besides its type. */
type Fields<Type extends HostMessageInput['type']> = Omit<Extract<HostMessageInput, { type: Type }>, 'type'>;

/** Posts a message to the frame. */
type Post = <Type extends HostMessageInput['type']>(type: Type, fields?: Fields<Type>) => void;

/** Containers and client secrets of all mounted forms: each can be in use once. */
const inUse = new Set<Element | string>();

/**
 * Creates the API, frozen so that no other script can replace `mount()`. `folder` is the address of the files of
 * `release`; `load` imports the loader's second file.
 */
export const createCardForm = (
  folder: string,
  release: string,
  load: () => Promise<PageScript>,
): CardFormApi =>
  Object.freeze({
    version: release,
    mount: (target, page) => {
      // Check the arguments. Only this part throws.

      const element = typeof target === 'string' ? unclobberedDocument.querySelector(target) : target;
      // Not an element: `container` is undefined, and `box` is not connected.
      const container: Element = unclobbered(Object(element)).closest?.(':not(iframe)');
      const box: Element = unclobbered(Object(container));
      if (!box.isConnected) throwMistake('target_not_found', `${target}`, page);
      page.signal?.throwIfAborted();
      const options = checkOptions(page);
      const { clientSecret } = page;
      const payment = clientSecret ?? container;
      if (inUse.has(container) || inUse.has(payment)) throwMistake('already_mounted', '', page);
      inUse.add(container).add(payment);

      const src = `${folder}/frame.html`;
      const { origin: service } = new URL(folder);
      const [emit, events] = createEvents();
      const listening = new AbortController();
      const fetchSecret = async () => page.fetchClientSecret?.();

      /** How often a frame was of another release. After the first time, a new iframe is tried. */
      let mismatches = 0;
      let port: MessagePort | undefined;
      let status: Status = WAITING;
      /** How often documents of this iframe said hello: once, and once more after a reload. */
      let hellos = 0;
      /** How often documents were loaded into this iframe. */
      let documents = 0;
      let content: Content | null | undefined = box.querySelector<HTMLIFrameElement>(
        'iframe[data-card-form-frame]',
      );
      /** The latest result of `fetchClientSecret`, which a reloaded frame gets again. */
      let fetchedSecret = clientSecret ? undefined : fetchSecret();
      let frameState = NO_STATE;
      let timer: ReturnType<typeof setTimeout> | undefined;
      /** What `diagnostics()` resolves to if no frame can answer. */
      let diagnostics: CardFormDiagnostics = {
        release,
        timings: { mounted: performance.now() },
        presses: {},
        troubles: {},
        entries: [],
      };

      const setFrameState = (next: FrameState) => {
        box.classList.remove(...frameState.classes);
        box.classList.add(...next.classes);
        frameState = next;
      };

      /** Answers the questions that no frame will answer, because none is connected or the one that was asked is gone. */
      const answerForFrame = () => {
        emit('diagnostics', diagnostics);
        emit('validate', ALL_MISSING);
      };

      /** Asks the frame, which answers with a message of the same name. */
      const ask = <Question extends 'diagnostics' | 'validate', Answer>(
        question: Question,
        fields?: Fields<Question>,
      ) => {
        post(question, fields);
        if (status !== CONNECTED) answerForFrame();
        return when<Answer>(question); // events are never emitted at once
      };

      /** Enters a status and replaces the content of the container. */
      const enter = (next: Status, nextContent?: Content) => {
        setFrameState(NO_STATE);
        status = next;
        answerForFrame();
        content?.remove();
        if (nextContent) box.append(nextContent);
        content = nextContent;
        clearTimeout(timer);
        hellos = documents = 0;
      };

      // Load the iframe.

      const loadFrame = (early?: HTMLIFrameElement | null) => {
        const iframe = early ?? createIframe(src);
        if (!early) enter(WAITING, iframe);
        iframe.style = STYLE;
        iframe.onload = () => {
          if (++documents > hellos) {
            // This document is not ours, unless it says hello soon.
            clearTimeout(timer);
            timer = setTimeout(hellos ? abandon : fail, HELLO_AFTER_LOAD, 'http');
          }
        };
        timer = setTimeout(fail, ANSWER_TIMEOUT);
        iframe.ontransitionend = () => update();
        // An early iframe may have said hello before this script ran, so ask for it again. Not while the iframe still has
        // the initial empty document, which is of the page's own origin: its hello is yet to come.
        if (!iframe.contentDocument) iframe.contentWindow?.postMessage({ channel: CHANNEL }, service);
      };

      const connect = (frame: Window | null | undefined) => {
        answerForFrame();
        status = CONNECTED;
        hellos++;
        timer = setTimeout(fail, ANSWER_TIMEOUT);
        update();
        const pipe = new MessageChannel();
        port = pipe.port1;
        port.onmessage = receive;
        frame?.postMessage(
          {
            ...options,
            protocol: PROTOCOL,
            clientSecret: (!fetchedSecret && clientSecret) || true,
            channel: CHANNEL,
          } satisfies InitInput,
          service,
          [pipe.port2],
        );
      };

      // Exchange messages.

      const post: Post = (type, fields) =>
        status < REMOVED
          ? port?.postMessage({ ...fields, type })
          : developer.explain?.('unmounted', type, options);

      const update = (changes?: CardFormUpdate) => {
        const all = {
          ...changes,
          // The iframe inherits the container's color-scheme; if its document's differs, the browser paints it opaque.
          colorScheme: `${getComputedStyle(container).colorScheme} ${matchMedia('(prefers-color-scheme:dark)').matches}`,
        };
        Object.assign(options, all);
        post('update', all);
      };

      const receive = ({ data: message }: MessageEvent<FrameMessage>) => {
        // Unless the timer runs for another document in place of ours, whose last messages these are.
        if (documents <= hellos) clearTimeout(timer);
        const { type } = message;
        const fields: { readonly [name: string]: unknown } = message;
        if (type === 'state') {
          setFrameState(message);
          if (content) {
            content.style.height = `${message.height}px`;
            content.style.colorScheme = ''; // from now on inherited: the document follows it
          }
        } else if (type === 'loaderror') {
          // Not with a payment in flight: the frame still has to report its outcome.
          if (!frameState.sent) fail(message.reason, message.file);
        } else if (type === 'secret') {
          if (message.anew || !fetchedSecret) fetchedSecret = fetchSecret();
          fetchedSecret.then((clientSecret) => post('secret', { clientSecret })); // a rejection is reported as the page's error
          fetchedSecret.catch(() => post('secret'));
        } else if (type === 'covers' || type === 'beforepay') {
          load()
            .then(({ answer }) => answer(message, content, page))
            .then(
              (answer) => post(type, answer),
              () => post(type), // the frame decides what follows from no answer
            );
        } else {
          // A public event, or the answer to diagnostics(). Its detail is the field named like it, else the message.
          emit(type, fields[type] ?? message);
        }
      };

      // Fail.

      const fail = (reason: LoadErrorReason = 'timeout', detail = src, isFinal?: boolean) => {
        if (!(isFinal || navigator.onLine)) reason = 'offline';
        const alert = createLoadErrorAlert(reason, options, isFinal ? undefined : () => loadFrame());
        const message = `${reason}: ${detail}`;
        emit('loaderror', { reason, message });
        developer.explain?.(reason, detail, options);
        diagnostics = { ...diagnostics, entries: [{ what: message, event: 'loaderror', at: 0 }] };
        enter(FAILED, alert);
      };

      /** Something reloads or replaces the frame's document. The buyer cannot try again, since it may be an attack. */
      const abandon = () => {
        settleUnknown();
        fail('blocked', src, true);
      };

      // Unmount.

      const when = <Detail>(
        ...names: readonly ('ready' | 'result' | 'unmount' | 'diagnostics' | 'validate')[]
      ) =>
        new Promise<Detail>((resolve) => {
          for (const name of names) events.once(name, resolve);
        });

      /** Resolves `result` as unknown if it is pending. Emits the event only if a payment was sent. */
      const settleUnknown = () =>
        emit(frameState.sent ? 'result' : 'unmount', {
          paymentIntent: null,
          reason: 'unmounted',
          outcome: 'unknown',
        });

      const unmount = () => {
        if (status === REMOVED) return;
        listening.abort();
        inUse.delete(payment);
        settleUnknown();
        enter(REMOVED);
        observer.disconnect();
        port?.close();
        inUse.delete(container);
      };

      // Runs after the page's script, so a container that was only moved is connected again.
      const observer = new MutationObserver(() => content?.isConnected || unmount());
      // Observers do not see into shadow roots, so observe each root around the container.
      for (let node: (Node & { host?: Element }) | undefined = box; node; node = unclobbered(node).host) {
        node = node.getRootNode();
        observer.observe(node, { childList: true, subtree: true });
      }

      page.signal?.addEventListener('abort', unmount, listening);
      addEventListener(
        'message',
        ({ source, origin: from, data }: MessageEvent<Partial<Hello> | null | undefined>) => {
          // Hello is the only message that our document sends to a window; all others go through the port.
          if (data?.channel !== CHANNEL || from !== service || source !== content?.contentWindow) return;
          if (data.again && status === CONNECTED) return;
          clearTimeout(timer);
          // A reloaded frame must not connect again with a payment in flight, nor more than once. In development the
          // document is reloaded at each change of a source file.
          if (frameState.sent || (__RELEASE__ !== 'dev' && hellos > 1)) abandon();
          // The same release speaks the same protocol.
          else if (data.release === release) connect(source);
          else if (mismatches++) fail('version_mismatch');
          else loadFrame();
        },
        listening,
      );
      addEventListener(
        'securitypolicyviolation',
        (violation) => {
          if (
            status !== CONNECTED &&
            violation.disposition === 'enforce' &&
            violation.blockedURI.startsWith(service)
          ) {
            fail('csp', `${violation.violatedDirective} ${service}`);
          }
        },
        listening,
      );

      if (origin === 'null') fail('opaque_parent', src, true);
      else if (!isSecureContext) fail('insecure_context', src, true);
      else loadFrame(content);

      return {
        ...events,
        update,
        refresh: () => post('refresh'),
        focus: (field) => post('focus', { field }),
        blur: () => post('blur'),
        submit: () => post('submit'),
        diagnostics: () => ask('diagnostics', { ...diagnostics, timeOrigin: performance.timeOrigin }),
        validate: () => ask('validate'),
        unmount,
        result: when<Result>('result', 'unmount'),
        ready: when<CardFormEvents['ready']>('ready'),
        clear: () => post('clear'),
        [Symbol.dispose]: unmount,
      };
    },
  });
