/** Finds the document's inputs and selects, one per field, by id. */
import type { FieldName } from '../../channel/fields.ts';

/** The id of a field's control. */
export const controlId = (name: FieldName): string => `field-${name}`;

/** The control of a field; null if the form does not show it. */
export const controlOf = (name: FieldName): HTMLInputElement | HTMLSelectElement | null => {
  const control = document.getElementById(controlId(name));
  return control instanceof HTMLInputElement || control instanceof HTMLSelectElement ? control : null;
};

/** The field, one of `names`, in which an event happened. */
export const fieldAt = <Name extends FieldName>(
  target: EventTarget | null,
  names: readonly Name[],
): Name | undefined =>
  target instanceof Element ? names.find((name) => controlId(name) === target.id) : undefined;
