/** What the components of the form share, provided at the root. */
import { type ReadonlySignal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { MessageKey } from '../../i18n/en.ts';
import type { CardForm } from '../form/card-form.ts';
import type { FormActions } from '../session/connect.ts';
import type { View } from '../view/view.ts';
import type { Words } from '../view/words.ts';

export type FormContext = {
  form: CardForm;
  words: Words;
  screen: ReadonlySignal<View>;
  /** Null until the scripts that can pay have loaded and connected. */
  actions: ReadonlySignal<FormActions | null>;
  /** Whether the publishable key is a sandbox's. */
  isSandbox: boolean;
  /** Whether the page has the Pay button instead of the form. The form always shows the total. */
  isButtonless: ReadonlySignal<boolean>;
  /** Why the last press did not count, as a message to the buyer. Null if it counted, or once it is out of date. */
  pressHint: ReadonlySignal<MessageKey | null>;
  /** Whether the page took the focus from a card field the buyer was typing in, and they have not pressed Pay since. */
  isInterrupted: ReadonlySignal<boolean>;
  /** Whether several fields share one outline, with their messages below it. */
  isGrouped: ReadonlySignal<boolean>;
};

const Context = createContext<FormContext | null>(null);

/** Provides the form to the components below. */
export const FormProvider = Context.Provider;

/** The form that a component belongs to. */
export const useForm = (): FormContext => {
  const context = useContext(Context);
  if (!context) throw new Error('No FormProvider');
  return context;
};

/** The first view: the fields accept input, nothing can be sent. */
export const createFirstView = () =>
  signal<View>({
    screen: 'form',
    intent: null,
    locked: false,
    notices: [],
    action: { kind: 'idle', total: null },
    noticesFirst: false,
    fieldToFix: null,
  });
