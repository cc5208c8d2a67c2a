/** What is typed, field by field: a signal each, written by what takes the buyer's keys and by nothing else. */
import { type Signal, signal } from '@preact/signals';
import type { FieldName } from '../../channel/field-names.ts';
import { controlOf } from '../first/controls.ts';
import { perField } from '../first/fields.ts';

/** As they stand in the inputs, grouping and all. */
export type Texts = Readonly<Record<FieldName, Signal<string>>>;

/** Nothing typed, or what `read` finds. */
export const createTexts = (read: (name: FieldName) => string = () => ''): Texts =>
  perField((name) => signal(read(name)));

/** What stands in a field of the document; nothing where it is not asked for. */
export const typedIn = (name: FieldName): string => controlOf(name)?.value ?? '';
