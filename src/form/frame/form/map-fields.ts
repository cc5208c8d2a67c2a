import { FIELD_NAMES } from '../../channel/field-names.ts';
import type { FieldName } from '../../channel/fields.ts';

/** Creates a record with a value for each field. */
export const mapFields = <Value>(make: (name: FieldName) => Value): Record<FieldName, Value> =>
  Object.fromEntries(FIELD_NAMES.map((name): readonly unknown[] => [name, make(name)]));
