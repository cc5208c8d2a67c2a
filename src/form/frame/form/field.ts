/** One field: its text, and its problem or doubt shown to the buyer. */
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
  /** Its text as it is sent (promises 2.12), or as typed while it cannot be sent. */
  sent: ReadonlySignal<string>;
  /** The problem, once it is time to show it. The form cannot be sent while there is one. */
  problem: ReadonlySignal<Message | null>;
  /** An unusual value that may be right. It stops only one press; null while there is a problem. */
  doubt: ReadonlySignal<Message | null>;
  /** True if the form cannot be sent while it is empty. */
  isRequired: ReadonlySignal<boolean>;
  /** True if its value can be sent; also for an empty field that is not required. */
  isComplete: ReadonlySignal<boolean>;
  /** True if its value can be sent but does not match the country's data. */
  isUnusual: ReadonlySignal<boolean>;
  /** True if a doubt about it has not stopped a press yet, so it stops the next one. */
  isNewDoubt: ReadonlySignal<boolean>;
  /** True if the form shows that its value is wrong: the service refused it, or no further key can make it valid. */
  isKnownInvalid: ReadonlySignal<boolean>;
  /** Sets the text, as typed by the buyer. */
  type(text: string): void;
  /** Handles the buyer leaving the field: shows a problem if the value can never become valid. */
  leave(): void;
  /** Handles a press of Pay: an incomplete value becomes a problem, too. Returns true for a doubt not shown before. */
  press(): boolean;
  /** Marks the value as refused by the service. */
  refuse(): void;
  /** Replaces the text with the one that is sent, so that the buyer sees it. */
  showAsSent(): void;
};

/** The buyer's actions in the form. */
export type History = {
  /** The fields the buyer changed. */
  touched: Set<FieldName>;
  /** True if neither the buyer nor the merchant chose the country. */
  isGuessed: boolean;
  /** True once the buyer has pressed Pay. */
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
  // Card data is kept in one place only: computed copies would outlive it (threat-model C20).
  const isCard = placeOf(name) === 'card';
  const sent = isCard ? text : computed(() => asSent(verdict.value) ?? text.value);
  const showAsSent = () => {
    const value = sent.peek();
    // Another country's notation would be wrong here.
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
  /** The unusual text with which the buyer left the field. */
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
