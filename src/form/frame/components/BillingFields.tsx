import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { type AddressField, type AddressFormat, importance, stateOptions } from '../../address/format.ts';
import { hasDigitsOnly } from '../../address/postal-code.ts';
import { BILLING_OPTIONS } from '../../channel/fields.ts';
import type { MessageKey } from '../../i18n/en.ts';
import { useForm } from './context.ts';
import { FoldedParts } from './FoldedParts.tsx';
import { GroupMessages, LabeledField } from './LabeledField.tsx';
import { Select } from './Select.tsx';
import { TextInput } from './TextInput.tsx';
import { useCountryOptions } from './use-country-options.ts';

/** Email and billing address, in the address format of the chosen country. */
export const BillingFields = () => {
  const { form } = useForm();
  const format = form.format.value;
  useRestoredFocus(format);
  const isReached = useSignal(false);
  useSignalEffect(() => {
    const { country, postal_code } = form.fields;
    if ((isReached.value || postal_code.text.value) && country.text.value) void form.loadStateCodes();
  });
  return (
    <div
      class="fields"
      onFocusIn={() => {
        isReached.value = true;
      }}
    >
      <FoldedParts />
      {BILLING_OPTIONS.map(
        (option) =>
          option !== 'address' &&
          option !== 'name' && ( // shown with the card
            <LabeledField key={option} name={option} label={`field.${option}`}>
              <TextInput name={option} />
            </LabeledField>
          ),
      )}
      <CountryField />
      {format.fields.map((name) =>
        name === 'line2' ? <SecondLine key={name} /> : <AddressLine key={name} name={name} format={format} />,
      )}
      <GroupMessages
        labels={[
          ['country', 'field.country'],
          ...format.fields.map((name) => [name, labelOf(name, format)] as const),
        ]}
      />
    </div>
  );
};

/** A separate component, so that loading the country names re-renders nothing else. */
const CountryField = () => {
  const { form } = useForm();
  const { options, loadNames } = useCountryOptions();
  return (
    <LabeledField name="country" label="field.country">
      <Select
        name="country"
        options={options.value}
        isFixed={form.countries.value?.length === 1}
        onFocus={loadNames}
      />
    </LabeledField>
  );
};

/** In some browsers a focused field loses the focus when a change of country moves it in the document. */
const useRestoredFocus = (format: AddressFormat) => {
  const focused = globalThis.document?.activeElement; // there is no document when the form is prerendered
  useLayoutEffect(() => {
    if (focused instanceof HTMLElement && focused.isConnected && document.activeElement !== focused)
      focused.focus({ preventScroll: true });
  }, [format]);
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

/**
 * Looks like a link until it is used, because few addresses need it. It is an input from the start, so that autofill
 * and the keyboard reach it. It stays open after its first focus: nothing below it may move under a press.
 */
const SecondLine = () => {
  const { form, words } = useForm();
  const wasUsed = useSignal(false);
  const isQuiet = useComputed(() => !wasUsed.value && form.fields.line2.text.value === '');
  const open = () => {
    wasUsed.value = true;
  };
  return (
    <LabeledField name="line2" label="field.line2" optional quiet={isQuiet}>
      <TextInput name="line2" placeholder={words.say('field.line2.add')} onFocusIn={open} onFocusOut={open} />
    </LabeledField>
  );
};

const AddressLine = ({ name, format }: { name: AddressField; format: AddressFormat }) => {
  const optional = importance(name, format) === 'optional';
  return (
    <LabeledField name={name} label={labelOf(name, format)} optional={optional} wide={name === 'line1'}>
      {name === 'state' && format.states ? (
        <StateSelect format={format} />
      ) : (
        <TextInput
          name={name}
          inputMode={name === 'postal_code' && hasDigitsOnly(format) ? 'numeric' : undefined}
        />
      )}
    </LabeledField>
  );
};

const StateSelect = ({ format }: { format: AddressFormat }) => {
  const { locale } = useForm().words.negotiated.value;
  const options = useMemo(
    () => [{ value: '', label: '' }, ...stateOptions(format, locale)],
    [format, locale],
  );
  return <Select name="state" options={options} />;
};
