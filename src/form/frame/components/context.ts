/** The context shared by the form's components. */
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

/** Components that are not prerendered, so hydration leaves the prerendered form unchanged (`late.ts`). */
export type LateComponents = {
  Outcome: FunctionComponent<Extract<View, { screen: 'outcome' }>>;
  CodeHelp: FunctionComponent;
  BrandMark: FunctionComponent<{ brand: Brand }>;
  /** Adds ways to edit a field for digits other than typing. Returns a function that removes them. */
  editInput(
    input: HTMLInputElement,
    name: DigitsName,
    form: Pick<FormContext, 'form' | 'screen'>,
  ): () => void;
  followAnswers: typeof followAnswers;
  /** The view if only the payment's status is shown. */
  statusView(shown: View): Extract<View, { screen: 'outcome' }>;
};

export type FormContext = {
  form: FormModel;
  words: Words;
  screen: ReadonlySignal<View>;
  /** The total shown before hydration, until the intent has been read. */
  earlyTotal: ReadonlySignal<Money | null>;
  /** Judges whether a press counts. Null while the form is prerendered. */
  guard: Guard | null;
  /** Null until the form is connected. */
  actions: ReadonlySignal<FormActions | null>;
  /** Null until the form is connected. */
  late: ReadonlySignal<LateComponents | null>;
  /** True if the publishable key is a sandbox's. */
  isSandbox: boolean;
  /** True if only the payment's status is shown, and nothing can be typed. */
  isStatus: boolean;
  /** True if the focus moves automatically from a full card field to the next one. */
  autoAdvance: boolean;
  /** True if the page has the Pay button instead of the form. The form always shows the total. */
  isButtonless: ReadonlySignal<boolean>;
  /** Message key for the buyer: the reason the last press did not count. Null if it counted, or once outdated. */
  pressHint: ReadonlySignal<MessageKey | null>;
  /**
   * True if the page took the focus from a card field while the buyer was typing, and they haven't pressed Pay since.
   */
  isInterrupted: ReadonlySignal<boolean>;
  /** True if several fields share one outline, with their messages below it. */
  isGrouped: ReadonlySignal<boolean>;
  /** True if the cardholder's name comes before the card number. */
  isNameFirst: ReadonlySignal<boolean>;
};

const Context = createContext<FormContext | null>(null);

/** Provides the form to the components below. */
export const FormProvider = Context.Provider;

/** The form that contains the component. */
export const useForm = (): FormContext => {
  const context = useContext(Context);
  if (!context) throw new Error('No FormProvider');
  return context;
};
