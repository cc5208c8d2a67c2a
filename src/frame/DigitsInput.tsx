import type { ReadonlySignal } from '@preact/signals';
import type { InputHTMLAttributes } from 'preact';
import { useRef } from 'preact/hooks';
import { digitsOf, type Edit, type Edited } from '../card/caret.ts';
import { useForm } from './context.ts';
import { controlId, useControl } from './Field.tsx';
import type { DigitsName, Steps } from './steps.ts';

type Attributes = Pick<InputHTMLAttributes<HTMLInputElement>, 'autocomplete' | 'placeholder'>;

/** What a key, also one of a phone's, comes to. Everything else (paste, drop, autofill) leads nowhere. */
const TYPING = ['insertText', 'insertCompositionText', 'insertFromComposition'];

/** A Backspace so soon, in ms, after the field's last digit went is the same key, held down to empty the field. */
const HELD = 400;

const inputOf = (name: DigitsName): HTMLInputElement | null => {
  const input = document.getElementById(controlId(name));
  return input instanceof HTMLInputElement ? input : null;
};

/**
 * Digits that are shown in groups. Whatever is done to the text comes out as if it had been done to the bare
 * digits; text and caret are set in the same task, so that nothing is ever seen jumping.
 *
 * The last digit of a whole, valid value leads on to the next field if that is empty: typed at the end, and in the
 * same visit in which the field was begun. Who comes back to correct something is left alone.
 */
export const DigitsInput = ({
  name,
  edit,
  isFull,
  steps,
  description,
  ...attributes
}: {
  name: DigitsName;
  edit(edit: Edit): Edited;
  /** Whether nothing more can follow these digits; left out where nothing is led on. */
  isFull?: (digits: string) => boolean;
  steps: Steps;
  /** The id of what describes the field while nothing is wrong with it. */
  description?: ReadonlySignal<string | undefined>;
} & Attributes) => {
  const { form, screen } = useForm();
  const field = form.fields[name];
  const control = useControl(name);
  /** What was shown when an input method began to compose; null while none does. */
  const composed = useRef<string | null>(null);
  /** Whether the field was empty in this visit, so that what is in it was begun now. */
  const begun = useRef(false);
  /** When the last digit was deleted, as an event's `timeStamp`. */
  const emptied = useRef(Number.NEGATIVE_INFINITY);

  const take = (input: HTMLInputElement, forward: boolean) => {
    const previous = composed.current ?? field.text.peek();
    composed.current = null;
    const caret = input.selectionEnd ?? input.value.length;
    const edited = edit({ previous, raw: input.value, caret, forward });
    field.type(edited.value);
    if (input.value !== edited.value) input.value = edited.value;
    if (document.activeElement === input) input.setSelectionRange(edited.caret, edited.caret);
  };

  const lead = (input: HTMLInputElement, at: number) => {
    const next = steps.after(name);
    const target = next && inputOf(next);
    const isDone =
      begun.current &&
      isFull?.(digitsOf(input.value)) &&
      field.isComplete.peek() &&
      input.selectionStart === input.value.length;
    if (!isDone || !target || target.value !== '' || document.activeElement !== input) return;
    steps.led(next, at);
    target.focus();
  };

  const goBack = (event: Event, isHeld: boolean) => {
    const before = steps.before(name);
    const target = before && inputOf(before);
    if (!target) return;
    event.preventDefault(); // nothing of the field before is deleted by this key
    if (isHeld || event.timeStamp - emptied.current < HELD) {
      emptied.current = event.timeStamp;
      return;
    }
    target.focus();
    target.setSelectionRange(target.value.length, target.value.length);
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
      {...(description ? { 'aria-describedby': description } : {})}
      value={field.text}
      onFocus={(event) => {
        begun.current = event.currentTarget.value === '';
        emptied.current = Number.NEGATIVE_INFINITY;
      }}
      onKeyDown={(event) => {
        const isPlain = !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey;
        const isTab = event.key === 'Tab' && isPlain;
        if (steps.acted(name, event.timeStamp, isTab)) event.preventDefault();
        const isBackspace = event.key === 'Backspace' && isPlain;
        if (isBackspace && event.currentTarget.value === '') goBack(event, event.repeat);
      }}
      onBeforeInput={(event) => {
        // Phones say Backspace in this way only; where the key itself was seen, this does not follow.
        const isBackspace = event.inputType === 'deleteContentBackward';
        if (isBackspace && event.currentTarget.value === '') goBack(event, false);
      }}
      onCompositionStart={() => {
        composed.current = field.text.peek();
      }}
      onInput={(event) => {
        const input = event.currentTarget;
        const before = digitsOf(field.text.peek()).length;
        // What an input method (Arabic digits, some Android keyboards) is still composing is judged as it stands,
        // and grouped when it is done: changing it now would end the composition.
        if (event.isComposing) field.type(input.value);
        else take(input, event.inputType === 'deleteContentForward');
        if (input.value === '') {
          begun.current = true;
          emptied.current = event.timeStamp;
        }
        const isKey = TYPING.includes(event.inputType) && digitsOf(input.value).length === before + 1;
        if (isKey) lead(input, event.timeStamp);
      }}
      onCompositionEnd={(event) => take(event.currentTarget, false)}
      onBlur={(event) => {
        // A form that is taken off the screen blurs its field with what was just forgotten still in it.
        const isShown = screen.peek().screen === 'form';
        const isTaken = composed.current === null && event.currentTarget.value === field.text.peek();
        if (isShown && !isTaken) take(event.currentTarget, false);
        control.onBlur();
      }}
    />
  );
};
