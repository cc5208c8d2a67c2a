import { useComputed } from '@preact/signals';
import { marksFor } from '../../card/accepted.ts';
import { brandName, codeName } from '../../card/brand-words.ts';
import { digitsOf } from '../../card/caret.ts';
import { BrandMarks } from './BrandMarks.tsx';
import { useForm } from './context.ts';
import { DigitsInput } from './DigitsInput.tsx';
import { GroupMessages, LabeledField } from './LabeledField.tsx';
import { FixedText, TextElement } from './TextElement.tsx';
import { TextInput } from './TextInput.tsx';
import { usePrinting } from './use-printing.ts';

/** The labels of the fields that share an outline if fields are grouped. */
const LABELS = [
  ['number', 'field.number'],
  ['expiry', 'field.expiry'],
  ['cvc', 'field.cvc'],
] as const;

/** Card number with brand marks, expiry date and security code, and the cardholder name before or after them. */
export const CardFields = () => {
  const { form, words, late, isNameFirst } = useForm();
  const { CodeHelp } = late.value ?? {};
  const cvcName = useComputed(() =>
    form.brand.value ? codeName(form.brand.value) : words.say('placeholder.cvc'),
  );
  // Keyed, so that Preact moves the name together with its value.
  const name = (
    <LabeledField key="name" name="name" label="field.name">
      <TextInput name="name" />
    </LabeledField>
  );
  return (
    <div class="fields">
      {isNameFirst.value && name}
      <CardNumber key="number" />
      <LabeledField key="expiry" name="expiry" label="field.expiry" wide={false}>
        <DigitsInput name="expiry" placeholder={words.say('placeholder.expiry')} />
      </LabeledField>
      <LabeledField key="cvc" name="cvc" label="field.cvc" wide={false}>
        <div class="with-help">
          <DigitsInput name="cvc" placeholder={cvcName} />
          {CodeHelp && <CodeHelp />}
        </div>
      </LabeledField>
      <GroupMessages key="messages" labels={LABELS} />
      {!isNameFirst.value && name}
    </div>
  );
};

/** The id of the number's description for screen readers, used while there is no problem. */
const DESCRIPTION_ID = 'about-number';

const CardNumber = () => {
  const { form, words, actions, autoAdvance } = useForm();
  const { text, problem, doubt, isComplete } = form.fields.number;
  // A string, so that a key that doesn't change the brands re-renders nothing. An empty field has no marks until the
  // form is connected, because the accepted brands are not known before.
  const brands = useComputed(() =>
    actions.value || text.value
      ? marksFor(digitsOf(text.value), form.candidates.value, form.accepted.value).join(' ')
      : '',
  );
  const marks = useComputed(() => <BrandMarks brands={brands.value} />);
  // The brand once known; in an empty field, the announcement that the focus moves on automatically.
  const descriptionText = useComputed(() => {
    if (form.brand.value) return <FixedText of={brandName(form.brand.value)} />;
    return text.value === '' && autoAdvance ? <TextElement of={words.say('number.moves_on')} /> : '';
  });
  /** Printed instead of the number. Otherwise the document contains none of its digits (threat-model 1.5). */
  const isPrinting = usePrinting();
  const printed = useComputed(() =>
    isPrinting.value && isComplete.value ? `•••• ${digitsOf(text.value).slice(-4)}` : '',
  );
  const description = useComputed(() => {
    if (problem.value ?? doubt.value) return 'problem-number';
    return descriptionText.value === '' ? undefined : DESCRIPTION_ID;
  });
  return (
    <LabeledField name="number" label="field.number">
      <div class="with-mark">
        <DigitsInput name="number" description={description} placeholder={words.say('placeholder.number')} />
        {marks}
        <span id={DESCRIPTION_ID} hidden>
          {descriptionText}
        </span>
        {actions.value && <FixedText class="printed" dir="ltr" aria-hidden="true" of={printed} />}
      </div>
    </LabeledField>
  );
};
