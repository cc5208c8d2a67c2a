/** One field: what was typed into it, and what the buyer is told about it. */
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { placeOf } from '../../channel/field-names.ts';
import type { FieldName } from '../../channel/fields.ts';
import type { Message } from '../view/words.ts';
import type { CountryFormat } from './address-format.ts';
import { doubtOf, problemOf } from './problems.ts';
import { asSent, checkField, isRequired, isUnexpected, notTaken, type Readings } from './readings.ts';

export type Field = {
  name: FieldName;
  /** As shown in the input, including grouping. */
  text: Signal<string>;
  /** Its text as it is sent (promises 2.12), or as it was typed while it cannot be sent. */
  sent: ReadonlySignal<string>;
  /** What is wrong, once it is time to show it. The form cannot be sent while there is one. */
  problem: ReadonlySignal<Message | null>;
  /** What looks unusual but may be right. It stops one press only; null while there is a problem. */
  doubt: ReadonlySignal<Message | null>;
  /** Whether the form cannot be sent while it is empty. */
  isRequired: ReadonlySignal<boolean>;
  /** Whether its value can be sent; also true for an empty field that is not required. */
  isComplete: ReadonlySignal<boolean>;
  /** Whether its value can be sent, but the country's data expects another. */
  isUnusual: ReadonlySignal<boolean>;
  /** Whether a doubt about it has not stopped a press yet, and would stop the next one. */
  isNewDoubt: ReadonlySignal<boolean>;
  /** Whether the form shows that its value is wrong: the service refused it, or no further key can make it valid. */
  isKnownInvalid: ReadonlySignal<boolean>;
  /** The buyer changed the text. */
  type(text: string): void;
  /** The buyer left the field: a value that can never become valid is shown as a problem. */
  leave(): void;
  /** The buyer pressed Pay: an incomplete value is shown as a problem, too. True for a doubt not shown before. */
  press(): boolean;
  /** The service refused the value. */
  refuse(): void;
  /** Rewrites the text as it is sent, so that the buyer sees that. */
  showAsSent(): void;
};

/** What the buyer has done in the form. */
export type History = {
  /** The fields they changed. */
  touched: Set<FieldName>;
  /** Whether neither they nor the merchant chose the country. */
  isGuessed: boolean;
  /** Whether they pressed Pay. */
  hasPressed: boolean;
};

export const createField = (
  name: FieldName,
  readings: Readings,
  countryFormat: CountryFormat,
  history: History,
): Field => {
  const { format } = readings;
  const text = readings.text[name];
  const verdict = computed(() => checkField(name, readings));
  // Card data is kept in one place alone: what is computed from it would outlive it (threat-model C20).
  const isCard = placeOf(name) === 'card';
  const sent = isCard ? text : computed(() => asSent(verdict.value) ?? text.value);
  const showAsSent = () => {
    const value = sent.peek();
    // The notation of another country would be wrong here.
    if (value === text.peek() || !countryFormat.isCurrent.peek()) return;
    text.value = value;
    if (name === 'state' || name === 'postal_code') countryFormat.note(name, value);
  };
  const left = signal(false);
  const pressed = signal(false);
  const refused = signal(false);
  const problem = computed(() => {
    if (refused.value) return { key: 'field.refused' } as const;
    const { state } = verdict.value;
    const due = state === 'invalid' ? left.value || pressed.value : state !== 'valid' && pressed.value;
    if (!due) return null;
    const brand = name === 'number' ? notTaken(readings) : null;
    return brand
      ? ({ key: 'number.not_accepted', values: { brand } } as const)
      : problemOf(name, verdict.value, format.value);
  });
  /** The unusual text or null: a new text is questioned again, the same text is not. */
  const unusual = computed(() =>
    verdict.value.state === 'valid' && isUnexpected(name, readings)
      ? `${readings.text.country.value} ${text.value}`
      : null,
  );
  /** The unusual text the buyer left the field with. */
  const leftWith = signal('');
  /** The unusual text that has already stopped a press. */
  const questioned = signal('');
  const isNewDoubt = computed(() => unusual.value !== null && unusual.value !== questioned.value);
  return {
    name,
    text,
    sent,
    showAsSent,
    isRequired: computed(() => isRequired(name, readings)),
    isComplete: computed(() => verdict.value.state === 'valid'),
    isUnusual: computed(() => unusual.value !== null),
    isNewDoubt,
    isKnownInvalid: computed(
      () => problem.value !== null && (refused.value || verdict.value.state === 'invalid'),
    ),
    problem,
    doubt: computed(() => {
      const now = unusual.value;
      if (!now || problem.value) return null;
      const isQuestioned = now === questioned.value;
      return isQuestioned || now === leftWith.value ? doubtOf(isQuestioned, format.value) : null;
    }),
    type(value) {
      history.touched.add(name);
      text.value = value;
      pressed.value = false; // no problem is shown while the buyer corrects it
      refused.value = false;
      if (name === 'country') {
        history.isGuessed = false;
        countryFormat.choose(value);
      }
      if (name === 'state' || name === 'postal_code') countryFormat.note(name, value);
    },
    leave() {
      showAsSent();
      left.value = text.peek() !== '';
      pressed.value = history.hasPressed;
      leftWith.value = unusual.peek() ?? '';
    },
    press() {
      pressed.value = true;
      const isNew = isNewDoubt.peek();
      questioned.value = unusual.peek() ?? questioned.peek();
      return isNew;
    },
    refuse() {
      refused.value = true;
    },
  };
};
