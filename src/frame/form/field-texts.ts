/** The text of each field, as signals. Only input handlers and the form's own methods write them. */
import { type Signal, signal } from '@preact/signals';
import type { FieldName } from '../../channel/field-names.ts';
import { controlOf } from '../first/controls.ts';
import { mapFields } from './map-fields.ts';

/** As shown in the inputs, including grouping. */
export type Texts = Readonly<Record<FieldName, Signal<string>>>;

/** Starts with what `read` returns; empty without it. */
export const createTexts = (read: (name: FieldName) => string = () => ''): Texts =>
  mapFields((name) => signal(read(name)));

/** The text in a field of the document; empty if the form does not have it. */
export const typedIn = (name: FieldName): string => controlOf(name)?.value ?? '';
