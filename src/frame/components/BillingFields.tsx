import { useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { type AddressField, type AddressFormat, importance, stateOptions } from '../../address/format.ts';
import type { MessageKey } from '../../i18n/en.ts';
import { useForm } from './context.ts';
import { Field, GroupMessages } from './Field.tsx';
import { Select } from './Select.tsx';
import { TextInput } from './TextInput.tsx';
import { useCountryOptions } from './use-country-options.ts';

/** Email and billing address, in the address format of the chosen country. */
export const BillingFields = () => {
  const { form } = useForm();
  const format = form.format.value;
  useRestoredFocus(format);
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

/** A component of its own, so that loading the country names re-renders nothing else. */
const CountryField = () => {
  const { form } = useForm();
  const { options, loadAll } = useCountryOptions();
  return (
    <Field name="country" label="field.country">
      <Select
        name="country"
        options={options.value}
        isFixed={form.countries.value?.length === 1}
        autocomplete="billing country"
        onFocus={loadAll}
      />
    </Field>
  );
};

/** In some browsers a focused field loses the focus when another country moves it in the document. */
const useRestoredFocus = (format: AddressFormat) => {
  const focused = globalThis.document?.activeElement; // there is no document when the form is prerendered
  useLayoutEffect(() => {
    if (focused instanceof HTMLElement && focused.isConnected && document.activeElement !== focused)
      focused.focus({ preventScroll: true });
  }, [format]);
};

const AUTOCOMPLETE: Record<AddressField, string> = {
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

/**
 * Looks like a link until it is used, because few addresses need it. It is an input from the start, so that autofill
 * and the keyboard reach it. Once it had the focus it stays open: nothing below it may move under a press.
 */
const SecondLine = () => {
  const { form, words } = useForm();
  const wasUsed = useSignal(false);
  const isQuiet = useComputed(() => !wasUsed.value && form.fields.line2.text.value === '');
  const open = () => {
    wasUsed.value = true;
  };
  return (
    <Field name="line2" label="field.line2" optional quiet={isQuiet}>
      <TextInput
        name="line2"
        autocomplete={AUTOCOMPLETE.line2}
        autocapitalize="words"
        placeholder={words.say('field.line2.add')}
        onFocusIn={open}
        onFocusOut={open}
      />
    </Field>
  );
};

const AddressLine = ({ name, format }: { name: AddressField; format: AddressFormat }) => {
  const optional = importance(name, format) === 'optional';
  return (
    <Field name={name} label={labelOf(name, format)} optional={optional} wide={name === 'line1'}>
      {name === 'state' && format.states ? (
        <StateSelect format={format} />
      ) : (
        <TextInput
          name={name}
          autocomplete={AUTOCOMPLETE[name]}
          autocapitalize={name === 'postal_code' ? 'characters' : 'words'}
        />
      )}
    </Field>
  );
};

const StateSelect = ({ format }: { format: AddressFormat }) => {
  const { locale } = useForm().words.negotiated.value;
  const options = useMemo(
    () => [{ value: '', label: '' }, ...stateOptions(format, locale)],
    [format, locale],
  );
  return <Select name="state" options={options} autocomplete={AUTOCOMPLETE.state} />;
};
