/**
 * The frame's entry, in the document itself: finds out who holds the frame, makes the form that stands there fit and
 * shows it, takes the keys in the card's fields. One response is all that a buyer waits for. What is needed to pay is
 * fetched beside it and takes over when it is there; nothing of that keeps a key waiting.
 */
import { hintCountry } from '../address/hint.ts';
import { handshake } from '../channel/handshake.ts';
import { previewInit } from '../channel/init-preview.ts';
import type { FrameMessage } from '../channel/messages.ts';
import { enFirst } from '../i18n/en-first.ts';
import { adopt } from './first/adopt-styles.ts';
import { fieldsOf } from './first/fields.ts';
import { tellHeight } from './first/frame-height.ts';
import { learn, speakOn } from './first/language.ts';
import { readAhead } from './first/prefetch.ts';
import { prepare } from './first/static-form.ts';
import { createWardrobe } from './first/theme.ts';
import { createTyping } from './first/typing.ts';
import { ALTERED } from './first/verified-import.ts';

declare const __RELEASE__: string;

/** How long the form waits for another language or look before it is shown without, in ms. */
const LANGUAGE_TIMEOUT = 500;

/** The longest wait for a frame to be painted, in ms: in the background none is. */
const UNSEEN = 100;

/** Fulfils when what was just changed can be seen. */
const painted = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, UNSEEN);
  });

/** Fulfils when the whole document has been read: this script stands before the form, so that it says hello first. */
const standing = () =>
  new Promise<unknown>((resolve) => {
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', resolve);
    else resolve(null);
  });

/** In place of the form, where the document is no frame: there is no page that could begin it. */
const sayAlone = async () => {
  const [spoken] = await Promise.all([learn(undefined, navigator.languages), standing()]);
  if (spoken) speakOn(document.documentElement, spoken.spoken);
  const root = document.getElementById('form');
  if (!root) return;
  root.textContent = (spoken?.catalog ?? enFirst)['frame.alone'];
  root.hidden = false;
};

const start = async () => {
  if (window.parent === window) return sayAlone();
  const { documentElement } = document;
  const wardrobe = createWardrobe(
    documentElement,
    matchMedia('(prefers-color-scheme: dark)'),
    () => import('./appearance.ts'),
  );
  const typing = createTyping(documentElement);
  documentElement.addEventListener('submit', (event) => event.preventDefault()); // Enter, before anything can be paid

  const greeted = await handshake({ window, parent: window.parent, release: __RELEASE__ });
  const { port } = greeted; // what stays keeps the port alone: `data` holds the client secret
  const post = (message: FrameMessage) => port.postMessage(message);
  /** Whether the page knows that there will be no form. */
  let isOver = false;
  const giveUp = (more: { reason?: 'integrity'; file?: string } = {}) => {
    if (!isOver) post({ type: 'loaderror', ...more });
    isOver = true;
  };
  addEventListener(ALTERED, (event) => {
    const file = event instanceof CustomEvent && event.detail;
    giveUp({ reason: 'integrity', ...(file ? { file: `${file}` } : {}) });
  });
  const seen = previewInit(greeted.data);
  const ahead =
    seen?.clientSecret.kind === 'given' ? readAhead(seen.publishableKey, seen.clientSecret.value) : null;
  const shown = {
    isSandbox: seen?.publishableKey.startsWith('pk_live_sandbox') ?? false,
    isButtonless: seen?.payButton === 'host',
    hidden: fieldsOf(seen?.neverAsked ?? []),
    country: seen?.country?.toUpperCase() ?? hintCountry(navigator.languages),
  };
  const { locale, colorScheme, appearance } = seen ?? {};
  const learning = learn(locale, navigator.languages);
  const wearing = wardrobe.wear({ colorScheme, appearance });
  // Best shown as it is to look; but a buyer must not wait for a slow network to type.
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), LANGUAGE_TIMEOUT));
  const spoken = await Promise.race([learning, late]);
  await Promise.race([wearing, late]);
  await standing();
  if (isOver) return;
  const root = document.getElementById('form');
  if (!root) throw new Error('The document holds no form.');
  if (spoken) speakOn(documentElement, spoken.spoken);
  prepare(root, { ...shown, catalog: spoken?.catalog ?? null });
  root.hidden = false;
  tellHeight(root, { post });
  post({ type: 'ready' });

  await painted(); // it is on its way (`hosting/document.ts`), but to run it takes longer than to show the form
  try {
    const pay = await import('./pay.tsx');
    adopt(pay.STYLE);
    await pay.takeOver(root, { greeted, shown, spoken, ahead, wardrobe, typing });
  } catch (failure) {
    // Blocked, or the connection is gone: there is nothing to pay with, and only the page can begin anew.
    reportError(failure);
    ahead?.abandon();
    giveUp();
  }
};

void start();
