/**
 * The form of each element that asks for one. Anyone who can put markup into a page can put such an element there, so an
 * element says only which payment and how it looks. The account and where to go after the payment are said by the
 * script's tag, and the page moves on only after a press in the form.
 */
import { leadOn, successUrlOf } from './after-payment.ts';
import { createElement } from './create-element.ts';
import { throwMistake } from './errors.ts';
import type { CardFormApi, CardFormEventName, CardFormInstance, CardFormUpdate } from './types.ts';
import { unclobbered } from './unclobbered.ts';

const EVENTS: readonly CardFormEventName[] = [
  'ready',
  'change',
  'focus',
  'blur',
  'escape',
  'amountchange',
  'processing',
  'decline',
  'ratelimited',
  'error',
  'warning',
  'result',
  'loaderror',
];

/** What an element can say. Lower-case names of options; with `data-` in front on any element but `<card-form>`. */
const ATTRIBUTES = [
  'client-secret',
  'locale',
  'theme',
  'labels',
  'pay-button',
  'read-only',
  'debug',
] as const;

/** What only the script's tag can say. */
const TAG_ATTRIBUTES = ['publishable-key', 'success-url'] as const;

/** Of elements; those of the tag are watched, too, since they are refused here. */
export const WATCHED = [...ATTRIBUTES, ...TAG_ATTRIBUTES] as const;
type Name = (typeof WATCHED)[number];

const nameOn = (element: Element, name: Name) =>
  unclobbered(element).localName === 'card-form' ? name : `data-${name}`;
const read = (element: Element, name: Name) => unclobbered(element).getAttribute(nameOn(element, name));

/** What can change while the form stands. */
const changeable = (element: Element) => {
  const [theme, labels] = [read(element, 'theme'), read(element, 'labels')];
  return {
    locale: read(element, 'locale') ?? 'auto',
    appearance: {
      theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
      labels: labels === 'floating' ? labels : 'above',
    },
    readOnly: read(element, 'read-only') !== null,
  } satisfies CardFormUpdate;
};

/** A form that stands: with which secret it was mounted, and what of the rest it was told last. */
type Standing = { readonly form: CardFormInstance; readonly clientSecret: string; told: string };

/** The forms of a page whose script has this tag. */
export const createNoCodeForms = (api: CardFormApi, tag: HTMLScriptElement) => {
  const { publishableKey } = tag.dataset;
  const successUrl = reported(() => successUrlOf(tag));
  const secrets = new WeakMap<Element, string>();
  const standing = new WeakMap<Element, Standing>();
  const alerts = new WeakMap<Element, Element>();
  /** What was said last of an element, so that the change of another attribute does not repeat it. */
  const said = new WeakMap<Element, string>();
  const isNews = (element: Element, message: string) => {
    const isNew = said.get(element) !== message;
    said.set(element, message);
    return isNew;
  };

  /** Takes the secret out of the markup, where snapshots of the page and selectors of other scripts would find it. */
  const takeSecret = (element: Element) => {
    const given = read(element, 'client-secret');
    if (given === null) return;
    secrets.set(element, given);
    unclobbered(element).removeAttribute(nameOn(element, 'client-secret'));
  };

  const leave = (element: Element): void => {
    standing.get(element)?.form.unmount();
    standing.delete(element);
    alerts.get(element)?.remove();
    alerts.delete(element);
  };

  const mount = (element: Element, clientSecret: string, publishableKey: string) => {
    const options = changeable(element);
    const form = api.mount(element, {
      publishableKey,
      clientSecret,
      ...options,
      payButton: read(element, 'pay-button') === 'host' ? 'host' : 'frame',
      debug: read(element, 'debug') !== null,
    });
    standing.set(element, { form, clientSecret, told: JSON.stringify(options) });
    said.delete(element);
    for (const name of EVENTS) {
      form.on(name, (detail) => {
        unclobbered(element).dispatchEvent(
          new CustomEvent(`card-form:${name}`, { detail, bubbles: true, composed: true }),
        );
      });
    }
    let wasPressed = false;
    form.on('processing', ({ pressed }) => {
      wasPressed ||= pressed;
    });
    // An intent that was paid before may be a stranger's, in an element that the stranger put here.
    form.on('result', (result) => {
      if (wasPressed && result.outcome === 'succeeded') leadOn(element, result.paymentIntent.id, successUrl);
    });
  };

  const update = (known: Standing, changes: ReturnType<typeof changeable>) => {
    const told = JSON.stringify(changes);
    if (told === known.told) return;
    known.told = told;
    known.form.update(changes);
  };

  /** Mounts what has a secret, anew where that is another; of what stands, changes what can be. */
  const follow = (element: Element): void => {
    takeSecret(element);
    const clientSecret = secrets.get(element);
    const key = read(element, 'publishable-key');
    if (publishableKey && key !== null && key !== publishableKey) {
      leave(element);
      const message = `publishable-key: expected the one on the script's tag, ${legible(publishableKey)}; got ${legible(key)}. The element is ignored.`;
      // biome-ignore lint/suspicious/noConsole: there is no form whose `warning` could say it
      if (isNews(element, message)) console.warn(message, element);
      return;
    }
    try {
      const successUrl = read(element, 'success-url');
      if (successUrl !== null || (!publishableKey && (key !== null || clientSecret))) {
        throwMistake('invalid_option', misplaced(tag, { publishableKey: key, successUrl }));
      }
      const known = standing.get(element);
      if (known && known.clientSecret === clientSecret) {
        update(known, changeable(element));
        return;
      }
      leave(element);
      // Frameworks set attributes one by one.
      if (clientSecret && publishableKey && unclobbered(element).isConnected) {
        mount(element, clientSecret, publishableKey);
      }
    } catch (mistake) {
      const { message } = mistake instanceof Error ? mistake : { message: String(mistake) };
      leave(element);
      const alert = createElement('div', {
        role: 'alert',
        textContent: `Card form does not load. ${message}`,
      });
      alerts.set(element, alert);
      unclobbered(element).append(alert);
      if (isNews(element, message)) reportError(mistake);
    }
  };

  return { follow, leave };
};

/** Of anything but a publishable key, such as a secret one, no more than how it begins. */
const legible = (key: string) => (key.startsWith('pk_') ? key : key.slice(0, 8));

/** What was given on an element and belongs on the tag; null: not given. */
type Given = Readonly<Record<'publishableKey' | 'successUrl', string | null>>;

/** Says where it belongs, with the tag to paste. */
const misplaced = (tag: HTMLScriptElement, { publishableKey, successUrl }: Given): string => {
  const names = [
    ...(tag.dataset.publishableKey ? [] : ['publishable-key']),
    ...(successUrl === null ? [] : ['success-url']),
  ];
  const attributes = new Map(Array.from(tag.attributes, ({ name, value }) => [name, value]));
  if (!tag.dataset.publishableKey) {
    attributes.set('data-publishable-key', /^pk_live_\w{32}$/.exec(publishableKey ?? '')?.[0] ?? 'pk_live_…');
  }
  if (successUrl !== null && !attributes.has('data-success-url'))
    attributes.set('data-success-url', successUrl);
  const written = Array.from(attributes, ([name, value]) => (value ? ` ${name}="${value}"` : ` ${name}`));
  return `${names.join(' and ')}: expected on the script's tag, where nobody else can write it, not on an element. Write <script${written.join('')}></script>`;
};

/** A mistake on the tag is told once, and nothing follows from it but that. */
const reported = <Value>(run: () => Value): Value | null => {
  try {
    return run();
  } catch (mistake) {
    reportError(mistake);
    return null;
  }
};
