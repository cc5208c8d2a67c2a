/**
 * The billing details the buyer is not asked for: those the page hides with `never`, those it knows, and those
 * completed before an attempt. The last two are shown as text.
 */
import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type BillingOption, type FieldName, fieldsOf } from '../../channel/fields.ts';

export type Unasked = {
  /** Not shown at all. */
  never: ReadonlySignal<readonly BillingOption[]>;
  /** Shown as text. */
  known: ReadonlySignal<readonly BillingOption[]>;
  /** Completed before the latest attempt, and shown as text to keep card and button close together. */
  folded: ReadonlySignal<readonly BillingOption[]>;
  /** The fields of all three lists, which are not shown. */
  fields: ReadonlySignal<readonly FieldName[]>;
  /** True if the known address is also the shipping address. False once the buyer is asked for it. */
  sameAsShipping: Signal<boolean>;
  /** Asks the buyer for these from now on: shows their fields. */
  ask(options: readonly BillingOption[]): void;
  /** Adds these to the folded ones. */
  fold(options: readonly BillingOption[]): void;
  /** Replaces the first two lists. */
  replace(lists: Required<UnaskedAtStart>): void;
};

/** The details not asked for at the start; none by default. */
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
