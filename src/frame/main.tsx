/**
 * The frame's entry: puts the parts together, in the order in which a buyer needs them. What is needed to type
 * is in this module and stands in the document itself; what is needed to pay is fetched beside it and takes over
 * when it is there. Nothing of that keeps a key waiting.
 */
import { effect, signal } from '@preact/signals';
import { render } from 'preact';
import { hintCountry } from '../address/hint.ts';
import type { FieldName } from '../channel/field-names.ts';
import { glance } from '../channel/glance.ts';
import { greet } from '../channel/handshake.ts';
import type { FrameMessage } from '../channel/messages.ts';
import type { MessageKey } from '../i18n/en.ts';
import { App } from './App.tsx';
import { adopt } from './adopt.ts';
import { readAhead } from './ahead.ts';
import { createWardrobe } from './appearance.ts';
import { createScreen } from './context.ts';
import { createDraft } from './draft.ts';
import { fieldsOf } from './fields.ts';
import type { Desk, Dress } from './pay.ts';
import { tellHeight } from './resize.ts';
import { createWords } from './words.ts';

declare const __RELEASE__: string;

/** How long the form waits for another language or look before it is shown without, in ms. */
const PATIENCE = 500;

const start = async (root: HTMLElement) => {
  const paying = import('./pay.ts').catch((failure: unknown) => reportError(failure));
  const greeting = greet({ window, parent: window.parent, release: __RELEASE__ });

  const form = createDraft(hintCountry(navigator.languages));
  const words = createWords(navigator.languages, document.documentElement);
  const wardrobe = createWardrobe(
    document.documentElement,
    matchMedia('(prefers-color-scheme: dark)'),
    () => import('./look.ts'),
  );
  const screen = createScreen();
  const desk = signal<Desk | null>(null);
  const isSandbox = signal(false);
  const payButton = signal<'frame' | 'host'>('frame');
  const hidden = signal<readonly FieldName[]>([]);
  const caution = signal<MessageKey | null>(null);
  const dress = async ({ locale, ...look }: Dress) => {
    const changed = () => desk.peek()?.guard.changed();
    const spoken = locale === undefined ? null : words.speak(locale).then(changed);
    await Promise.all([spoken, wardrobe.wear(look).then(changed)]);
    return wardrobe.problems();
  };

  const greeted = await greeting;
  const { port } = greeted; // what stays keeps the port alone: `data` holds the client secret
  const post = (message: FrameMessage) => port.postMessage(message);
  const seen = glance(greeted.data);
  const secret = seen?.clientSecret ?? true;
  const ahead = seen && secret !== true ? readAhead(seen.publishableKey, secret) : null;
  if (seen) {
    isSandbox.value = seen.publishableKey.startsWith('pk_live_sandbox');
    payButton.value = seen.payButton ?? 'frame';
    hidden.value = fieldsOf(seen.unasked);
    if (seen.country) form.fields.country.type(seen.country.toUpperCase());
    const { locale = 'auto', colorScheme, appearance } = seen;
    // Best shown as it is to look; but a buyer must not wait for a slow network to type.
    await Promise.race([
      dress({ locale, colorScheme, appearance }),
      new Promise((resolve) => setTimeout(resolve, PATIENCE)),
    ]);
  }
  effect(() => {
    document.title = words.say('frame.title');
  });
  render(<App {...{ form, words, screen, desk, isSandbox, payButton, hidden, caution }} />, root);
  tellHeight(root, { post });
  post({ type: 'ready' });

  const pay = await paying;
  // Blocked, or the connection is gone: there is nothing to pay with, and only the page can begin anew.
  if (!pay) {
    ahead?.abandon();
    return post({ type: 'loaderror' });
  }
  adopt(pay.STYLE);
  desk.value = pay.openDesk(greeted, { draft: form, screen, caution, words, ahead, hidden, dress });
};

const root = document.getElementById('form');
if (root) void start(root);
