import type { InputHTMLAttributes } from 'preact';
import type { FieldName } from '../../channel/field-names.ts';
import { useForm } from './context.ts';
import { useControl } from './Field.tsx';

type Attributes = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'autocomplete' | 'inputMode' | 'autocapitalize' | 'spellcheck'
>;

/** A plain line of text. Its value is a property and never an attribute, so that no style can read it. */
export const TextInput = ({ name, ...attributes }: { name: FieldName } & Attributes) => {
  const field = useForm().form.fields[name];
  return (
    <input
      class="control"
      type="text"
      dir="auto" // "12 Orchard Lane" begins with its number in every language
      placeholder=" " // how the style knows that nothing is typed
      {...attributes}
      {...useControl(name)}
      value={field.text}
      onInput={(event) => field.type(event.currentTarget.value)}
    />
  );
};
