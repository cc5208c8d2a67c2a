/**
 * `mount()`: one form, from mount to unmount, in the order of its life: load the iframe, connect to the frame, exchange
 * messages, fail, unmount. The form's promises never reject, and `result` always settles, even if the page removes the
 * container without calling `unmount()`.
 */
import { heightsOf, MARK } from '../channel/iframe-attributes.ts';
import type { FrameMessage, Hello, HostMessageInput, State } from '../channel/messages.ts';
import { ownProperties } from '../channel/own-property.ts';
import { CHANNEL, PROTOCOL } from '../channel/protocol.ts';
import type { InitInput } from '../channel/read-options.ts';
import type { CardFormStatus, Result } from '../channel/result.ts';
import { describeBackdrop, readProperties } from './describe-page.ts';
import { explain, throwMistake } from './errors.ts';
import { createEvents, type Emit, type Listeners } from './events.ts';
import { createIframe, styleIframe } from './iframe.ts';
import { createLoadErrorAlert } from './load-error-alert.ts';
import { type CheckedOptions, checkOptions } from './options.ts';
import type { MountedForms } from './park.ts';
import type {
  CardFormApi,
  CardFormDiagnostics,
  CardFormError,
  CardFormEvents,
  CardFormOptions,
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
 * Time limit for the frame's hello, and then for its first message, in ms. Neither the hello, which the document's head
 * posts, nor the `load` event, which error pages fire, too, proves that the whole document has arrived.
 */
const ANSWER_TIMEOUT = 10_000;

/** The content of the container: the iframe, or the alert that replaces it, which has no window. */
type Content = HTMLIFrameElement | (HTMLDivElement & { readonly contentWindow?: undefined });

/** The frame's last `state` message: the parts used later. */
type FrameState = Pick<State, 'classes'> & Partial<State>;

/** One form. The build shortens these names (`src/build/outputs.ts`): none may be a name of the page or the browser. */
export type Form = {
  /** The page's own options object, with its functions, and the client secret in use. */
  readonly page: CardFormOptions;
  /** The page's options as posted to the frame, with later changes. */
  readonly options: CheckedOptions;
  readonly container: Element;
  /** The container, protected from DOM clobbering. */
  readonly box: Element;
  /** The address of the frame's document. */
  readonly home: string;
  /** The origin of the service. */
  readonly service: string;
  readonly emit: Emit;
  readonly listeners: Listeners;
  /** Imports the loader's second file. */
  readonly importSecond: () => Promise<PageScript>;
  /** The latest result of `fetchSecret`, for a reloaded frame. */
  fetchedSecret?: Promise<string | undefined> | undefined;
  /** The content of the container. */
  content?: Content | null | undefined;
  /** How often documents of this iframe have said hello: once, and once more after a reload. 0: none is connected. */
  hellos: number;
  /** The number of loaded documents, as far as known. If larger than `hellos`, the iframe has some other document. */
  documents: number;
  frameState: FrameState;
  /** Runs if the iframe stays silent. */
  timer?: ReturnType<typeof setTimeout> | undefined;
  /** Set once a frame is connected. We hold its first port, the frame its second. */
  pipe?: MessageChannel | undefined;
  /** The result of `diagnostics()` if no frame can answer. */
  report: CardFormDiagnostics;
  isRemoved?: boolean | undefined;
};

/** The answer to `validate()` if no frame can answer. Only a frame knows which further fields a country has. */
const ALL_MISSING: CardFormValidation = {
  complete: false,
  canPay: false,
  missing: ['card', 'name', 'email', 'country', 'line1'],
  invalid: [],
};

/** The result of a payment that no frame can report any more. */
const NOT_KNOWN = { reason: 'unmounted', paymentIntent: null, outcome: 'unknown' } as const;

/** The state before the frame has posted its own. */
const NO_STATE: FrameState = { classes: [] };

/** The fields of a message to the frame, without `type`. */
type Fields<Type extends HostMessageInput['type']> = Omit<Extract<HostMessageInput, { type: Type }>, 'type'>;

/**
 * All mounted forms and the parked one, if any, by the page's options object. Each has its own container and client
 * secret. The function says whether the form is still there, and unmounts it if its iframe has left the document; for a
 * parked form, it moves the iframe into the container of the next form (`park.ts`).
 */
const mounted: MountedForms = new Map();

/** Throws if another form has this client secret or container. A parked form comes back into `box`, or is removed. */
const claim = (form: Form, clientSecret: string | undefined, box?: Element) => {
  for (const [page, [isThere, container]] of mounted)
    if (
      page !== form.page &&
      (container === form.container || (clientSecret && page.clientSecret === clientSecret)) &&
      isThere(box)
    )
      throwMistake('already_mounted', '', form.page);
};

/** Calls the page's `fetchClientSecret`. */
const fetchSecret = async (form: Form) => {
  const secret = await form.page.fetchClientSecret?.();
  if (!form.isRemoved) {
    claim(form, secret);
    form.page.clientSecret = secret;
  }
  return secret;
};

/**
 * Creates the API, frozen so that no other script can replace `mount()`. `folder` is the base address of `release`;
 * `load` imports the loader's second file.
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
      const element = typeof target === 'string' ? unclobberedDocument().querySelector(target) : target;
      // If it is not an element, `container` is undefined and `box` is not connected.
      const container: Element = unclobbered(Object(element)).closest?.(':not(iframe)');
      const box: Element = unclobbered(Object(container));
      if (!box.isConnected) throwMistake('target_not_found', `${target}`, page);
      const options = checkOptions(page);
      page.signal?.throwIfAborted();
      /** Returns true if the form is there. The page may have removed it in this very task. */
      const isMounted = () => (form.content ?? box).isConnected || unmount();

      const [emit, events, when, listeners] = createEvents();
      // The document in the page's or the browser's language. English has no tag.
      const tag = `?${options.locale || 'auto'}`.replace('auto', navigator.language).replace(/.en.*/, '');
      const { origin: service } = new URL(folder);
      const listening = new AbortController();
      const form: Form = {
        page,
        importSecond: load,
        home: `${folder}/frame.html${tag}`,
        documents: 0,
        hellos: 0,
        frameState: NO_STATE,
        service,
        emit,
        report: { release, timings: { mounted: 0 }, presses: {}, troubles: {}, entries: [] },
        container,
        box,
        listeners,
        options,
      };
      claim(form, page.clientSecret, box);
      mounted.set(page, [isMounted, container]);
      const early = box.querySelector<HTMLIFrameElement>(`iframe[${MARK}]`);
      form.content = early;
      const unmount = () => {
        if (form.isRemoved) return;
        form.isRemoved = true;
        listening.abort();
        mounted.delete(page);
        settleUnknown(form);
        replace(form);
        observer.disconnect();
        form.pipe?.port1.close();
      };

      // Runs after the page's script, so a container that was only moved is connected again by then.
      const observer = new MutationObserver(isMounted);
      // Observers don't see into shadow roots, so observe each root around the container.
      for (let node: (Node & { host?: Element }) | undefined = box; node; node = unclobbered(node).host) {
        node = node.getRootNode();
        observer.observe(node, { childList: true, subtree: true });
      }
      page.signal?.addEventListener('abort', unmount, listening);
      addEventListener('message', (event) => greet(form, event), listening);
      addEventListener(
        'securitypolicyviolation',
        ({ disposition, effectiveDirective, blockedURI }) => {
          // An image of a review that names the service is not a frame, and another host may begin with the service's
          // name.
          const forbidden = `frame-src ${service}`;
          const violation = `${disposition} ${effectiveDirective} ${blockedURI}/`;
          if (violation.startsWith(`enforce ${forbidden}/`) && !form.hellos) fail(form, 'csp', forbidden);
        },
        listening,
      );
      const begin = () => {
        form.report.timings.mounted = performance.now();
        if (!page.clientSecret) form.fetchedSecret = fetchSecret(form);
        if (origin === 'null') fail(form, 'opaque_parent', form.home, true);
        else if (!isSecureContext) fail(form, 'insecure_context', form.home, true);
        else loadFrame(form, early);
      };
      // A prerendered page may never be shown, and loads no cross-origin frame before its activation.
      unclobberedDocument().addEventListener('prerenderingchange', begin, listening);
      if (!unclobberedDocument().prerendering) begin();

      const ask = <Question extends 'diagnostics' | 'validate' | 'refresh' | 'update', Answer>(
        question: Question,
        fields?: Fields<Question>,
      ) => {
        post(form, question, fields);
        if (!form.hellos || form.documents > form.hellos) answerForFrame(form);
        return when<Answer>(question); // events are never emitted synchronously
      };
      return {
        ...events,
        blur: () => post(form, 'blur'),
        focus: (field) => post(form, 'focus', { field }),
        update: (changes) => {
          const own = ownProperties(changes);
          const copies = checkOptions(own, true);
          if (!form.isRemoved) claim(form, own.clientSecret);
          Object.assign(options, copies); // for frames that connect later
          Object.assign(page, own);
          return ask<'update', CardFormError | null>('update', { clientSecret: true, ...copies });
        },
        unmount,
        clear: () => post(form, 'clear'),
        ready: when<CardFormEvents['ready']>('ready'),
        refresh: () => ask<'refresh', CardFormStatus>('refresh'),
        validate: () => ask('validate'),
        submit: () => post(form, 'submit'),
        result: when<Result>('result', 'unmount'),
        [Symbol.dispose]: unmount,
        diagnostics: () =>
          ask<'diagnostics', CardFormDiagnostics>('diagnostics', {
            ...form.report,
            timeOrigin: performance.timeOrigin,
          }),
      };
    },
  });

// Load the iframe.

const loadFrame = (form: Form, early?: HTMLIFrameElement | null) => {
  let iframe = createIframe(form.home);
  // Injected markup may bring an iframe without our sandbox, or with a name that other windows can target.
  const settings = (iframe: HTMLIFrameElement) =>
    iframe.allow + iframe.name + iframe.sandbox + iframe.referrerPolicy + iframe.src.startsWith(form.service);
  if (early && settings(early) === settings(iframe)) iframe = early;
  else replace(form, iframe);
  form.hellos = form.documents = 0;
  iframe.onload = () => {
    if (++form.documents <= form.hellos) return;
    clearTimeout(form.timer);
    form
      .importSecond()
      .then(({ untilBack }) => untilBack(iframe, form.frameState, form.emit, form.options, form.report))
      .then(
        () => loadFrame(form, iframe),
        () =>
          form.documents > form.hellos &&
          (form.hellos ? abandon : fail)(form, navigator.onLine ? 'http' : 'offline'),
      );
  };
  styleIframe(iframe, heightsOf(form.options, form.box.clientWidth));
  form.timer = setTimeout(fail, ANSWER_TIMEOUT, form);
  // An early iframe may have said hello before this script ran, so request it again. But not while the iframe still has
  // the initial empty document, which is of the page's own origin: its hello is yet to come.
  if (!iframe.contentDocument) iframe.contentWindow?.postMessage({ channel: CHANNEL }, form.service);
};

/** Replaces the content of the container. */
const replace = (form: Form, content?: Content) => {
  setFrameState(form, NO_STATE);
  answerForFrame(form);
  clearTimeout(form.timer);
  form.content?.remove();
  form.content = content;
  if (content) form.box.append(content);
  form.hellos = form.documents = 0;
};

const setFrameState = (form: Form, next: FrameState) => {
  form.box.classList.remove(...form.frameState.classes);
  form.box.classList.add(...next.classes);
  form.frameState = next;
};

// Connect to the frame.

/** Hello is the only message that our document posts to a window; all others use the pipe. */
const greet = (
  form: Form,
  { source, origin: from, data }: MessageEvent<Partial<Hello> | null | undefined>,
) => {
  if (from !== form.service || source !== form.content?.contentWindow || data?.channel !== CHANNEL) return;
  if (data.again && form.hellos) return;
  clearTimeout(form.timer);
  // A reloaded frame must not connect again with a payment in flight, nor more than once. In development, every change
  // of a source file reloads the document.
  if (form.frameState.sent || (__RELEASE__ !== 'dev' && form.hellos > 1)) abandon(form);
  // The same release speaks the same protocol.
  else if (data.release === form.report.release) connect(form, source);
  else if (form.content.src === form.home) fail(form, 'version_mismatch');
  else loadFrame(form); // an early frame has the moving address
};

const connect = (form: Form, source: Window | null | undefined) => {
  answerForFrame(form);
  form.documents = form.hellos++; // earlier loads don't count
  form.timer = setTimeout(fail, ANSWER_TIMEOUT, form);
  form.pipe = new MessageChannel();
  form.pipe.port1.onmessage = ({ data }) => receive(form, data);
  source?.postMessage(
    {
      ...form.options,
      backdrop: describeBackdrop(form.container),
      style: readProperties(form.container, form.options.appearance),
      protocol: PROTOCOL,
      channel: CHANNEL,
    } satisfies InitInput,
    form.service,
    [form.pipe.port2],
  );
};

// Exchange messages.

/** Posts a message to the frame. */
const post = <Type extends HostMessageInput['type']>(form: Form, type: Type, fields?: Fields<Type>) =>
  form.isRemoved
    ? explain('unmounted', type, form.options)
    : form.pipe?.port1.postMessage({ ...fields, type });

const receive = (form: Form, message: FrameMessage & { readonly [name: string]: unknown }) => {
  clearTimeout(form.timer);
  const { type } = message;
  if (type === 'state') {
    setFrameState(form, message);
    // A form that is hidden, or not to be shown yet, keeps its space.
    if (form.content && message.height)
      form.content.style.cssText += `height:${message.height}px!important;background:0`; // replaces the outline
  } else if (type === 'loaderror') {
    // But not with a payment in flight: the frame still has to report its outcome.
    if (!form.frameState.sent) fail(form, message.reason, message.file);
  } else if (type === 'secret') {
    if (message.anew) {
      form.fetchedSecret = fetchSecret(form);
      form.options.clientSecret = true;
    }
    form.fetchedSecret?.then((clientSecret) => post(form, type, { clientSecret })); // reported as the page's error
    form.fetchedSecret?.catch(() => post(form, type));
  } else if (
    type === 'covers' ||
    type === 'beforepay' ||
    type === 'search' ||
    type === 'font' ||
    type === 'update' ||
    type === 'diagnostics'
  ) {
    form
      .importSecond()
      .then((second) =>
        second.answer(message, form.content, form.page, form.listeners, form.options, mounted),
      )
      .then(
        (answer) => post(form, type, answer),
        // Without the second file, the calls get what the frame has for this case; a question gets no answer.
        () => (typeof message[type] === 'object' ? form.emit(type, message[type]) : post(form, type)),
      );
  } else {
    // A public event, or an answer. Its detail is the field of the same name, or else the message.
    form.emit(type, Object.hasOwn(message, type) ? message[type] : message);
  }
};

/** Answers requests that no frame will answer, because none is connected or the one asked is gone. */
const answerForFrame = (form: Form) => {
  form.emit('update', null);
  form.emit('validate', ALL_MISSING);
  form.emit('refresh', NOT_KNOWN);
  form.emit('diagnostics', form.report);
};

// Fail.

const fail = (
  form: Form,
  reason: Exclude<LoadErrorReason, 'restored'> = navigator.onLine ? 'timeout' : 'offline',
  detail = form.home,
  isFinal?: boolean,
) => {
  const message = `${reason}: ${detail}`;
  form.emit('loaderror', { message, reason });
  explain(reason, detail, form.options);
  form.report.entries = [{ what: message, event: 'loaderror', at: 0 }];
  replace(form, createLoadErrorAlert(reason, form.options, isFinal ? undefined : () => loadFrame(form)));
};

/** Something reloads or replaces the frame's document. The buyer can't try again, since it may be an attack. */
const abandon = (form: Form) => {
  settleUnknown(form);
  fail(form, 'blocked', form.home, true);
};

/** Resolves `result` as unknown if it is pending. Emits the event only if a payment was sent. */
const settleUnknown = (form: Form) => form.emit(form.frameState.sent ? 'result' : 'unmount', NOT_KNOWN);
