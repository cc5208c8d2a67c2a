/**
 * What the bindings for React, Vue and Svelte share: one form in one element, with options that change. Each binding
 * adds the life cycle of its framework.
 */
import { heightsOf, MARK, widthStyle } from '../form/channel/iframe-attributes.ts';
import { CHANGEABLE_OPTIONS, isData, OPTIONS } from '../form/channel/options.ts';
import { keysOf, ownProperties, ownProperty } from '../form/channel/own-property.ts';
import type {
  CardFormEvent,
  CardFormEventName,
  CardFormEvents,
  CardFormInstance,
  CardFormOptions,
  CardFormUpdate,
} from '../form/loader/types.ts';
import { earlyFrameAttributes } from './early-frame.ts';
import { type LoadOptions, loadCardForm } from './load.ts';

/** What `<CardForm>` takes besides its handlers: the arguments of `loadCardForm`, and the options of `mount()`. */
export type CardFormSettings = CardFormOptions &
  LoadOptions & {
    /** The address of the payment service, such as `https://pay.example`. */
    baseUrl: string;
  };

/** A handler of an event. */
export type CardFormHandler<Name extends CardFormEventName> =
  | ((detail: CardFormEvents[Name]) => void)
  | undefined;

/** What a binding is told about its form. Nothing is reported any more after `end()`. */
export type BindingListener = {
  emit(...event: CardFormEvent): void;
  /** The form has been mounted, or unmounted: then null. */
  formed(form: CardFormInstance | null): void;
  /** The script could not be loaded, or `mount()` threw. */
  failed(error: Error): void;
};

/** A form that is being loaded or is mounted. */
export type Connection = {
  /** Passes on the options that have changed. Reads every option, so that reactive frameworks know what to watch. */
  update(): void;
  /**
   * Unmounts the form, for a framework that ends effects after their element has left the page, where no iframe can be parked. `end`
   * has to follow.
   */
  leave(): void;
  /** Unmounts the form, or keeps it from being mounted. */
  end(): void;
};

/** Options that are passed on as copies, and to `update()` when they change. */
const COPIED = keysOf(OPTIONS).filter(isData);

/** The text in place of the form if it could not be loaded and the shop has given none of its own. */
export const FALLBACK = 'The card form could not be loaded.';

/** Tells a component when it needs another form. One for each component. */
export type FormKey = {
  /**
   * Differs for settings that need another form: another service, release, account or view; and another payment, unless the form
   * that is there can take it.
   */
  of(settings: CardFormSettings): string;
  /** Whether a form is mounted whose payment is not over: another client secret goes to `update()`. */
  isOpen: boolean;
  /** The client secret of the payment that the form has. */
  inForm: string | undefined;
};

export const createFormKey = (): FormKey => {
  /** The client secret that the form was mounted with. */
  let mounted: string | undefined;
  return {
    isOpen: false,
    inForm: undefined,
    of(settings) {
      const { baseUrl, version, publishableKey, clientSecret, view } = ownProperties(settings);
      const isKept = this.isOpen && clientSecret && view !== 'status';
      if (clientSecret !== this.inForm && !isKept) mounted = clientSecret;
      return JSON.stringify([baseUrl, version, publishableKey, mounted, view === 'status']);
    },
  };
};

/** How high the form will be with these settings in a container of this width, in CSS pixels. */
const heightOf = (settings: CardFormSettings, width: number): number => {
  const [ribbon, rest] = heightsOf(ownProperties(settings), width);
  return ribbon + rest;
};

/**
 * Whether a form may wait in the page for these settings (`keep`). A binding then renders no iframe: `mount()` brings the one that waits,
 * or else its own. On a server none waits.
 */
export const mayComeBack = ({ keep }: CardFormSettings): boolean =>
  Boolean(keep) && typeof document !== 'undefined' && !!document.querySelector(`[${MARK}=parked]`);

/** The attributes of the iframe that a binding renders, also on a server, where the container may be of any width. */
export const frameAttributes = (settings: CardFormSettings) => {
  const { baseUrl, version } = settings;
  return earlyFrameAttributes(baseUrl, { version, height: heightOf(settings, 0) });
};

/** Makes an iframe that has just been rendered as large as the form will be, so that nothing moves when the script does. */
export const fitFrame = (iframe: HTMLIFrameElement, settings: CardFormSettings): void => {
  iframe.height = `${heightOf(settings, iframe.clientWidth)}`;
  iframe.style.cssText += widthStyle();
};

/** Loads the script and mounts a form in `container`. `props` returns the current settings. */
export const connectForm = (
  container: Element,
  given: () => CardFormSettings,
  { emit, formed, failed }: BindingListener,
  key: FormKey = createFormKey(),
): Connection => {
  const props = () => ownProperties(given());
  let form: CardFormInstance | null = null;
  let hasEnded = false;
  /** The copied options as the form has them. */
  let sent: Copies = {};
  /** The client secret that the form was given last, and the one that it would not take for now. */
  let secret: string | undefined;
  let refused: string | undefined;

  const open = async () => {
    const settings = props();
    const api = await loadCardForm(settings.baseUrl, settings);
    if (hasEnded || !api) return;
    sent = copiesOf(props());
    secret = props().clientSecret;
    const mounted = api.mount(container, optionsOf(props, sent));
    mounted.on('*', (...event) => {
      if (hasEnded) return;
      const [name, detail] = event;
      if (name === 'result' && detail.outcome !== 'unknown') {
        key.isOpen = false;
        // The buyer has paid: nothing is mounted for a secret that was refused before.
        if (detail.outcome === 'succeeded') key.inForm = props().clientSecret;
      }
      emit(...event);
      // The payment that stood against it goes on with another press, or not at all.
      if ((name === 'decline' || name === 'error') && refused === props().clientSecret)
        swap(mounted, refused);
    });
    form = mounted;
    key.isOpen = true;
    key.inForm = secret;
    formed(mounted);
  };
  open().catch((error: Error) => {
    if (!hasEnded) failed(error);
  });

  /** A change of the client secret. Components have no promise to tell why it is refused. */
  const swap = async (into: CardFormInstance, clientSecret: string | undefined) => {
    refused = undefined;
    if (!clientSecret) return;
    secret = clientSecret;
    const error = await into.update({ clientSecret });
    if (!error) key.inForm = clientSecret;
    if (!error || hasEnded) return;
    if (error.recovery === 'wait' || error.recovery === 'retry') refused = clientSecret;
    emit('warning', { about: 'clientSecret', hint: error.message });
  };

  return {
    update() {
      const settings = props();
      const current = copiesOf(settings);
      if (!form) return;
      if (key.isOpen && settings.view !== 'status' && settings.clientSecret !== secret)
        swap(form, settings.clientSecret).catch((mistake) => reportError(mistake));
      const changes: CardFormUpdate = {};
      for (const name of Object.keys({ ...sent, ...current })) {
        const json = current[name];
        if (json === sent[name]) continue;
        const value = json === undefined ? ownProperty(CHANGEABLE_OPTIONS, name) : JSON.parse(json);
        if (value !== undefined) Reflect.set(changes, name, value);
      }
      sent = current;
      if (Object.keys(changes).length > 0) form.update(changes);
    },
    leave() {
      hasEnded = true;
      form?.unmount();
    },
    end() {
      hasEnded = true;
      key.isOpen = false;
      if (!form) return;
      form.unmount();
      form = null;
      formed(null);
    },
  };
};

/** Options by name, each as JSON: cheap to compare, and free of a framework's proxies, which cannot be posted. */
type Copies = Readonly<Record<string, string>>;

const copiesOf = (settings: CardFormSettings): Copies => {
  const copies: Record<string, string> = {};
  for (const name of COPIED) {
    const value = settings[name];
    if (value !== undefined) copies[name] = JSON.stringify(value);
  }
  return copies;
};

/** The copies, and the fixed options as they are: another key is another form ({@link FormKey}); a function is always called as it currently is. */
const optionsOf = (props: () => CardFormSettings, copies: Copies): CardFormOptions => {
  const settings = props();
  const options: CardFormOptions = { publishableKey: settings.publishableKey };
  for (const [name, json] of Object.entries(copies)) Reflect.set(options, name, JSON.parse(json));
  for (const name of keysOf(OPTIONS)) {
    const value = settings[name];
    if (isData(name) || value === undefined) continue;
    const current = (...args: readonly unknown[]) => Object(props())[name]?.(...args);
    Reflect.set(options, name, typeof value === 'function' ? current : value);
  }
  return options;
};
