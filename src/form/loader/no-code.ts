/**
 * Mounts and unmounts the forms of a page's elements. Anyone who can inject markup into a page can inject such an
 * element, so an element sets only the payment and the look of the form. The account and the success URL are set on the
 * script tag, and the page is left only after the buyer pressed Pay in the form.
 */
import { MARK } from '../channel/iframe-attributes.ts';
import { PUBLISHABLE_KEY } from '../channel/protocol.ts';
import { createSecretSwap, type GiveSecret } from '../channel/swap-secret.ts';
import { continueCheckout, readSuccessUrl } from './after-payment.ts';
import { RESTORED_MESSAGE, showRestored } from './copied-frames.ts';
import { createElement } from './create-element.ts';
import { throwMistake } from './errors.ts';
import { createSecrets } from './no-code-secrets.ts';
import type { CardFormApi, CardFormButtonType, CardFormInstance, CardFormUpdate } from './types.ts';
import { unclobbered } from './unclobbered.ts';

/** The attributes of an element: names of options in lower case, with `data-` on any element but `<card-form>`. */
const ATTRIBUTES = [
  'client-secret',
  'locale',
  'theme',
  'labels',
  'pay-button',
  'button-type',
  'view',
  'read-only',
  'debug',
] as const;

/** The attributes of the script tag. */
const TAG_ATTRIBUTES = ['publishable-key', 'success-url', 'restored'] as const;

/** The attributes to watch on elements. Includes those of the script tag, which are errors on elements. */
export const WATCHED = [...ATTRIBUTES, ...TAG_ATTRIBUTES] as const;
type AttributeName = (typeof WATCHED)[number];

/** Doesn't use `dataset`, where a polluted prototype would supply a missing attribute. */
const onTag = (tag: Element, name: (typeof TAG_ATTRIBUTES)[number]) => tag.getAttribute(`data-${name}`);

const nameOn = (element: Element, name: AttributeName) =>
  unclobbered(element).localName === 'card-form' ? name : `data-${name}`;
const read = (element: Element, name: AttributeName) =>
  unclobbered(element).getAttribute(nameOn(element, name));

/** Accepts any text: the frame knows the types and warns of unknown ones. */
const isButtonType = (text: string | null): text is CardFormButtonType => text !== null;

/** The options that can change while the form is mounted. */
const changeableOptions = (element: Element) => {
  const [theme, labels, type] = [
    read(element, 'theme'),
    read(element, 'labels'),
    read(element, 'button-type'),
  ];
  return {
    locale: read(element, 'locale') ?? 'auto',
    appearance: {
      theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
      labels: labels === 'floating' || labels === 'hidden' ? labels : 'above',
    },
    readOnly: read(element, 'read-only') !== null,
    payButton: read(element, 'pay-button') === 'host' ? 'host' : 'frame',
    buttonType: isButtonType(type) ? type : 'pay',
  } satisfies CardFormUpdate;
};

/** Our iframe, or a copy of it. */
const FRAME = `iframe[${MARK}]`;

const emit = (element: Element, name: string, detail: unknown) => {
  unclobbered(element).dispatchEvent(
    new CustomEvent(`card-form:${name}`, { detail, bubbles: true, composed: true }),
  );
};

/**
 * A mounted form with its latest client secret and options, as JSON, and whether it accepts another payment through
 * `update()`.
 */
type MountedForm = {
  readonly form: CardFormInstance;
  readonly giveSecret: GiveSecret;
  clientSecret: string;
  lastOptions: string;
  takesOther: boolean;
};

const update = (known: MountedForm, changes: ReturnType<typeof changeableOptions>) => {
  const options = JSON.stringify(changes);
  if (options === known.lastOptions) return;
  known.lastOptions = options;
  known.form.update(changes);
};

/** Creates the forms of a page. `tag` is the script tag. */
export const createNoCodeForms = (api: CardFormApi, tag: HTMLScriptElement) => {
  const publishableKey = onTag(tag, 'publishable-key');
  let successUrl = orReport(() => readSuccessUrl(tag));
  const secrets = createSecrets();
  const mounted = new WeakMap<Element, MountedForm>();
  const alerts = new WeakMap<Element, Element>();
  /** The last message about an element, so that the change of another attribute does not repeat it. */
  const lastMessages = new WeakMap<Element, string>();
  const isNewMessage = (element: Element, message: string) => {
    const isNew = lastMessages.get(element) !== message;
    lastMessages.set(element, message);
    return isNew;
  };

  const takeSecret = (element: Element) => {
    const given = read(element, 'client-secret');
    if (given === null) return;
    unclobbered(element).removeAttribute(nameOn(element, 'client-secret'));
    secrets.keep(element, given);
  };

  /** Replaces the element's form, if any, with an alert. */
  const showAlert = (element: Element, alert: Element) => {
    remove(element);
    alerts.set(element, alert);
    unclobbered(element).append(alert);
  };

  /** Handles a copy whose secret is lost: only the page's server can supply another. */
  const giveUp = (element: Element, isServed: boolean) => {
    if (onTag(tag, 'restored') === 'reload' && !isServed) {
      location.reload();
      return;
    }
    for (const frame of unclobbered(element).querySelectorAll(FRAME)) frame.remove();
    showAlert(element, showRestored());
    emit(element, 'loaderror', { reason: 'restored', message: RESTORED_MESSAGE });
    if (isNewMessage(element, RESTORED_MESSAGE)) reportError(new Error(RESTORED_MESSAGE));
  };

  const remove = (element: Element): void => {
    mounted.get(element)?.form.unmount();
    mounted.delete(element);
    alerts.get(element)?.remove();
    alerts.delete(element);
  };

  const mount = (element: Element, clientSecret: string, publishableKey: string) => {
    const options = changeableOptions(element);
    const view = read(element, 'view') === 'status' ? 'status' : 'form';
    const form = api.mount(element, {
      publishableKey,
      clientSecret,
      ...options,
      debug: read(element, 'debug') !== null,
      view,
    });
    const lastOptions = JSON.stringify(options);
    form.on('*', (name, detail) => emit(element, name, detail));
    const giveSecret = createSecretSwap(form, {
      warn: (warning) => emit(element, 'warning', warning),
    });
    const known: MountedForm = { form, giveSecret, clientSecret, lastOptions, takesOther: view === 'form' };
    mounted.set(element, known);
    lastMessages.delete(element);
    form.result.then((result) => {
      // Something else removed the iframe, such as a library that morphs the page into the server's version.
      const wasTaken = result.outcome === 'unknown' && result.reason === 'unmounted';
      if (!wasTaken || mounted.get(element)?.form !== form) return;
      mounted.delete(element);
      sync(element);
    });
    let wasPressed = false;
    form.on('processing', ({ pressed }) => {
      wasPressed ||= pressed;
    });
    // Not for an intent that was already paid: an attacker could inject an element with an intent of their own.
    form.on('result', (result) => {
      known.takesOther &&= result.outcome === 'unknown';
      if (wasPressed && result.outcome === 'succeeded')
        continueCheckout(element, result.paymentIntent.id, successUrl);
    });
  };

  /**
   * Brings the form of an element up to date: mounts it, updates it (also for another client secret), or mounts it
   * again for another client secret after its payment. `isServed`: the element came with the page, not later.
   */
  const sync = (element: Element, isServed = false): void => {
    takeSecret(element);
    const clientSecret = secrets.of(element);
    if (clientSecret === null) {
      giveUp(element, isServed);
      return;
    }
    const key = read(element, 'publishable-key');
    if (publishableKey && key !== null && key !== publishableKey) {
      remove(element);
      const message = `publishable-key: expected the one on the script tag, ${printableKey(publishableKey)}; got ${printableKey(key)}. The element is ignored.`;
      // biome-ignore lint/suspicious/noConsole: without a form there is no `warning` event
      if (isNewMessage(element, message)) console.warn(message, element);
      return;
    }
    try {
      const successUrl = read(element, 'success-url');
      if (successUrl !== null || (!publishableKey && (key !== null || clientSecret))) {
        throwMistake('invalid_option', misplacedMessage(tag, { publishableKey: key, successUrl }));
      }
      const known = mounted.get(element);
      if (known && known.clientSecret === clientSecret) {
        update(known, changeableOptions(element));
        return;
      }
      if (known?.takesOther && clientSecret) {
        known.clientSecret = clientSecret;
        known.giveSecret(clientSecret);
        return;
      }
      remove(element);
      // Otherwise wait for the missing attribute: frameworks set them one by one.
      if (clientSecret && publishableKey && unclobbered(element).isConnected) {
        mount(element, clientSecret, publishableKey);
      }
    } catch (mistake) {
      const { message } = mistake instanceof Error ? mistake : { message: String(mistake) };
      const textContent = `Card form does not load. ${message}`;
      showAlert(element, createElement('div', { role: 'alert', textContent }));
      if (isNewMessage(element, message)) reportError(mistake);
    }
  };

  /**
   * Compares the page's other script tags. If one has other values, either tag, perhaps this one, may have been
   * injected: the conflict is reported, and no page is opened after a payment.
   */
  const compareTag = (other: Element): void => {
    const name = TAG_ATTRIBUTES.find((name) => onTag(tag, name) !== onTag(other, name));
    if (!name) return;
    successUrl = null;
    orReport(() =>
      throwMistake(
        'invalid_option',
        `data-${name}: expected the same on every script tag with data-card-form. Remove all but one of them`,
      ),
    );
  };

  return { sync, remove, compareTag };
};

/** The key for a message. Anything but a publishable key may be secret, so only its beginning is shown. */
const printableKey = (key: string) => (key.startsWith('pk_') ? key : key.slice(0, 8));

/** Attributes of an element that belong on the script tag; null if missing. */
type MisplacedAttributes = Readonly<Record<'publishableKey' | 'successUrl', string | null>>;

/** The message for attributes that belong on the script tag, with the complete tag to paste. */
const misplacedMessage = (
  tag: HTMLScriptElement,
  { publishableKey, successUrl }: MisplacedAttributes,
): string => {
  const hasKey = Boolean(onTag(tag, 'publishable-key'));
  const names = [...(hasKey ? [] : ['publishable-key']), ...(successUrl === null ? [] : ['success-url'])];
  const attributes = new Map([...tag.attributes].map(({ name, value }) => [name, value]));
  if (!hasKey) {
    attributes.set(
      'data-publishable-key',
      new RegExp(PUBLISHABLE_KEY).exec(publishableKey ?? '')?.[0] ?? 'pk_live_…',
    );
  }
  if (successUrl !== null && !attributes.has('data-success-url'))
    attributes.set('data-success-url', successUrl);
  const written = [...attributes].map(([name, value]) => (value ? ` ${name}="${value}"` : ` ${name}`));
  return `${names.join(' and ')}: expected on the script tag, which injected markup cannot change, not on an element. Write <script${written.join('')}></script>`;
};

/**
 * Returns the result, or null after reporting what `run` throws: an error on the script tag must not stop the forms.
 */
const orReport = <Value>(run: () => Value): Value | null => {
  try {
    return run();
  } catch (mistake) {
    reportError(mistake);
    return null;
  }
};
