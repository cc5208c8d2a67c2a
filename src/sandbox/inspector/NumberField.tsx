import type { Signal } from '@preact/signals';

/** A field for a whole number. Invalid input leaves the value unchanged. */
export const NumberField = ({
  label,
  value,
  least,
  most,
}: {
  label: string;
  value: Signal<number>;
  least: number;
  most: number;
}) => (
  <label>
    {label}
    <input
      type="number"
      min={least}
      max={most}
      value={value.value}
      onInput={({ currentTarget }) => {
        if (currentTarget.value !== '' && currentTarget.validity.valid)
          value.value = currentTarget.valueAsNumber;
      }}
    />
  </label>
);
