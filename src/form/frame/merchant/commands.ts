/**
 * The page's commands for the fields: focus one, remove the focus, clear them. The guard is notified when the page
 * moves the focus: a press that follows must be the buyer's own.
 */
import type { ReadonlySignal } from '@preact/signals';
import { placeOf } from '../../channel/field-names.ts';
import { type FieldName, fieldsOf } from '../../channel/fields.ts';
import type { FormModel } from '../form/card-form.ts';
import type { BillingDefaults } from '../form/fill-in.ts';
import { focusField } from '../form/focus-field.ts';
import { focusWhenShown } from '../form/focus-when-shown.ts';
import type { Guard } from '../press/guard.ts';
import type { FocusWatch } from './focus-watch.ts';
import type { Warn } from './warnings.ts';

const FOCUS_REFUSED =
  'focus() was refused: the page took the focus from a card field, and the buyer has done nothing in the form since. Call it again after that, or leave the focus to the buyer.';

type Deps = {
  form: FormModel;
  guard: Pick<Guard, 'focusMovedByPage'>;
  watch: FocusWatch;
  warn: Warn;
  /** False while a payment is in progress or over. */
  canClear: ReadonlySignal<boolean>;
  /** The page's default values. */
  defaults(): BillingDefaults;
};

export type Commands = {
  /** Focuses this field, or the first incomplete one. */
  focus(field: FieldName | undefined): void;
  blur(): void;
  /** Empties every field except the country, then fills in the default values again. */
  clear(): void;
};

export const createCommands = ({ form, guard, watch, warn, canClear, defaults }: Deps): Commands => ({
  focus(wanted) {
    const field = wanted ?? form.asked.peek().find((name) => !form.fields[name].isComplete.peek());
    if (!field) return;
    if (placeOf(field) !== 'card') watch.leftByPage();
    else if (!watch.mayReturn()) return warn('focus', FOCUS_REFUSED);
    guard.focusMovedByPage();
    const { unasked } = form;
    const asText = [...unasked.known.peek(), ...unasked.folded.peek()].filter((option) =>
      fieldsOf([option]).some((name) => name === field),
    );
    if (asText.length === 0) return focusField(field);
    unasked.ask(asText);
    focusWhenShown(field);
  },
  blur() {
    const { activeElement } = document;
    watch.leftByPage();
    if (activeElement instanceof HTMLElement) activeElement.blur();
  },
  clear() {
    if (canClear.peek()) form.reset(defaults());
  },
});
