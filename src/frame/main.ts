/**
 * The entry of the frame, inlined into its document so that one response is enough to type. Hears how the page answers the
 * greeting in the document's head, adapts and shows the prerendered form, and handles input in the card fields. What
 * is needed to pay loads in parallel (`pay.tsx`) and then hydrates the form.
 */
import { hintCountry } from '../address/hint.ts';
import { handshake } from '../channel/handshake.ts';
import { previewInit } from '../channel/init-preview.ts';
import type { FrameMessage } from '../channel/messages.ts';
import { enFirst } from '../i18n/en-first.ts';
import { adoptStyles } from './first/adopt-styles.ts';
import { reportHeight } from './first/frame-height.ts';
import { presumedKnown } from './first/known-details.ts';
import { loadLanguage, setDocumentLanguage } from './first/language.ts';
import { nextTask } from './first/next-task.ts';
import { prefetchIntent } from './first/prefetch.ts';
import { adaptStaticForm } from './first/static-form.ts';
import { createTheme } from './first/theme.ts';
import { createTyping } from './first/typing.ts';
import { SCRIPT_ALTERED } from './first/verified-import.ts';

/** How long the form waits for another language or an appearance before it is shown without, in ms. */
const PRESENTATION_TIMEOUT = 500;

/** The longest wait for a paint, in ms: a tab in the background paints nothing. */
const PAINT_TIMEOUT = 100;

/** Resolves when the changes made so far have been painted. */
const nextPaint = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, PAINT_TIMEOUT);
  });

/** Resolves when the document has been parsed: this script runs before the form. */
const documentParsed = () =>
  new Promise<unknown>((resolve) => {
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', resolve);
    else resolve(null);
  });

/** Shown instead of the form if the document is opened outside a frame: there is no page to start it. */
const showStandaloneMessage = async () => {
  const [language] = await Promise.all([loadLanguage(undefined, navigator.languages), documentParsed()]);
  if (language) setDocumentLanguage(document.documentElement, language.negotiated);
  const root = document.getElementById('form');
  if (!root) return;
  root.textContent = (language?.catalog ?? enFirst)['frame.alone'];
  root.hidden = false;
};

const start = async () => {
  if (window.parent === window) return showStandaloneMessage();
  const { documentElement } = document;
  const theme = createTheme(
    documentElement,
    matchMedia('(prefers-color-scheme: dark)'),
    () => import('./appearance.ts'),
  );
  const typing = createTyping(documentElement);
  documentElement.addEventListener('submit', (event) => event.preventDefault()); // Enter before hydration

  const greeting = await handshake(window);
  const { port } = greeting; // long-lived closures keep only the port: `data` holds the client secret
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
  const preview = previewInit(greeting.data);
  const prefetch =
    preview?.clientSecret.kind === 'given'
      ? prefetchIntent(preview.publishableKey, preview.clientSecret.value)
      : null;
  const { defaults = {}, neverAsked: never = [] } = preview ?? {};
  const shown = {
    isSandbox: preview?.publishableKey.startsWith('pk_live_sandbox') ?? false,
    isButtonless: preview?.payButton === 'host',
    never,
    known: presumedKnown(defaults, never),
    defaults,
    country: defaults.country?.toUpperCase() ?? hintCountry(navigator.languages),
  };
  const { locale, colorScheme, appearance } = preview ?? {};
  const languageLoading = loadLanguage(locale, navigator.languages);
  const themeLoading = theme.apply({ colorScheme, appearance });
  // The form should appear in its final language and theme, but a slow network must not keep the buyer from typing.
  const timeout = new Promise<null>((resolve) => setTimeout(() => resolve(null), PRESENTATION_TIMEOUT));
  const language = await Promise.race([languageLoading, timeout]);
  await Promise.race([themeLoading, timeout]);
  await documentParsed();
  if (hasFailed) return;
  const root = document.getElementById('form');
  if (!root) throw new Error('The document has no element with the id "form".');
  if (language) setDocumentLanguage(documentElement, language.negotiated);
  adaptStaticForm(root, { ...shown, catalog: language?.catalog ?? null });
  root.hidden = false;
  reportHeight(root, { post });

  await nextPaint(); // the script is preloaded (`hosting/document.ts`), but running it takes longer than painting
  try {
    const pay = await import('./pay.tsx');
    await nextTask(); // running the script and hydrating the form would be one long task
    await pay.hydrateForm(root, { greeting, shown, language, prefetch, theme, typing, adoptStyles });
  } catch (failure) {
    // A script was blocked or the connection was lost. Nothing can be paid; only the page can load the form again.
    reportError(failure);
    prefetch?.abandon();
    fail();
  }
};

void start();
