import { useComputed } from '@preact/signals';
import { brandRule } from '../card/brands.ts';
import { editCvc } from '../card/cvc.ts';
import { editExpiry } from '../card/expiry.ts';
import { editPan } from '../card/pan.ts';
import { BrandMark } from './BrandMark.tsx';
import { useForm } from './context.ts';
import { DigitsInput } from './DigitsInput.tsx';
import { Field } from './Field.tsx';
import { TextInput } from './TextInput.tsx';

/** The card itself: number with brand, expiry, security code, name. */
export const CardFields = () => {
  const { form, words } = useForm();
  const mark = useComputed(() => <BrandMark brand={form.brand.value} />);
  const cvcName = useComputed(() =>
    form.brand.value ? brandRule(form.brand.value).cvc.name : words.say('placeholder.cvc'),
  );
  return (
    <div class="fields">
      <Field name="number" label="field.number">
        <div class="with-mark">
          <DigitsInput
            name="number"
            edit={editPan}
            autocomplete="billing cc-number"
            placeholder={words.say('placeholder.number')}
          />
          {mark}
        </div>
      </Field>
      <Field name="expiry" label="field.expiry" wide={false}>
        <DigitsInput
          name="expiry"
          edit={editExpiry}
          autocomplete="billing cc-exp"
          placeholder={words.say('placeholder.expiry')}
        />
      </Field>
      <Field name="cvc" label="field.cvc" wide={false}>
        <DigitsInput
          name="cvc"
          edit={(edit) => editCvc(edit, form.brand.peek())}
          autocomplete="billing cc-csc"
          placeholder={cvcName}
        />
      </Field>
      <Field name="name" label="field.name">
        <TextInput name="name" autocomplete="billing cc-name" autocapitalize="words" spellcheck={false} />
      </Field>
    </div>
  );
};
