/**
 * What the bindings for React, Vue and Svelte share: one form in one element, with options that change. Each binding
 * adds the life cycle of its framework.
 */
import { heightsOf, widthStyle } from '../form/channel/iframe-attributes.ts';
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
  /** Unmounts the form, or keeps it from being mounted. */
  end(): void;
};

/** Options that are passed on as copies, and to `update()` when they change. */
const COPIED = keysOf(OPTIONS).filter(isData);

/** The text in place of the form if it could not be loaded and the shop has given none of its own. */
export const FALLBACK = 'The card form could not be loaded.';

/** Differs for settings that need another form: another service, release, account, payment or view. */
export const formKey = (settings: CardFormSettings): string => {
  const { baseUrl, version, publishableKey, clientSecret, view } = ownProperties(settings);
  return JSON.stringify([baseUrl, version, publishableKey, clientSecret, view === 'status']);
};

/** How high the form will be with these settings in a container of this width, in CSS pixels. */
const heightOf = (settings: CardFormSettings, width: number): number => {
  const [ribbon, rest] = heightsOf(ownProperties(settings), width);
  return ribbon + rest;
};

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
): Connection => {
  const props = () => ownProperties(given());
  let form: CardFormInstance | null = null;
  let hasEnded = false;
  /** The copied options as the form has them. */
  let sent: Copies = {};

  const open = async () => {
    const settings = props();
    const api = await loadCardForm(settings.baseUrl, settings);
    if (hasEnded || !api) return;
    sent = copiesOf(props());
    const mounted = api.mount(container, optionsOf(props, sent));
    mounted.on('*', (...event) => {
      if (!hasEnded) emit(...event);
    });
    form = mounted;
    formed(mounted);
  };
  open().catch((error: Error) => {
    if (!hasEnded) failed(error);
  });

  return {
    update() {
      const current = copiesOf(props());
      if (!form) return;
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
    end() {
      hasEnded = true;
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

/** The copies, and the fixed options as they are: key and secret are a part of {@link formKey}; a function is always called as it currently is. */
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
