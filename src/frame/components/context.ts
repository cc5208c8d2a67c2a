/** What every component of the form draws on; given once, at the root. */
import { type ReadonlySignal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { FieldName } from '../../channel/field-names.ts';
import type { MessageKey } from '../../i18n/en.ts';
import type { CardForm } from '../form/card-form.ts';
import type { FormActions } from '../session/connect.ts';
import type { View } from '../view/view.ts';
import type { Words } from '../view/words.ts';

export type FormContext = {
  form: CardForm;
  words: Words;
  screen: ReadonlySignal<View>;
  /** Null until there is something to pay with. */
  desk: ReadonlySignal<FormActions | null>;
  /** Whether the key is the sandbox's. */
  isSandbox: boolean;
  /** Whether the page has the Pay button. The total stands in the form in any case. */
  isButtonless: boolean;
  /** Fields that are not asked for, because the page knows what would be in them. */
  hidden: ReadonlySignal<readonly FieldName[]>;
  /** Why the last press did not count, as a message to the buyer. Null if it counted, or once it is out of date. */
  pressHint: ReadonlySignal<MessageKey | null>;
  /** Whether the page took the focus from a card field the buyer was typing in, and they have not pressed Pay since. */
  isInterrupted: ReadonlySignal<boolean>;
};

const Context = createContext<FormContext | null>(null);

/** Gives the form to the components below. */
export const FormProvider = Context.Provider;

/** The form a component belongs to. */
export const useForm = (): FormContext => {
  const context = useContext(Context);
  if (!context) throw new Error('A component of the form was rendered outside of it.');
  return context;
};

/** A view to begin with: everything can be typed, nothing can be sent. */
export const createScreen = () =>
  signal<View>({
    screen: 'form',
    intent: null,
    locked: false,
    notices: [],
    action: { kind: 'idle', total: null },
    attend: null,
  });
