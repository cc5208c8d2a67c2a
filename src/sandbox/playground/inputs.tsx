/** Inputs shared by several groups of controls. */
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';

type SegmentedProps<Value extends string> = {
  legend: string;
  /** Hides the legend from all but screen readers. */
  isLegendHidden?: boolean;
  options: readonly { value: Value; text: string; title?: string }[];
  value: Value;
  onChoose(value: Value): void;
};

/** A choice between a few values, as a row of radio buttons. */
export const Segmented = <Value extends string>({
  legend,
  isLegendHidden = false,
  options,
  value,
  onChoose,
}: SegmentedProps<Value>) => {
  const name = useId();
  return (
    <fieldset>
      <legend class={isLegendHidden ? 'visually-hidden' : undefined}>{legend}</legend>
      <div class="segments">
        {options.map((option) => (
          <label key={option.value} title={option.title}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChoose(option.value)}
            />
            <span>{option.text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
};

type SelectProps = {
  label: string;
  options: readonly { value: string; text: string }[];
  value: string;
  onChoose(value: string): void;
};

export const SelectField = ({ label, options, value, onChoose }: SelectProps) => (
  <label>
    {label}
    <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </select>
  </label>
);

export const CheckField = ({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange(checked: boolean): void;
}) => (
  <label class="check">
    <input
      type="checkbox"
      checked={checked}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
    {label}
  </label>
);

type TextProps = {
  label: string;
  value: string;
  placeholder?: string;
  /**
   * Returns the problem with a text, worded for the user, or `null` if the text is valid. Not called for empty texts.
   */
  problemOf(text: string): string | null;
  /** Called with valid texts, and with '' for none. */
  onChange(text: string): void;
  /** `input`: while typing; `change`: when the field loses focus or Enter is pressed. */
  when?: 'input' | 'change';
};

/** A text field that keeps an invalid text and shows the problem, while the form keeps the last valid text. */
export const TextField = ({ label, value, placeholder, problemOf, onChange, when = 'change' }: TextProps) => {
  const id = useId();
  const draft = useSignal<string | null>(null);
  const text = draft.value ?? value;
  const problem = draft.value === null || text === '' ? null : problemOf(text);
  const take = (given: string) => {
    const isUsable = given === '' || problemOf(given) === null;
    draft.value = isUsable ? null : given;
    if (isUsable) onChange(given);
  };
  return (
    <div class="text-field">
      <label>
        {label}
        <input
          type="text"
          autocomplete="off"
          spellcheck={false}
          value={text}
          placeholder={placeholder}
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? undefined : id}
          onInput={({ currentTarget }) => {
            if (when === 'input') take(currentTarget.value);
          }}
          onChange={({ currentTarget }) => take(currentTarget.value)}
        />
      </label>
      {problem !== null && (
        <p id={id} class="problem">
          {problem}
        </p>
      )}
    </div>
  );
};
