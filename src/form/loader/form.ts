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
 * How long the frame may take to say hello, and then to post its first message, in ms. Neither hello, which the document's
 * head says, nor the `load` event, which error pages fire, too, proves that all of the document has arrived.
 */
const ANSWER_TIMEOUT = 10_000;

/** The content of the container: the iframe, or the alert in its place, which has no window. */
type Content = HTMLIFrameElement | (HTMLDivElement & { readonly contentWindow?: undefined });

/** The frame's last `state` message, as far as it is used later. */
type FrameState = Pick<State, 'classes'> & Partial<State>;

/** One form. The build shortens these names (`src/build/outputs.ts`): none of them may be a name of the page or the browser. */
export type Form = {
  /** What the page gave, with its functions, and the client secret that the form has. */
  readonly page: CardFormOptions;
  /** The page's options as they are posted to the frame, and as it changed them. */
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
  /** The loader's second file, once the form is ready. */
  second?: PageScript | undefined;
  /** The latest result of `fetchSecret`, which a reloaded frame gets again. */
  fetchedSecret?: Promise<string | undefined> | undefined;
  /** What is in the container: an iframe, or the alert in its place. */
  content?: Content | null | undefined;
  /** How often documents of this iframe said hello: once, and once more after a reload. While 0, none is connected. */
  hellos: number;
  /** How many of them have loaded, as far as is known. More than said hello: the iframe has another document. */
  documents: number;
  frameState: FrameState;
  /** What happens if the iframe stays silent. */
  timer?: ReturnType<typeof setTimeout> | undefined;
  /** Once a frame is connected. We have its first port, the frame its second. */
  pipe?: MessageChannel | undefined;
  /** What `diagnostics()` resolves to if no frame can answer. */
  report: CardFormDiagnostics;
  isRemoved?: boolean | undefined;
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

/**
 * All mounted forms, and one that is parked, by what the page gave: each has a container and a client secret of its own. With each a
 * function that says whether the form is still there, and unmounts it if its iframe has left the document; or one that moves a parked
 * iframe into the container of the next form (`park.ts`).
 */
const mounted: MountedForms = new Map();

/** Throws if another form has this client secret, or the container. One that is parked comes back into `box`, or goes. */
const claim = (form: Form, clientSecret: string | undefined, box?: Element) => {
  for (const [page, [isThere, container]] of mounted)
    if (
      page !== form.page &&
      (container === form.container || (clientSecret && page.clientSecret === clientSecret)) &&
      isThere(box)
    )
      throwMistake('already_mounted', '', form.page);
};

/** Asks the page for a client secret. */
const fetchSecret = async (form: Form) => {
  const secret = await form.page.fetchClientSecret?.();
  if (!form.isRemoved) {
    claim(form, secret);
    form.page.clientSecret = secret;
  }
  return secret;
};

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
      const element = typeof target === 'string' ? unclobberedDocument().querySelector(target) : target;
      // Not an element: `container` is undefined, and `box` is not connected.
      const container: Element = unclobbered(Object(element)).closest?.(':not(iframe)');
      const box: Element = unclobbered(Object(container));
      if (!box.isConnected) throwMistake('target_not_found', `${target}`, page);
      const options = checkOptions(page);
      page.signal?.throwIfAborted();
      /** Whether the form is there. Its page may have been replaced just now, in the same task. */
      const isMounted = () => (form.content ?? box).isConnected || unmount();

      const [emit, events, when, listeners] = createEvents();
      // The document in the page's or the browser's language. English is the one without a tag.
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

      // Runs after the page's script, so a container that was only moved is connected again.
      const observer = new MutationObserver(isMounted);
      // Observers do not see into shadow roots, so observe each root around the container.
      for (let node: (Node & { host?: Element }) | undefined = box; node; node = unclobbered(node).host) {
        node = node.getRootNode();
        observer.observe(node, { childList: true, subtree: true });
      }
      page.signal?.addEventListener('abort', unmount, listening);
      addEventListener('message', (event) => greet(form, event), listening);
      addEventListener(
        'securitypolicyviolation',
        ({ disposition, effectiveDirective, blockedURI }) => {
          // An image of a review that names the service is no frame, and another host may begin with its name.
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
      // A prerendered page, which may never be shown, loads no frame of another origin before its activation.
      unclobberedDocument().addEventListener('prerenderingchange', begin, listening);
      if (!unclobberedDocument().prerendering) begin();

      const ask = <Question extends 'diagnostics' | 'validate' | 'refresh' | 'update', Answer>(
        question: Question,
        fields?: Fields<Question>,
      ) => {
        post(form, question, fields);
        if (!form.hellos || form.documents > form.hellos) answerForFrame(form);
        return when<Answer>(question); // events are never emitted at once
      };
      return {
        ...events,
        blur: () => post(form, 'blur'),
        diagnostics: async () => {
          const known = { ...form.report, timeOrigin: performance.timeOrigin };
          const answer = await ask<'diagnostics', CardFormDiagnostics>('diagnostics', known);
          return { ...answer, cutOffBy: form.second?.findCutting(form.content) }; // the frame cannot see it
        },
        focus: (field) => post(form, 'focus', { field }),
        update: (changes) => {
          const { clientSecret = page.clientSecret } = changes;
          if (!form.isRemoved) claim(form, clientSecret);
          Object.assign(options, changes); // a frame that connects from now on gets them so
          Object.assign(page, changes, { clientSecret });
          return ask<'update', CardFormError | null>('update', {
            ...changes,
            clientSecret: changes.clientSecret || true,
          });
        },
        unmount,
        clear: () => post(form, 'clear'),
        ready: when<CardFormEvents['ready']>('ready'),
        refresh: () => ask<'refresh', CardFormStatus>('refresh'),
        validate: () => ask('validate'),
        submit: () => post(form, 'submit'),
        result: when<Result>('result', 'unmount'),
        [Symbol.dispose]: unmount,
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
  // An early iframe may have said hello before this script ran, so ask for it again. Not while the iframe still has
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

/** Hello is the only message that our document sends to a window; all others go through the pipe. */
const greet = (
  form: Form,
  { source, origin: from, data }: MessageEvent<Partial<Hello> | null | undefined>,
) => {
  if (from !== form.service || source !== form.content?.contentWindow || data?.channel !== CHANNEL) return;
  if (data.again && form.hellos) return;
  clearTimeout(form.timer);
  // A reloaded frame must not connect again with a payment in flight, nor more than once. In development the
  // document is reloaded at each change of a source file.
  if (form.frameState.sent || (__RELEASE__ !== 'dev' && form.hellos > 1)) abandon(form);
  // The same release speaks the same protocol.
  else if (data.release === form.report.release) connect(form, source);
  else if (form.content.src === form.home) fail(form, 'version_mismatch');
  else loadFrame(form); // an early frame is at the moving address
};

const connect = (form: Form, source: Window | null | undefined) => {
  answerForFrame(form);
  form.documents = form.hellos++; // what was loaded before does not count
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
    // What is hidden, or not to be shown yet, keeps its room.
    if (form.content && message.height)
      form.content.style.cssText += `height:${message.height}px!important;background:0`; // the form stands there now
  } else if (type === 'loaderror') {
    // Not with a payment in flight: the frame still has to report its outcome.
    if (!form.frameState.sent) fail(form, message.reason, message.file);
  } else if (type === 'secret') {
    if (message.anew) {
      form.fetchedSecret = fetchSecret(form);
      form.options.clientSecret = true;
    }
    form.fetchedSecret?.then((clientSecret) => post(form, type, { clientSecret })); // a rejection is reported as the page's error
    form.fetchedSecret?.catch(() => post(form, type));
  } else if (
    type === 'covers' ||
    type === 'beforepay' ||
    type === 'search' ||
    type === 'font' ||
    type === 'update'
  ) {
    form
      .importSecond()
      .then((second) => {
        form.second = second;
        return second.answer(message, form.content, form.page, form.listeners, form.options, mounted);
      })
      .then(
        (answer) => post(form, type, answer),
        () => post(form, type), // the frame decides what follows from no answer
      );
  } else {
    // A public event, or the answer to diagnostics(). Its detail is the field named like it, else the message.
    form.emit(type, Object.hasOwn(message, type) ? message[type] : message);
  }
};

/** Answers the questions that no frame will answer, because none is connected or the one that was asked is gone. */
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

/** Something reloads or replaces the frame's document. The buyer cannot try again, since it may be an attack. */
const abandon = (form: Form) => {
  settleUnknown(form);
  fail(form, 'blocked', form.home, true);
};

/** Resolves `result` as unknown if it is pending. Emits the event only if a payment was sent. */
const settleUnknown = (form: Form) => form.emit(form.frameState.sent ? 'result' : 'unmount', NOT_KNOWN);
