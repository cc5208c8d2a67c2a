/** What the components of the form share, provided at the root. */
import type { ReadonlySignal } from '@preact/signals';
import { createContext, type FunctionComponent } from 'preact';
import { useContext } from 'preact/hooks';
import type { Money } from '../../../api/money.ts';
import type { Brand } from '../../card/brands.ts';
import type { MessageKey } from '../../i18n/en.ts';
import type { DigitsName } from '../first/auto-advance.ts';
import type { FormModel } from '../form/card-form.ts';
import type { followAnswers } from '../form/follow-answers.ts';
import type { Guard } from '../press/guard.ts';
import type { FormActions } from '../session/connect.ts';
import type { View } from '../view/form-view.ts';
import type { Words } from '../view/words.ts';

/** What the prerendered form does not have, so that hydration leaves it as it is (`late.ts`). */
export type LateComponents = {
  Outcome: FunctionComponent<Extract<View, { screen: 'outcome' }>>;
  CodeHelp: FunctionComponent;
  BrandMark: FunctionComponent<{ brand: Brand }>;
  /** Lets a field for digits be edited in more ways than by typing. Returns a function that ends it. */
  editInput(
    input: HTMLInputElement,
    name: DigitsName,
    form: Pick<FormContext, 'form' | 'screen'>,
  ): () => void;
  followAnswers: typeof followAnswers;
  /** The view of a payment of which only the status is shown. */
  statusView(shown: View): Extract<View, { screen: 'outcome' }>;
};

export type FormContext = {
  form: FormModel;
  words: Words;
  screen: ReadonlySignal<View>;
  /** The total that was shown before hydration, until the intent has been read. */
  earlyTotal: ReadonlySignal<Money | null>;
  /** Judges whether a press may count. Null while the form is prerendered. */
  guard: Guard | null;
  /** Null until the form is connected. */
  actions: ReadonlySignal<FormActions | null>;
  /** Null until the form is connected. */
  late: ReadonlySignal<LateComponents | null>;
  /** Whether the publishable key is a sandbox's. */
  isSandbox: boolean;
  /** Whether only the status of the payment is shown, and nothing can be typed. */
  isStatus: boolean;
  /** Whether the focus moves from a full card field to the next one by itself. */
  autoAdvance: boolean;
  /** Whether the page has the Pay button instead of the form. The form always shows the total. */
  isButtonless: ReadonlySignal<boolean>;
  /** Why the last press did not count, as a message to the buyer. Null if it counted, or once it is out of date. */
  pressHint: ReadonlySignal<MessageKey | null>;
  /** Whether the page took the focus from a card field the buyer was typing in, and they have not pressed Pay since. */
  isInterrupted: ReadonlySignal<boolean>;
  /** Whether several fields share one outline, with their messages below it. */
  isGrouped: ReadonlySignal<boolean>;
  /** Whether the cardholder's name comes before the card number. */
  isNameFirst: ReadonlySignal<boolean>;
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
