/**
 * The frame's entry script, inlined into its document so that one response is enough to start typing. Receives the
 * page's reply to the handshake that the document's head started, adapts and shows the prerendered form, and handles
 * input in the card fields. Everything needed to pay loads in parallel: the payment (`session/payment.ts`), then the
 * form (`form.tsx`).
 */
import { hintCountry } from '../address/hint.ts';
import { handshake } from '../channel/handshake.ts';
import type { FrameMessage } from '../channel/messages.ts';
import { ownProperty } from '../channel/own-property.ts';
import { type Init, readInit } from '../channel/read-options.ts';
import { type Negotiated, negotiate } from '../i18n/locale.ts';
import { adoptStyles } from './first/adopt-styles.ts';
import { setDocumentLanguage } from './first/document-language.ts';
import { fillEarlyLists } from './first/early-lists.ts';
import { reportHeight } from './first/frame-height.ts';
import { neverAskedIn, presumedKnown } from './first/known-details.ts';
import { loadLanguage } from './first/language.ts';
import { nextTask } from './first/next-task.ts';
import { prefetchIntent } from './first/prefetch.ts';
import { adaptStaticForm } from './first/static-form.ts';
import { createTheme, type Theme } from './first/theme.ts';
import { createTyping } from './first/typing.ts';
import { SCRIPT_ALTERED } from './first/verified-import.ts';

/**
 * Maximum wait for a catalog before the form is shown or hydrated without it, and for an appearance before the form is
 * shown without it, in ms.
 */
const PRESENTATION_TIMEOUT = 500;

const presentationTimeout = () =>
  new Promise<null>((resolve) => setTimeout(() => resolve(null), PRESENTATION_TIMEOUT));

/** Maximum wait for a paint, in ms: a background tab does not paint. */
const PAINT_TIMEOUT = 100;

/** Resolves when all changes made so far have been painted. */
const nextPaint = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, PAINT_TIMEOUT);
  });

/** Resolves when the document has been parsed, since this script runs before the form. */
const documentParsed = () =>
  new Promise<unknown>((resolve) => {
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', resolve);
    else resolve(null);
  });

const importForm = () => import('./form.tsx');

/** Loads another language than the document's, and the code that writes its texts. Null if that fails. */
const loadOther = async (wanted: Negotiated) => {
  try {
    const loading = loadLanguage(wanted);
    const script = await import('./first/other-language.ts');
    const language = await loading;
    // English texts come with the form.
    return language && { language, texts: language.catalog ?? (await importForm()).en, script };
  } catch {
    return null;
  }
};

declare global {
  interface Window {
    /** Requests the remaining scripts (`build/request-early.ts`). Missing in development. */
    requestRest?: () => void;
  }
}

/** Applies the theme after the page has described the look of `appearance.from`. */
const applyWithFrom = async (
  init: Init,
  port: MessagePort,
  theme: Theme,
  loadAppearance: () => Promise<{ takeFrom(init: Init, port: MessagePort): Promise<void> }>,
) => {
  try {
    const { takeFrom } = await loadAppearance();
    await takeFrom(init, port);
  } catch {
    // a file did not load: the form uses its own look
  }
  const { backdrop, style, appearance, fonts } = init;
  await theme.apply({ backdrop, style, appearance, fonts });
};

const start = async () => {
  const { documentElement } = document;
  if (window.parent === window) {
    const other = await loadOther(negotiate(undefined, navigator.languages));
    await documentParsed();
    return other?.script.showAlone(other);
  }
  const loadAppearance = async () => (await import('./appearance.ts')).appearance;
  const theme = createTheme(documentElement, loadAppearance);
  const typing = createTyping(documentElement);
  documentElement.addEventListener('submit', (event) => event.preventDefault()); // presses are clicks

  const greeting = await handshake(window);
  const { port } = greeting;
  const post = (message: FrameMessage) => port.postMessage(message);
  let hasFailed = false;
  const fail = (details: { reason?: 'integrity'; file?: string } = {}) => {
    if (!hasFailed) post({ type: 'loaderror', ...details });
    hasFailed = true;
  };
  addEventListener(SCRIPT_ALTERED, (event) => {
    const file = event instanceof CustomEvent && event.detail;
    fail({ reason: 'integrity', ...(file ? { file: `${file}` } : {}) });
  });
  const init = readInit(greeting.data);
  if (init) Reflect.deleteProperty(Object(greeting.data), 'clientSecret'); // only `init.clientSecret` keeps it
  const prefetch =
    init?.clientSecret.kind === 'given' ? prefetchIntent(init.publishableKey, init.clientSecret) : null;
  const {
    locale,
    backdrop,
    style,
    appearance,
    fonts,
    autoAdvance = true,
    payButton,
    view,
    fields,
    defaultValues,
  } = init ?? {};
  const { address, ...others } = defaultValues?.billingDetails ?? {};
  const defaults = { ...others, ...address };
  const never = neverAskedIn(fields);
  const shown = {
    isSandbox: init?.publishableKey.startsWith('pk_live_sandbox') ?? false,
    isButtonless: payButton === 'host',
    isStatus: view === 'status',
    autoAdvance,
    never,
    known: presumedKnown(defaults, never),
    defaults,
    sameAsShipping: defaultValues?.sameAsShipping,
    country: defaults.country?.toUpperCase() ?? hintCountry(navigator.languages),
  };
  if (!autoAdvance) typing.stay();
  const wanted = negotiate(locale, navigator.languages);
  const isOwn = wanted.language === documentElement.lang;
  const otherLoading = isOwn ? null : loadOther(wanted);
  const themeLoading =
    init && ownProperty(appearance, 'from')
      ? applyWithFrom(init, port, theme, loadAppearance)
      : theme.apply({ backdrop, style, appearance, fonts });
  // The form should appear in its final language and theme, but a slow network must not keep the buyer from typing.
  const timeout = presentationTimeout();
  const other = await Promise.race([otherLoading, timeout]);
  await Promise.race([themeLoading, timeout]);
  await documentParsed();
  if (hasFailed) return;
  const root = document.getElementById('form');
  if (!root) throw new Error('There is no form.');
  if (isOwn || other) setDocumentLanguage(documentElement, wanted);
  other?.script.writeForm(root, other.texts);
  // An appearance that loads later moves the name after hydration.
  const placed = { ...shown, isNameFirst: documentElement.dataset.nameField === 'first' };
  const sentence = adaptStaticForm(root, placed);
  fillEarlyLists();
  root.hidden = shown.isStatus; // until the intent has been read
  reportHeight(root, { post });
  window.requestRest?.(); // the large scripts, which would compete with the answer on a slow connection

  await nextPaint(); // before running the preloaded scripts (`build/request-early.ts`), which is slower
  try {
    const loading = isOwn ? loadLanguage(wanted) : Promise.resolve(other?.language ?? null);
    const { createOffer, loadForm } = await import('./session/payment.ts');
    const offer = createOffer(init, prefetch, { port, sentence });
    await nextPaint(); // of the total, if it has arrived: it must not wait for hydration
    const form = await loadForm(offer, importForm, loading);
    // The document only contains the texts of the first view.
    const language = await Promise.race([loading, presentationTimeout()]);
    await nextTask(); // running the script and hydrating the form would be one long task
    await form.hydrateForm(root, {
      greeting,
      init,
      shown: placed,
      language,
      offer,
      theme,
      loadAppearance,
      typing,
      adoptStyles,
    });
  } catch (failure) {
    // A script was blocked or the connection was lost. Nothing can be paid; only the page can load the form again.
    reportError(failure);
    prefetch?.abandon();
    fail();
  }
};

void start();
