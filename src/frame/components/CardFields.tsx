import { useComputed } from '@preact/signals';
import { marksFor } from '../../card/accepted.ts';
import { brandRule } from '../../card/brands.ts';
import { digitsOf } from '../../card/caret.ts';
import { BrandMarks } from './BrandMarks.tsx';
import { CodeHelp } from './CodeHelp.tsx';
import { useForm } from './context.ts';
import { DigitsInput } from './DigitsInput.tsx';
import { Field, GroupMessages } from './Field.tsx';
import { TextInput } from './TextInput.tsx';

/** The labels of the fields that share an outline if fields are grouped. */
const LABELS = [
  ['number', 'field.number'],
  ['expiry', 'field.expiry'],
  ['cvc', 'field.cvc'],
] as const;

/** Card number with brand marks, expiry date, security code and cardholder name. */
export const CardFields = () => {
  const { form, words, actions } = useForm();
  const cvcName = useComputed(() =>
    form.brand.value ? brandRule(form.brand.value).cvc.name : words.say('placeholder.cvc'),
  );
  return (
    <div class="fields">
      <CardNumber />
      <Field name="expiry" label="field.expiry" wide={false}>
        <DigitsInput
          name="expiry"
          autocomplete="billing cc-exp"
          placeholder={words.say('placeholder.expiry')}
        />
      </Field>
      <Field name="cvc" label="field.cvc" wide={false}>
        <div class="with-help">
          <DigitsInput name="cvc" autocomplete="billing cc-csc" placeholder={cvcName} />
          {actions.value && <CodeHelp />}
        </div>
      </Field>
      <GroupMessages labels={LABELS} />
      <Field name="name" label="field.name">
        <TextInput name="name" autocomplete="billing cc-name" autocapitalize="words" spellcheck={false} />
      </Field>
    </div>
  );
};

/** The id of the number's description for screen readers, used while there is no problem. */
const DESCRIPTION_ID = 'about-number';

const CardNumber = () => {
  const { form, words } = useForm();
  const { text, problem, doubt } = form.fields.number;
  // A string, so that a key that changes no brand re-renders nothing.
  const brands = useComputed(() =>
    marksFor(digitsOf(text.value), form.candidates.value, form.accepted.value).join(' '),
  );
  const marks = useComputed(() => <BrandMarks brands={brands.value} />);
  // The brand once it is known; in an empty field, that the focus will move to the next one by itself.
  const descriptionText = useComputed(() => {
    if (form.brand.value) return brandRule(form.brand.value).name;
    return text.value === '' ? words.say('number.moves_on') : '';
  });
  const description = useComputed(() => {
    if (problem.value ?? doubt.value) return 'problem-number';
    return descriptionText.value === '' ? undefined : DESCRIPTION_ID;
  });
  return (
    <Field name="number" label="field.number">
      <div class="with-mark">
        <DigitsInput
          name="number"
          description={description}
          autocomplete="billing cc-number"
          placeholder={words.say('placeholder.number')}
        />
        {marks}
        <span id={DESCRIPTION_ID} hidden>
          {descriptionText}
        </span>
      </div>
    </Field>
  );
};
