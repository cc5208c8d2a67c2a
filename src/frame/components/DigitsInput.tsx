import type { ReadonlySignal } from '@preact/signals';
import type { InputHTMLAttributes } from 'preact';
import type { DigitsName } from '../first/auto-advance.ts';
import { useForm } from './context.ts';
import { useControl } from './Field.tsx';

type Attributes = Pick<InputHTMLAttributes<HTMLInputElement>, 'autocomplete' | 'placeholder'>;

/** Digits that are shown in groups. What keys do to them is not this component's business (`typing.ts`). */
export const DigitsInput = ({
  name,
  description,
  ...attributes
}: {
  name: DigitsName;
  /** The id of what describes the field while nothing is wrong with it. */
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
