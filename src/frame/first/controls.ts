/** The controls of the form's document: one for each field, found by its id. */
import type { FieldName } from '../../channel/field-names.ts';

/** The id of a field's control, which is also how focus finds it. */
export const controlId = (name: FieldName): string => `field-${name}`;

/** The control of a field; null where there is none at the moment. */
export const controlOf = (name: FieldName): HTMLInputElement | HTMLSelectElement | null => {
  const control = document.getElementById(controlId(name));
  return control instanceof HTMLInputElement || control instanceof HTMLSelectElement ? control : null;
};

/** Which of the fields an event happened in. */
export const fieldAt = <Name extends FieldName>(
  target: EventTarget | null,
  names: readonly Name[],
): Name | undefined =>
  target instanceof Element ? names.find((name) => controlId(name) === target.id) : undefined;

/** Leads the buyer to a field: into the middle of what is in sight, where no keyboard on the screen covers it. */
export const focusField = (name: FieldName): void => {
  const control = controlOf(name);
  control?.focus({ preventScroll: true });
  control?.scrollIntoView({ block: 'center' });
};
