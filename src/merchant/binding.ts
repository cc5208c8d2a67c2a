/**
 * Code shared by the React, Vue and Svelte bindings: one form in one element, with options that change. Each binding
 * adds its framework's life cycle.
 */
import { heightsOf, MARK, widthStyle } from '../form/channel/iframe-attributes.ts';
import { CHANGEABLE_OPTIONS, isData, OPTIONS } from '../form/channel/options.ts';
import { keysOf, ownProperties, ownProperty } from '../form/channel/own-property.ts';
import { createSecretSwap, type GiveSecret } from '../form/channel/swap-secret.ts';
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

/** Props of `<CardForm>` apart from its handlers: the arguments of `loadCardForm` and the options of `mount()`. */
export type CardFormSettings = CardFormOptions &
  LoadOptions & {
    /** The address of the payment service, such as `https://pay.example`. */
    baseUrl: string;
  };

/** An event handler. */
export type CardFormHandler<Name extends CardFormEventName> =
  | ((detail: CardFormEvents[Name]) => void)
  | undefined;

/** Callbacks that report on a form to its binding. None is called after `end()`. */
export type BindingListener = {
  emit(...event: CardFormEvent): void;
  /** The form was mounted; null when it was unmounted. */
  formed(form: CardFormInstance | null): void;
  /** The script failed to load, or `mount()` threw. */
  failed(error: Error): void;
};

/** A form that is loading or mounted. */
export type Connection = {
  /** Passes on changed options. Reads every option, so that reactive frameworks know what to watch. */
  update(): void;
  /**
   * Unmounts the form. For frameworks that end effects after the element has left the page, where an iframe can't be
   * parked. Call `end` afterwards.
   */
  leave(): void;
  /** Unmounts the form, or cancels mounting. */
  end(): void;
};

/** Options passed as copies, and passed to `update()` when they change. */
const COPIED = keysOf(OPTIONS).filter(isData);

/** Shown if the form fails to load and the shop provides no fallback. */
export const FALLBACK = 'The card form could not be loaded.';

/** Tells a component when it needs a new form. One per component. */
export type FormKey = {
  /**
   * Changes when the settings need a new form: a different service, release, account or view, or a different payment
   * that the current form can't take.
   */
  of(settings: CardFormSettings): string;
  /** True if a form is mounted and its payment isn't over: a new client secret then goes to `update()`. */
  isOpen: boolean;
  /** Client secret of the form's current payment. */
  inForm: string | undefined;
};

export const createFormKey = (): FormKey => {
  /** Client secret the form was mounted with. */
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

/** Height of the form with these settings in a container of this width, in CSS pixels. */
const heightOf = (settings: CardFormSettings, width: number): number => {
  const [ribbon, rest] = heightsOf(ownProperties(settings), width);
  return ribbon + rest;
};

/**
 * Returns true if a parked form may exist for these settings (`keep`). The binding then renders no iframe: `mount()`
 * uses the parked one or creates its own. Always false on a server.
 */
export const mayComeBack = ({ keep }: CardFormSettings): boolean =>
  Boolean(keep) && typeof document !== 'undefined' && !!document.querySelector(`[${MARK}=parked]`);

/** Attributes of the iframe a binding renders, including on a server, where the container's width is unknown. */
export const frameAttributes = (settings: CardFormSettings) => {
  const { baseUrl, version } = settings;
  return earlyFrameAttributes(baseUrl, { version, height: heightOf(settings, 0) });
};

/** Gives a newly rendered iframe the form's final size, so that nothing moves when the script runs. */
export const fitFrame = (iframe: HTMLIFrameElement, settings: CardFormSettings): void => {
  iframe.height = `${heightOf(settings, iframe.clientWidth)}`;
  iframe.style.cssText += widthStyle();
};

/** Loads the script and mounts a form in `container`. `given` returns the current settings. */
export const connectForm = (
  container: Element,
  given: () => CardFormSettings,
  { emit, formed, failed }: BindingListener,
  key: FormKey = createFormKey(),
): Connection => {
  const props = () => ownProperties(given());
  let form: CardFormInstance | null = null;
  let hasEnded = false;
  /** The copied options last sent to the form. */
  let sent: Copies = {};
  /** The client secret last given to the form, and what gives it another. */
  let secret: string | undefined;
  let giveSecret: GiveSecret | undefined;

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
        // The buyer has paid, so a secret that was refused earlier is not mounted.
        if (detail.outcome === 'succeeded') key.inForm = props().clientSecret;
      }
      emit(...event);
    });
    giveSecret = createSecretSwap(mounted, {
      warn: (warning) => hasEnded || emit('warning', warning),
      swapped(clientSecret) {
        key.inForm = clientSecret;
      },
    });
    form = mounted;
    key.isOpen = true;
    key.inForm = secret;
    formed(mounted);
  };
  open().catch((error: Error) => {
    if (!hasEnded) failed(error);
  });

  return {
    update() {
      const settings = props();
      const current = copiesOf(settings);
      if (!form) return;
      if (key.isOpen && settings.view !== 'status' && settings.clientSecret !== secret) {
        secret = settings.clientSecret;
        giveSecret?.(secret);
      }
      const changes: CardFormUpdate = {};
      for (const name of Object.keys({ ...sent, ...current })) {
        const copy = current[name];
        if (copy === sent[name]) continue;
        const value =
          copy === undefined ? ownProperty(CHANGEABLE_OPTIONS, name) : fromCopy(name, copy, settings);
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

/** Options by name, as JSON: cheap to compare, and free of framework proxies, which can't be posted. */
type Copies = Readonly<Record<string, string>>;

const copiesOf = (settings: CardFormSettings): Copies => {
  const copies: Record<string, string> = {};
  for (const name of COPIED) {
    const value = settings[name];
    if (value !== undefined) copies[name] = JSON.stringify(value, (_, part) => numberOf(part) ?? part);
  }
  return copies;
};

/** Elements of the page by number. React adds properties to them that JSON can't represent. */
const numbers = new WeakMap<Element, number>();
let latest = 0;

/** The number that stands for an element in a copy; undefined if it is another value. */
const numberOf = (value: unknown): number | undefined => {
  if (!(value instanceof Element)) return undefined;
  if (!numbers.has(value)) {
    latest += 1;
    numbers.set(value, latest);
  }
  return numbers.get(value);
};

/** The value of a copy. `appearance.from` is passed as given, because it may contain elements. */
const fromCopy = (name: string, copy: string, { appearance }: CardFormSettings): unknown => {
  const value: unknown = JSON.parse(copy);
  const from = name === 'appearance' && ownProperty(appearance, 'from');
  return from ? { ...Object(value), from } : value;
};

/**
 * Combines the copies with the fixed options. A new key means a new form ({@link FormKey}); functions always call their
 * current version.
 */
const optionsOf = (props: () => CardFormSettings, copies: Copies): CardFormOptions => {
  const settings = props();
  const options: CardFormOptions = { publishableKey: settings.publishableKey };
  for (const [name, copy] of Object.entries(copies))
    Reflect.set(options, name, fromCopy(name, copy, settings));
  for (const name of keysOf(OPTIONS)) {
    const value = settings[name];
    if (isData(name) || value === undefined) continue;
    const current = (...args: readonly unknown[]) => Object(props())[name]?.(...args);
    Reflect.set(options, name, typeof value === 'function' ? current : value);
  }
  return options;
};
