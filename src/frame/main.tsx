/**
 * The frame's entry: puts the parts together, in the order in which a buyer needs them. What is needed to type
 * is in this module; what is needed to pay is fetched beside it and takes over when both are there.
 */
import { effect, signal } from '@preact/signals';
import { render } from 'preact';
import { greet } from '../channel/handshake.ts';
import type { FrameMessage } from '../channel/messages.ts';
import type { MessageKey } from '../i18n/en.ts';
import { App } from './App.tsx';
import { createWardrobe } from './appearance.ts';
import { createScreen } from './context.ts';
import { focusField } from './Field.tsx';
import { createForm } from './form.ts';
import { createGuard } from './guard.ts';
import type { Desk, Dress } from './pay.ts';
import { createPress } from './press.ts';
import { tellHeight } from './resize.ts';
import { createWords } from './words.ts';

declare const __RELEASE__: string;

const start = async (root: HTMLElement) => {
  const paying = import('./pay.ts').catch((failure: unknown) => reportError(failure));
  const greeting = greet({ window, parent: window.parent, release: __RELEASE__ });

  const form = createForm({
    preferred: navigator.languages,
    thisMonth: () => {
      const today = new Date();
      return { year: today.getFullYear(), month: today.getMonth() + 1 };
    },
  });
  const words = createWords(navigator.languages, document.documentElement);
  const wardrobe = createWardrobe(
    document.documentElement,
    matchMedia('(prefers-color-scheme: dark)'),
    () => import('../appearance/look.ts'),
  );
  const screen = createScreen();
  const desk = signal<Desk | null>(null);
  const isSandbox = signal(false);
  const payButton = signal<'frame' | 'host'>('frame');
  const caution = signal<MessageKey | null>(null);
  const guard = createGuard(() => performance.now(), new AbortController().signal);
  const press = createPress({ form, screen, desk, guard, caution, lead: focusField });

  const [pay, greeted] = await Promise.all([paying, greeting]);
  // Blocked, or the connection is gone: the loader has heard hello and waits for nothing any more.
  if (!pay) return greeted.port.postMessage({ type: 'loaderror' } satisfies FrameMessage);
  let dressed: Promise<unknown> = Promise.resolve();
  const opened = pay.openDesk(greeted, {
    form,
    screen,
    press,
    dress({ locale, publishableKey, payButton: whose, ...look }: Dress) {
      const spoken = locale !== undefined || publishableKey ? words.speak(locale).then(guard.changed) : null;
      dressed = Promise.all([dressed, spoken, wardrobe.wear(look).then(guard.changed)]);
      if (whose) payButton.value = whose;
      if (publishableKey) isSandbox.value = publishableKey.startsWith('pk_live_sandbox');
    },
  });
  await dressed; // nothing is painted before it looks as it should
  effect(() => {
    document.title = words.say('frame.title');
  });
  render(<App {...{ form, words, screen, desk, isSandbox, payButton, press, caution, guard }} />, root);
  desk.value = opened;
  tellHeight(root, opened.port);
  opened.port.post({ type: 'ready' });
};

const root = document.getElementById('form');
if (root) void start(root);
