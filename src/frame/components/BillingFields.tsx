import { useLayoutEffect } from 'preact/hooks';
import { type AddressField, type AddressFormat, importance, stateOptions } from '../../address/format.ts';
import type { FieldName } from '../../channel/field-names.ts';
import type { MessageKey } from '../../i18n/en.ts';
import { useForm } from './context.ts';
import { Field, useControl } from './Field.tsx';
import { TextInput } from './TextInput.tsx';
import { type Choice as Option, useCountryChoices } from './use-country-options.ts';

/** Who pays, and the address of the card, as the chosen country writes addresses. */
export const BillingFields = () => {
  const { form } = useForm();
  const format = form.format.value;
  useKeptFocus(format);
  return (
    <div class="fields">
      <Field name="email" label="field.email">
        <TextInput
          name="email"
          inputMode="email"
          autocomplete="billing email"
          autocapitalize="none"
          spellcheck={false}
        />
      </Field>
      <CountryField />
      {format.fields.map((name) => (
        <AddressLine key={name} name={name} format={format} />
      ))}
    </div>
  );
};

/** On its own, so that its names can come late and nothing else is drawn anew for them. */
const CountryField = () => {
  const { form } = useForm();
  const { choices, hurry } = useCountryChoices();
  return (
    <Field name="country" label="field.country">
      <Choice
        name="country"
        options={choices.value}
        isFixed={form.countries.value?.length === 1}
        autocomplete="billing country"
        onFocus={hurry}
      />
    </Field>
  );
};

/** Not every browser can move a field that has the focus in the document without taking the focus from it. */
const useKeptFocus = (format: AddressFormat) => {
  const focused = globalThis.document?.activeElement; // drawn once without one, when it is built
  useLayoutEffect(() => {
    if (focused instanceof HTMLElement && focused.isConnected && document.activeElement !== focused)
      focused.focus({ preventScroll: true });
  }, [format]);
};

const TOKEN: Record<AddressField, string> = {
  line1: 'billing address-line1',
  line2: 'billing address-line2',
  city: 'billing address-level2',
  state: 'billing address-level1',
  postal_code: 'billing postal-code',
};

const labelOf = (name: AddressField, { labels }: AddressFormat): MessageKey => {
  switch (name) {
    case 'city':
      return `field.city.${labels.city}`;
    case 'state':
      return `field.state.${labels.state}`;
    case 'postal_code':
      return `field.postal_code.${labels.postal_code}`;
    default:
      return `field.${name}`;
  }
};

const AddressLine = ({ name, format }: { name: AddressField; format: AddressFormat }) => {
  const { words } = useForm();
  const wide = name === 'line1' || name === 'line2';
  const optional = importance(name, format) === 'optional';
  return (
    <Field name={name} label={labelOf(name, format)} optional={optional} wide={wide}>
      {name === 'state' && format.states ? (
        <Choice
          name="state"
          options={[{ value: '', label: '' }, ...stateOptions(format, words.spoken.value.locale)]}
          autocomplete={TOKEN.state}
        />
      ) : (
        <TextInput
          name={name}
          autocomplete={TOKEN[name]}
          autocapitalize={name === 'postal_code' ? 'characters' : 'words'}
        />
      )}
    </Field>
  );
};

const Choice = ({
  name,
  options,
  isFixed = false,
  autocomplete,
  onFocus,
}: {
  name: FieldName;
  options: readonly Option[];
  /** There is one, which the buyer reads and does not choose. */
  isFixed?: boolean;
  autocomplete: string;
  onFocus?: () => void;
}) => {
  const field = useForm().form.fields[name];
  const { readOnly, ...control } = useControl(name);
  return (
    <div class="with-chevron">
      <select
        class="control"
        autocomplete={autocomplete}
        {...control}
        disabled={isFixed ? true : readOnly}
        value={field.text}
        onFocus={onFocus}
        onPointerDown={onFocus}
        onChange={(event) => field.type(event.currentTarget.value)}
      >
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      {!isFixed && (
        <svg class="chevron" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d="m4 6 4 4 4-4" />
        </svg>
      )}
    </div>
  );
};
