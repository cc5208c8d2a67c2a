import type { ReadonlySignal } from '@preact/signals';
import type { InputHTMLAttributes } from 'preact';
import type { DigitsName } from '../first/auto-advance.ts';
import { useForm } from './context.ts';
import { useControl } from './Field.tsx';

type Attributes = Pick<InputHTMLAttributes<HTMLInputElement>, 'autocomplete' | 'placeholder'>;

/** An input for digits in groups. `first/typing.ts` handles its keys, not this component. */
export const DigitsInput = ({
  name,
  description,
  ...attributes
}: {
  name: DigitsName;
  /** The id of the element that describes the field, in place of its problem's. */
  description?: ReadonlySignal<string | undefined>;
} & Attributes) => (
  <input
    class="control digits"
    type="text"
    inputMode="numeric"
    autocapitalize="none"
    spellcheck={false}
    dir="ltr"
    {...attributes}
    {...useControl(name)}
    {...(description ? { 'aria-describedby': description } : {})}
    value={useForm().form.fields[name].text}
  />
);
