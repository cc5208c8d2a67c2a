/**
 * The billing details that the buyer is not asked for: those the page asked never to show, and those that are known
 * and shown as text.
 */
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { BillingOption } from '../../channel/billing-options.ts';
import type { FieldName } from '../../channel/field-names.ts';
import { fieldsOf } from '../first/fields.ts';

export type Unasked = {
  /** Not shown at all. */
  never: ReadonlySignal<readonly BillingOption[]>;
  /** Shown as text. */
  known: ReadonlySignal<readonly BillingOption[]>;
  /** The fields of both. They are not on the screen. */
  fields: ReadonlySignal<readonly FieldName[]>;
  /** From now on the buyer is asked for these: their fields are shown. */
  ask(options: readonly BillingOption[]): void;
  /** Replaces both lists. */
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
  return {
    never,
    known,
    fields: computed(() => fieldsOf([...never.value, ...known.value])),
    ask(options) {
      for (const list of [never, known]) {
        const left = list.peek().filter((option) => !options.includes(option));
        if (left.length < list.peek().length) list.value = left;
      }
    },
    replace(lists) {
      batch(() => {
        never.value = lists.never;
        known.value = lists.known;
      });
    },
  };
};
