/**
 * What the bindings for React, Vue and Svelte share: one form in one element, with options that change. Each binding
 * adds the life cycle of its framework.
 */
import type {
  CardFormEventName,
  CardFormEvents,
  CardFormInstance,
  CardFormOptions,
  CardFormUpdate,
} from '../loader/types.ts';
import { type LoadOptions, loadCardForm } from './load.ts';

export { earlyFrameAttributes } from './early-frame.ts';

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
  emit<Name extends CardFormEventName>(name: Name, detail: CardFormEvents[Name]): void;
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

/**
 * Every option of `mount()`: `copied` options are JSON and are passed to `update()` when they change. Of `fixed`
 * options, key and secret are a part of {@link formKey}; a function is always called as it currently is.
 */
const OPTIONS: Readonly<Record<keyof CardFormOptions, 'copied' | 'fixed'>> = {
  publishableKey: 'fixed',
  clientSecret: 'fixed',
  fetchClientSecret: 'fixed',
  beforePay: 'fixed',
  locale: 'copied',
  payButton: 'copied',
  appearance: 'copied',
  defaultValues: 'copied',
  fields: 'copied',
  allowedCountries: 'copied',
  acceptedBrands: 'copied',
  translations: 'copied',
  readOnly: 'copied',
  signal: 'fixed',
  debug: 'copied',
};

/** What an option becomes when it is not given any more: `update()` leaves undefined options as they are. */
const DEFAULTS: CardFormUpdate = {
  locale: 'auto',
  payButton: 'frame',
  appearance: {},
  fields: {},
  translations: {},
  readOnly: false,
};

/** The events of a form. */
export const EVENTS: readonly CardFormEventName[] = [
  'ready',
  'change',
  'focus',
  'blur',
  'escape',
  'submitrequest',
  'amountchange',
  'processing',
  'decline',
  'ratelimited',
  'error',
  'warning',
  'result',
  'loaderror',
];

/** The text in place of the form if it could not be loaded and the shop has given none of its own. */
export const FALLBACK = 'The card form could not be loaded.';

/** Differs for settings that need another form: another service, release, account or payment. */
export const formKey = ({ baseUrl, version, publishableKey, clientSecret }: CardFormSettings): string =>
  JSON.stringify([baseUrl, version, publishableKey, clientSecret]);

/** Loads the script and mounts a form in `container`. `props` returns the current settings. */
export const connectForm = (
  container: Element,
  props: () => CardFormSettings,
  { emit, formed, failed }: BindingListener,
): Connection => {
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
    const listen = <Name extends CardFormEventName>(name: Name) =>
      mounted.on(name, (detail) => {
        if (!hasEnded) emit(name, detail);
      });
    for (const name of EVENTS) listen(name);
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
        const value = json === undefined ? Reflect.get(DEFAULTS, name) : JSON.parse(json);
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
  for (const [name, how] of Object.entries(OPTIONS)) {
    const value = Reflect.get(settings, name);
    if (how === 'copied' && value !== undefined) copies[name] = JSON.stringify(value);
  }
  return copies;
};

const optionsOf = (props: () => CardFormSettings, copies: Copies): CardFormOptions => {
  const settings = props();
  const options: CardFormOptions = { publishableKey: settings.publishableKey };
  for (const [name, json] of Object.entries(copies)) Reflect.set(options, name, JSON.parse(json));
  for (const [name, how] of Object.entries(OPTIONS)) {
    const value = Reflect.get(settings, name);
    if (how === 'copied' || value === undefined) continue;
    const current = (...args: readonly unknown[]) => Reflect.get(props(), name)?.(...args);
    Reflect.set(options, name, typeof value === 'function' ? current : value);
  }
  return options;
};
