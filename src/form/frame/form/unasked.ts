/**
 * The billing details that the buyer is not asked for: those the page asked never to show, those that are known, and
 * those that were finished before an attempt. The last two are shown as text.
 */
import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type BillingOption, type FieldName, fieldsOf } from '../../channel/fields.ts';

export type Unasked = {
  /** Not shown at all. */
  never: ReadonlySignal<readonly BillingOption[]>;
  /** Shown as text. */
  known: ReadonlySignal<readonly BillingOption[]>;
  /** Finished before the latest attempt, and shown as text so that the card and the button are close together. */
  folded: ReadonlySignal<readonly BillingOption[]>;
  /** The fields of all three. They are not on the screen. */
  fields: ReadonlySignal<readonly FieldName[]>;
  /** Whether the known address is that of the delivery, too. Not any more once the buyer is asked for it. */
  sameAsShipping: Signal<boolean>;
  /** From now on the buyer is asked for these: their fields are shown. */
  ask(options: readonly BillingOption[]): void;
  /** Adds these to the folded ones. */
  fold(options: readonly BillingOption[]): void;
  /** Replaces the first two lists. */
  replace(lists: Required<UnaskedAtStart>): void;
};

/** What is not asked for at the start; nothing by default. */
export type UnaskedAtStart = {
  never?: readonly BillingOption[];
  known?: readonly BillingOption[];
};

export const createUnasked = (start: UnaskedAtStart = {}): Unasked => {
  const never = signal(start.never ?? []);
  const known = signal(start.known ?? []);
  const folded = signal<readonly BillingOption[]>([]);
  const sameAsShipping = signal(false);
  return {
    never,
    known,
    folded,
    sameAsShipping,
    fields: computed(() => fieldsOf([...never.value, ...known.value, ...folded.value])),
    ask(options) {
      if (options.includes('address')) sameAsShipping.value = false;
      for (const list of [never, known, folded]) {
        const left = list.peek().filter((option) => !options.includes(option));
        if (left.length < list.peek().length) list.value = left;
      }
    },
    fold(options) {
      folded.value = [...folded.peek(), ...options];
    },
    replace(lists) {
      batch(() => {
        never.value = lists.never;
        known.value = lists.known;
        folded.value = folded.peek().filter((option) => ![...lists.never, ...lists.known].includes(option));
      });
    },
  };
};
