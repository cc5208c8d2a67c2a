import type { ReadonlySignal } from '@preact/signals';
import type { InputHTMLAttributes } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { DigitsName } from '../first/auto-advance.ts';
import { useForm } from './context.ts';
import { useControl } from './LabeledField.tsx';

type Attributes = Pick<InputHTMLAttributes<HTMLInputElement>, 'placeholder'>;

/**
 * An input for grouped digits. `first/typing.ts` handles its keys, and `edit-input.ts`, which loads later, the rest.
 */
export const DigitsInput = ({
  name,
  description,
  ...attributes
}: {
  name: DigitsName;
  /** The id of the element that describes the field, instead of its problem. */
  description?: ReadonlySignal<string | undefined>;
} & Attributes) => {
  const { form, screen, late } = useForm();
  const element = useRef<HTMLInputElement>(null);
  const edit = late.value?.editInput;
  useEffect(
    () => (edit && element.current ? edit(element.current, name, { form, screen }) : undefined),
    [edit],
  );
  return (
    <input
      ref={element}
      class="control digits"
      type="text"
      spellcheck={false}
      dir="ltr"
      {...attributes}
      {...useControl(name)}
      {...(description ? { 'aria-describedby': description } : {})}
      value={form.fields[name].text}
    />
  );
};
