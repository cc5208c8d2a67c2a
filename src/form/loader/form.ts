/**
 * `mount()`: one form, from mount to unmount. It reads in the order of the form's life: load the iframe, connect to the
 * frame, exchange messages, fail, unmount. The form's promises never reject, and `result` always settles, even if the
 * page removes the container without calling `unmount()`.
 */
import { heightsOf, MARK } from '../channel/iframe-attributes.ts';
import type { FrameMessage, Hello, HostMessageInput, State } from '../channel/messages.ts';
import { ownProperties } from '../channel/own-property.ts';
import { CHANNEL, PROTOCOL } from '../channel/protocol.ts';
import type { InitInput } from '../channel/read-options.ts';
import type { CardFormStatus, Result } from '../channel/result.ts';
import { describeBackdrop } from './describe-backdrop.ts';
import { developer, throwMistake } from './errors.ts';
import { createEvents } from './events.ts';
import { createIframe, styleIframe } from './iframe.ts';
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

declare global {
  interface Document {
    /** Chromium only. */
    prerendering?: boolean;
  }
}

/** The exports of the loader's second file. */
export type PageScript = typeof import('./page.ts');

/**
 * How long the frame may take to say hello, and then to post its first message, in ms. Neither hello, which the document's
 * head says, nor the `load` event, which error pages fire, too, proves that all of the document has arrived.
 */
const ANSWER_TIMEOUT = 10_000;

/** How long after a `load` event, in ms, a document may take to say hello. Ours does it before the event. */
const HELLO_AFTER_LOAD = 2000;

/** The content of the container: the iframe, or the alert in its place, which has no window. */
type Content = HTMLIFrameElement | (HTMLDivElement & { readonly contentWindow?: undefined });

/** The frame's last `state` message, as far as it is used later. */
type FrameState = Pick<State, 'classes'> & Partial<State>;

/**
 * An iframe, or the alert in its place, until something else is put into the container. The build shortens these names
 * (`src/build/outputs.ts`): none of them may be a name of the page or the browser.
 */
export type Frame = {
  readonly content?: Content | null | undefined;
  /** How often documents of the iframe said hello: once, and once more after a reload. While 0, none is connected. */
  hellos: number;
  /** How often documents were loaded into the iframe. */
  documents: number;
  state: FrameState;
};

/** The answer to `validate()` if no frame can answer. Which other fields the country has, only a frame knows. */
const ALL_MISSING: CardFormValidation = {
  complete: false,
  canPay: false,
  missing: ['card', 'name', 'email', 'country', 'line1'],
  invalid: [],
};

/** What no frame can tell any more of a payment. */
const NOT_KNOWN = { reason: 'unmounted', paymentIntent: null, outcome: 'unknown' } as const;

/** Before the frame has posted its state. */
const NO_STATE: FrameState = { classes: [] };

/** What a message to the frame has besides its type. */
type Fields<Type extends HostMessageInput['type']> = Omit<Extract<HostMessageInput, { type: Type }>, 'type'>;

/** Posts a message to the frame. */
type Post = <Type extends HostMessageInput['type']>(type: Type, fields?: Fields<Type>) => void;

/**
 * Containers and client secrets of all mounted forms: each can be in use once. With each a function that says whether its
 * form is there, and unmounts it if its iframe has left the document.
 */
const inUse = new Map<Element | string, () => unknown>();

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
    retrieve: (options) =>
      load().then(
        ({ retrieve }) => retrieve(options),
        () => NOT_KNOWN,
      ),
    mount: (target, given) => {
      // Check the arguments. Only this part throws.

      const page = ownProperties(given); // a polluted prototype must not choose the payment
      const element = typeof target === 'string' ? unclobberedDocument.querySelector(target) : target;
      // Not an element: `container` is undefined, and `box` is not connected.
      const container: Element = unclobbered(Object(element)).closest?.(':not(iframe)');
      const box: Element = unclobbered(Object(container));
      if (!box.isConnected) throwMistake('target_not_found', `${target}`, page);
      const options = checkOptions(page);
      page.signal?.throwIfAborted();
      const { clientSecret } = page;
      /** The client secret; until the page has fetched one, an object of this form alone. */
      let payment = clientSecret ?? box;
      const isMounted = () => (frame.content ?? box).isConnected || unmount();
      const claim = (...keys: readonly (Element | string)[]) => {
        // Asked anew, since its page may have been replaced just now, in the same task.
        for (const key of keys) if (inUse.get(key)?.()) throwMistake('already_mounted', '', page);
        for (const key of keys) inUse.set(key, isMounted);
      };
      claim(container, payment);

      // The document in the page's or the browser's language. English is the one without a tag.
      const tag = `?${options.locale || 'auto'}`.replace('auto', navigator.language).replace(/.en.*/, '');
      const src = `${folder}/frame.html${tag}`;
      const { origin: service } = new URL(folder);
      const [emit, events, when] = createEvents();
      const listening = new AbortController();
      const fetchSecret = async () => {
        const secret = await page.fetchClientSecret?.();
        if (secret && !isRemoved) {
          inUse.delete(payment);
          claim(secret);
          payment = secret;
        }
        return secret;
      };

      /** How often a frame was of another release. After the first time, a new iframe is tried. */
      let mismatches = 0;
      let port: MessagePort | undefined;
      const early = box.querySelector<HTMLIFrameElement>(`iframe[${MARK}]`);
      let frame: Frame = { content: early, hellos: 0, documents: 0, state: NO_STATE };
      let timer: ReturnType<typeof setTimeout> | undefined;
      let isRemoved: boolean | undefined;
      /** The latest result of `fetchClientSecret`, which a reloaded frame gets again. */
      let fetchedSecret: ReturnType<typeof fetchSecret> | undefined;
      /** What `diagnostics()` resolves to if no frame can answer. */
      let diagnostics: CardFormDiagnostics = {
        release,
        timings: { mounted: 0 },
        presses: {},
        troubles: {},
        entries: [],
      };

      const setFrameState = (next: FrameState) => {
        box.classList.remove(...frame.state.classes);
        box.classList.add(...next.classes);
        frame.state = next;
      };

      /** Answers the questions that no frame will answer, because none is connected or the one that was asked is gone. */
      const answerForFrame = () => {
        emit('diagnostics', diagnostics);
        emit('validate', ALL_MISSING);
        emit('refresh', NOT_KNOWN);
      };

      /** Asks the frame, which answers with a message of the same name. */
      const ask = <Question extends 'diagnostics' | 'validate' | 'refresh', Answer>(
        question: Question,
        fields?: Fields<Question>,
      ) => {
        post(question, fields);
        if (!frame.hellos) answerForFrame();
        return when<Answer>(question); // events are never emitted at once
      };

      /** Replaces the content of the container. */
      const replace = (content?: Content) => {
        setFrameState(NO_STATE);
        answerForFrame();
        frame.content?.remove();
        clearTimeout(timer);
        if (content) box.append(content);
        frame = { content, hellos: 0, documents: 0, state: NO_STATE };
      };

      // Load the iframe.

      const loadFrame = (early?: HTMLIFrameElement | null) => {
        let iframe = createIframe(src);
        // Injected markup may bring an iframe without our sandbox, or with a name that other windows can target.
        const settings = (iframe: HTMLIFrameElement) =>
          iframe.allow + iframe.name + iframe.sandbox + iframe.referrerPolicy;
        if (early && settings(early) === settings(iframe)) iframe = early;
        else replace(iframe);
        styleIframe(iframe, heightsOf(options, box.clientWidth));
        iframe.onload = () => {
          if (++frame.documents > frame.hellos) {
            // This document is not ours, unless it says hello soon.
            clearTimeout(timer);
            timer = setTimeout(frame.hellos ? abandon : fail, HELLO_AFTER_LOAD, 'http');
          }
        };
        timer = setTimeout(fail, ANSWER_TIMEOUT);
        // An early iframe may have said hello before this script ran, so ask for it again. Not while the iframe still has
        // the initial empty document, which is of the page's own origin: its hello is yet to come.
        if (!iframe.contentDocument) iframe.contentWindow?.postMessage({ channel: CHANNEL }, service);
      };

      const connect = (source: Window | null | undefined) => {
        answerForFrame();
        frame.hellos++;
        timer = setTimeout(fail, ANSWER_TIMEOUT);
        const pipe = new MessageChannel();
        port = pipe.port1;
        port.onmessage = receive;
        source?.postMessage(
          {
            ...options,
            backdrop: describeBackdrop(container),
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
        isRemoved ? developer.explain?.('unmounted', type, options) : port?.postMessage({ ...fields, type });

      const update = (changes: CardFormUpdate) => {
        Object.assign(options, changes);
        post('update', changes);
      };

      const receive = ({ data: message }: MessageEvent<FrameMessage>) => {
        // Unless the timer runs for another document in place of ours, whose last messages these are.
        if (frame.documents <= frame.hellos) clearTimeout(timer);
        const { type } = message;
        const fields: { readonly [name: string]: unknown } = message;
        if (type === 'state') {
          setFrameState(message);
          // What is hidden, or not to be shown yet, keeps its room.
          if (frame.content && message.height) {
            frame.content.style.height = `${message.height}px`;
            frame.content.style.background = ''; // the form stands there now
          }
        } else if (type === 'loaderror') {
          // Not with a payment in flight: the frame still has to report its outcome.
          if (!frame.state.sent) fail(message.reason, message.file);
        } else if (type === 'secret') {
          if (message.anew) fetchedSecret = fetchSecret();
          fetchedSecret?.then((clientSecret) => post(type, { clientSecret })); // a rejection is reported as the page's error
          fetchedSecret?.catch(() => post(type));
        } else if (type === 'covers' || type === 'beforepay' || type === 'update') {
          load()
            .then(({ answer }) => answer(message, frame.content, page))
            .then(
              (answer) => post(type, answer),
              () => post(type), // the frame decides what follows from no answer
            );
        } else {
          // A public event, or the answer to diagnostics(). Its detail is the field named like it, else the message.
          emit(type, Object.hasOwn(fields, type) ? fields[type] : message);
        }
      };

      // Fail.

      const fail = (
        reason: Exclude<LoadErrorReason, 'restored'> = 'timeout',
        detail = src,
        isFinal?: boolean,
      ) => {
        if (!navigator.onLine && /http|time/.test(reason)) reason = 'offline'; // a word for what did not arrive
        const message = `${reason}: ${detail}`;
        emit('loaderror', { reason, message });
        developer.explain?.(reason, detail, options);
        diagnostics = { ...diagnostics, entries: [{ what: message, event: 'loaderror', at: 0 }] };
        replace(createLoadErrorAlert(reason, options, isFinal ? undefined : () => loadFrame()));
      };

      /** Something reloads or replaces the frame's document. The buyer cannot try again, since it may be an attack. */
      const abandon = () => {
        settleUnknown();
        fail('blocked', src, true);
      };

      // Unmount.

      /** Resolves `result` as unknown if it is pending. Emits the event only if a payment was sent. */
      const settleUnknown = () => emit(frame.state.sent ? 'result' : 'unmount', NOT_KNOWN);

      const unmount = () => {
        if (isRemoved) return;
        isRemoved = true;
        listening.abort();
        inUse.delete(payment);
        settleUnknown();
        replace();
        observer.disconnect();
        port?.close();
        inUse.delete(container);
      };

      // Runs after the page's script, so a container that was only moved is connected again.
      const observer = new MutationObserver(isMounted);
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
          if (from !== service || source !== frame.content?.contentWindow || data?.channel !== CHANNEL)
            return;
          if (data.again && frame.hellos) return;
          clearTimeout(timer);
          // A reloaded frame must not connect again with a payment in flight, nor more than once. In development the
          // document is reloaded at each change of a source file.
          if (frame.state.sent || (__RELEASE__ !== 'dev' && frame.hellos > 1)) abandon();
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
            !frame.hellos &&
            violation.disposition === 'enforce' &&
            // An image of a review that names the service is no frame, and another host may begin with its name.
            violation.effectiveDirective === 'frame-src' &&
            `${violation.blockedURI}/`.startsWith(`${service}/`)
          ) {
            fail('csp', `frame-src ${service}`);
          }
        },
        listening,
      );

      const begin = () => {
        diagnostics.timings.mounted = performance.now();
        if (!clientSecret) fetchedSecret = fetchSecret();
        if (origin === 'null') fail('opaque_parent', src, true);
        else if (!isSecureContext) fail('insecure_context', src, true);
        else loadFrame(early);
      };
      // A prerendered page, which may never be shown, loads no frame of another origin before its activation.
      unclobberedDocument.addEventListener('prerenderingchange', begin, listening);
      if (!unclobberedDocument.prerendering) begin();
      return {
        ...events,
        ready: when<CardFormEvents['ready']>('ready'),
        [Symbol.dispose]: unmount,
        focus: (field) => post('focus', { field }),
        result: when<Result>('result', 'unmount'),
        unmount,
        clear: () => post('clear'),
        diagnostics: () => ask('diagnostics', { ...diagnostics, timeOrigin: performance.timeOrigin }),
        validate: () => ask('validate'),
        refresh: () => ask<'refresh', CardFormStatus>('refresh'),
        update,
        submit: () => post('submit'),
        blur: () => post('blur'),
      };
    },
  });
