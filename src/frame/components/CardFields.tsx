import { useComputed } from '@preact/signals';
import { marksFor } from '../../card/accepted.ts';
import { brandRule } from '../../card/brands.ts';
import { digitsOf } from '../../card/caret.ts';
import { BrandMarks, CodeHelp } from './card-marks.tsx';
import { useForm } from './context.ts';
import { DigitsInput } from './DigitsInput.tsx';
import { Field } from './Field.tsx';
import { TextInput } from './TextInput.tsx';

/** The card itself: number with brand, expiry, security code, name. */
export const CardFields = () => {
  const { form, words, desk } = useForm();
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
          {desk.value && <CodeHelp />}
        </div>
      </Field>
      <Field name="name" label="field.name">
        <TextInput name="name" autocomplete="billing cc-name" autocapitalize="words" spellcheck={false} />
      </Field>
    </div>
  );
};

/** The id of what a screen reader says of the number besides what is wrong with it. */
const ABOUT = 'about-number';

const CardNumber = () => {
  const { form, words } = useForm();
  const { text, problem, doubt } = form.fields.number;
  // Compared as text, so that a key which changes nothing of it renders nothing.
  const shown = useComputed(() =>
    marksFor(digitsOf(text.value), form.candidates.value, form.accepted.value).join(' '),
  );
  const marks = useComputed(() => <BrandMarks brands={shown.value} />);
  // The brand once it is known: said with the field and when it becomes known, never for a key. In an empty field,
  // that the next one follows by itself.
  const about = useComputed(() => {
    if (form.brand.value) return brandRule(form.brand.value).name;
    return text.value === '' ? words.say('number.moves_on') : '';
  });
  const description = useComputed(() => {
    if (problem.value ?? doubt.value) return 'problem-number';
    return about.value === '' ? undefined : ABOUT;
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
        <span id={ABOUT} hidden>
          {about}
        </span>
      </div>
    </Field>
  );
};
