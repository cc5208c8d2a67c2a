import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { FieldName } from '../../channel/fields.ts';
import { useForm } from './context.ts';
import { useControl } from './LabeledField.tsx';

export type Option = { value: string; label: string };

/**
 * A select. Its options are set on the element directly: as components, the 51 of the United States took a third of the
 * hydration time. Pass the same array as long as the options don't change.
 */
export const Select = ({
  name,
  options,
  isFixed = false,
  onFocus,
}: {
  name: FieldName;
  options: readonly Option[];
  /** True if there is only one option, so the buyer cannot choose. */
  isFixed?: boolean;
  onFocus?: () => void;
}) => {
  const field = useForm().form.fields[name];
  const { readOnly, autocapitalize: _, inputMode: __, ...control } = useControl(name);
  const element = useRef<HTMLSelectElement>(null);
  // Renders one option, for the prerendered form, and never again.
  const [first] = useState(() => options[0] && <option value={options[0].value}>{options[0].label}</option>);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    setOptions(current, options);
    current.value = field.text.peek();
  }, [options]);
  return (
    <div class="with-chevron">
      <select
        ref={element}
        class="control"
        {...control}
        disabled={isFixed ? true : readOnly}
        value={field.text}
        onFocus={onFocus}
        onPointerDown={onFocus}
        onChange={(event) => field.type(event.currentTarget.value)}
      >
        {first}
      </select>
      {!isFixed && (
        <svg class="chevron" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d="m4 6 4 4 4-4" />
        </svg>
      )}
    </div>
  );
};

/** Keeps options that are already right, so that an open list does not close. */
const setOptions = (select: HTMLSelectElement, options: readonly Option[]) => {
  const isRight = ({ value, label }: Option, at: number) => {
    const there = select.options[at];
    return there?.value === value && there.textContent === label;
  };
  if (select.options.length === options.length && options.every(isRight)) return;
  const elements = options.map(({ value, label }) => {
    const option = document.createElement('option');
    option.value = value;
    option.textContent = label;
    return option;
  });
  select.replaceChildren(...elements);
};
