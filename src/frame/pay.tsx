/**
 * What is needed to pay, loaded beside the document: components, schemas, client, machine. Takes the form over that
 * stands there, with what was typed meanwhile, and keeps every element of it, so that nobody loses the focus.
 */
import { computed, effect, signal } from '@preact/signals';
import { hydrate } from 'preact';
import type { FieldName } from '../channel/field-names.ts';
import type { HandshakeResult } from '../channel/handshake.ts';
import type { MessageKey } from '../i18n/en.ts';
import { App } from './components/App.tsx';
import { createScreen } from './components/context.ts';
import { controlOf } from './first/controls.ts';
import type { Spoken } from './first/language.ts';
import type { Ahead } from './first/prefetch.ts';
import type { Fitting } from './first/static-form.ts';
import type { Wardrobe } from './first/theme.ts';
import type { Typing } from './first/typing.ts';
import { createForm } from './form/card-form.ts';
import { createTexts, typedIn } from './form/field-texts.ts';
import { storeOf } from './form/typing-store.ts';
import type { LookChanges } from './merchant/options.ts';
import { type Connection, connect } from './session/connect.ts';
import late from './styles/late.css?inline';
import { createWords } from './view/words.ts';

/** The look of what comes after the fields. */
export const STYLE = late;

/** What the document's own script found out and began. */
export type Begun = {
  greeted: HandshakeResult;
  /** As what the form was shown. */
  shown: Omit<Fitting, 'catalog'>;
  /** In what language; null where it came too late, or is not known. */
  spoken: Spoken | null;
  /** The read that was sent as soon as it was known whom to ask. */
  ahead: Ahead | null;
  wardrobe: Wardrobe;
  typing: Typing;
};

/** Brings the form below `root` to life. */
export const takeOver = async (
  root: HTMLElement,
  { greeted, shown, spoken, ahead, wardrobe, typing }: Begun,
): Promise<void> => {
  const words = createWords(navigator.languages, document.documentElement, spoken);
  const form = createForm({
    text: createTexts((name) => typedIn(name) || (name === 'country' ? shown.country : '')),
    preferred: navigator.languages,
    locale: () => words.spoken.value.locale,
    thisMonth,
  });
  const connection = signal<Connection | null>(null);
  const early = createScreen();
  const screen = computed(() => (connection.value?.view ?? early).value);
  const desk = computed(() => connection.value?.actions ?? null);
  const hidden = signal<readonly FieldName[]>(shown.hidden);
  const pressHint = signal<MessageKey | null>(null);
  const isInterrupted = signal(false);
  typing.join(storeOf(form, () => screen.peek().screen === 'form'));
  effect(() => {
    document.title = words.say('frame.title');
  });
  const { isSandbox, isButtonless } = shown;
  const context = { form, words, screen, desk, isSandbox, isButtonless, hidden, pressHint, isInterrupted };
  hydrate(<App {...context} />, root);

  // What was typed and left before anything could judge it is judged now.
  for (const { name, text, leave } of Object.values(form.fields)) {
    if (text.peek() !== '' && controlOf(name) !== document.activeElement) leave();
  }

  await new Promise((resolve) => setTimeout(resolve)); // whoever pressed a key meanwhile goes first
  const changeLook = async ({ locale, ...look }: LookChanges) => {
    await Promise.all([locale === undefined ? null : words.speak(locale), wardrobe.wear(look)]);
    return wardrobe.problems();
  };
  connection.value = connect(greeted, {
    form,
    pressHint,
    isInterrupted,
    words,
    ahead,
    hidden,
    changeLook,
  });
};

const thisMonth = () => {
  const today = new Date();
  return { year: today.getFullYear(), month: today.getMonth() + 1 };
};
