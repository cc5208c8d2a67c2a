/** The inputs and selects of the document, one for each field, found by id. */
import type { FieldName } from '../../channel/fields.ts';

/** The id of a field's control. */
export const controlId = (name: FieldName): string => `field-${name}`;

/** The control of a field; null if the form does not show it. */
export const controlOf = (name: FieldName): HTMLInputElement | HTMLSelectElement | null => {
  const control = document.getElementById(controlId(name));
  return control instanceof HTMLInputElement || control instanceof HTMLSelectElement ? control : null;
};

/** The field among these that an event happened in. */
export const fieldAt = <Name extends FieldName>(
  target: EventTarget | null,
  names: readonly Name[],
): Name | undefined =>
  target instanceof Element ? names.find((name) => controlId(name) === target.id) : undefined;
