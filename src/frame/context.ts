/** What every component of the form draws on; given once, at the root. */
import { type ReadonlySignal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { FieldName } from '../channel/field-names.ts';
import type { MessageKey } from '../i18n/en.ts';
import type { Draft } from './draft.ts';
import type { Desk } from './pay.ts';
import type { View } from './view.ts';
import type { Words } from './words.ts';

export type FormContext = {
  form: Draft;
  words: Words;
  screen: ReadonlySignal<View>;
  /** Null until what is needed to pay has arrived. */
  desk: ReadonlySignal<Desk | null>;
  /** Whether the key is the sandbox's. */
  isSandbox: ReadonlySignal<boolean>;
  /** Who has the Pay button. The total stands in the form in any case. */
  payButton: ReadonlySignal<'frame' | 'host'>;
  /** Fields that are not asked for, because the page knows what would be in them. */
  hidden: ReadonlySignal<readonly FieldName[]>;
  /** What the buyer is told of a press that did not count. */
  caution: ReadonlySignal<MessageKey | null>;
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
