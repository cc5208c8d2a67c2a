import type { FieldName } from '../../channel/fields.ts';
import { focusField } from './focus-field.ts';

/** Focuses a field that the form is about to show. */
export const focusWhenShown = (name: FieldName | undefined): void => {
  if (name) setTimeout(() => focusField(name)); // the components render in a microtask
};
