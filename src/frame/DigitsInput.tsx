import type { InputHTMLAttributes } from 'preact';
import type { Edit, Edited } from '../card/caret.ts';
import { useForm } from './context.ts';
import { useControl } from './Field.tsx';
import type { FieldName } from './form.ts';

type Attributes = Pick<InputHTMLAttributes<HTMLInputElement>, 'autocomplete' | 'placeholder'>;

/**
 * Digits that are shown in groups. Whatever is done to the text comes out as if it had been done to the bare
 * digits; text and caret are set in the same task, so that nothing is ever seen jumping.
 */
export const DigitsInput = ({
  name,
  edit,
  ...attributes
}: {
  name: Extract<FieldName, 'number' | 'expiry' | 'cvc'>;
  edit(edit: Edit): Edited;
} & Attributes) => {
  const { form, screen } = useForm();
  const field = form.fields[name];
  const control = useControl(name);

  const take = (input: HTMLInputElement, forward: boolean) => {
    const caret = input.selectionStart ?? input.value.length;
    const edited = edit({ previous: field.text.peek(), raw: input.value, caret, forward });
    field.type(edited.value);
    if (input.value !== edited.value) input.value = edited.value;
    if (document.activeElement === input) input.setSelectionRange(edited.caret, edited.caret);
  };

  return (
    <input
      class="control digits"
      type="text"
      inputMode="numeric"
      autocapitalize="none"
      spellcheck={false}
      dir="ltr"
      {...attributes}
      {...control}
      value={field.text}
      onInput={(event) => {
        // An IME is still composing (Arabic digits, some Android keyboards): its text is not final.
        if (event.isComposing) return;
        take(event.currentTarget, event.inputType === 'deleteContentForward');
      }}
      onCompositionEnd={(event) => take(event.currentTarget, false)}
      onBlur={(event) => {
        // A form that is taken off the screen blurs its field with what was just forgotten still in it.
        const isShown = screen.peek().screen === 'form';
        if (isShown && event.currentTarget.value !== field.text.peek()) take(event.currentTarget, false);
        control.onBlur();
      }}
    />
  );
};
