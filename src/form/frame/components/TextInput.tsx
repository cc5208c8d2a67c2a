import type { InputHTMLAttributes } from 'preact';
import type { FieldName } from '../../channel/fields.ts';
import { useForm } from './context.ts';
import { useControl } from './LabeledField.tsx';

type Attributes = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'inputMode' | 'placeholder' | 'onFocusIn' | 'onFocusOut'
>;

/** A text input. Its value is a property, never an attribute, so that CSS cannot read it. */
export const TextInput = ({ name, ...attributes }: { name: FieldName } & Attributes) => {
  const field = useForm().form.fields[name];
  return (
    <input
      class="control"
      type="text"
      dir="auto" // an address like "12 Orchard Lane" stays left to right in a right-to-left form
      spellcheck={false} // names and streets are in no dictionary
      placeholder=" " // lets CSS match an empty field (`:placeholder-shown`)
      {...attributes}
      {...useControl(name)}
      value={field.text}
      onInput={(event) => field.type(event.currentTarget.value)}
    />
  );
};
