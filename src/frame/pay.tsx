/**
 * What is needed to pay, loaded in parallel with the document: components, schemas, client, state machine. Hydrates the
 * prerendered form with what was typed meanwhile and keeps its elements, so that the focus is not lost.
 */
import { computed, effect, signal } from '@preact/signals';
import { hydrate } from 'preact';
import type { HandshakeResult } from '../channel/handshake.ts';
import type { MessageKey } from '../i18n/en.ts';
import { App } from './components/App.tsx';
import { createFirstView } from './components/context.ts';
import { controlOf } from './first/controls.ts';
import type { LoadedLanguage } from './first/language.ts';
import { nextTask } from './first/next-task.ts';
import type { Prefetch } from './first/prefetch.ts';
import type { StaticFormOptions } from './first/static-form.ts';
import type { Theme } from './first/theme.ts';
import type { Typing } from './first/typing.ts';
import { createForm } from './form/card-form.ts';
import { createDigitsStore } from './form/digits-store.ts';
import { createTexts, typedIn } from './form/field-texts.ts';
import type { LookChanges } from './merchant/options.ts';
import { type Connection, connect } from './session/connect.ts';
import late from './styles/late.css?inline';
import { createWords } from './view/words.ts';

/** What `main.ts` found out and started. */
export type FirstStage = {
  greeting: HandshakeResult;
  /** The options the form was shown with. */
  shown: Omit<StaticFormOptions, 'catalog'>;
  /** The language it was shown in; null if its catalog did not load in time. */
  language: LoadedLanguage | null;
  /** The first read of the intent, if it could be sent already. */
  prefetch: Prefetch | null;
  theme: Theme;
  typing: Typing;
  /** Adds the styles of what these components add to the form. */
  adoptStyles: (rules: string) => void;
};

/** Hydrates the form below `root` and connects it to the page. */
export const hydrateForm = async (
  root: HTMLElement,
  { greeting, shown, language, prefetch, theme, typing, adoptStyles }: FirstStage,
): Promise<void> => {
  const words = createWords(navigator.languages, document.documentElement, language);
  const form = createForm({
    text: createTexts((name) => typedIn(name) || (name === 'country' ? shown.country : '')),
    preferred: navigator.languages,
    unasked: { never: shown.never, known: shown.known },
    locale: () => words.negotiated.value.locale,
    thisMonth,
  });
  const connection = signal<Connection | null>(null);
  const firstView = createFirstView();
  const screen = computed(() => (connection.value?.view ?? firstView).value);
  const actions = computed(() => connection.value?.actions ?? null);
  const pressHint = signal<MessageKey | null>(null);
  const isInterrupted = signal(false);
  const isGrouped = signal(false); // at first, since the prerendered form is not
  const readTheme = () => {
    isGrouped.value = document.documentElement.dataset.fields === 'grouped';
  };
  typing.connect(createDigitsStore(form, () => screen.peek().screen === 'form'));
  effect(() => {
    document.title = words.say('frame.title');
  });
  const { isSandbox } = shown;
  const isButtonless = signal(shown.isButtonless);
  const shared = { form, words, screen, actions, pressHint, isInterrupted, isGrouped, isButtonless };

  await nextTask(); // creating the form and hydrating it would be one long task
  // The store has what was typed into the fields for digits meanwhile, and now also into the others.
  for (const { name, text, type } of Object.values(form.fields)) {
    const typed = typedIn(name);
    if (typed !== text.peek() && (typed || name !== 'country')) type(typed);
  }
  adoptStyles(late);
  hydrate(<App {...shared} isSandbox={isSandbox} />, root);
  readTheme(); // a theme that comes later is read when `connect` applies the page's options

  // Fields the buyer left before hydration are checked now.
  for (const { name, text, leave } of Object.values(form.fields)) {
    if (text.peek() !== '' && controlOf(name) !== document.activeElement) leave();
  }

  await nextTask();
  const changeLook = async ({ locale, ...look }: LookChanges) => {
    await Promise.all([locale === undefined ? null : words.changeLanguage(locale), theme.apply(look)]);
    readTheme();
    return theme.problems();
  };
  connection.value = connect(greeting, {
    form,
    pressHint,
    isInterrupted,
    isButtonless,
    words,
    prefetch,
    changeLook,
  });
};

const thisMonth = () => {
  const today = new Date();
  return { year: today.getFullYear(), month: today.getMonth() + 1 };
};
