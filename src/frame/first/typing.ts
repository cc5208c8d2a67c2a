/**
 * What keys do in the three fields of digits, from the first one on: it stands in the document's own script, needs no
 * component and listens at the root of the form, so that it neither waits for anything nor notices when the form
 * comes to life around the inputs.
 *
 * Whatever is done to the text comes out as if it had been done to the bare digits; text and caret are set in the same
 * task, so that nothing is ever seen jumping. The last digit of a whole, valid value leads on to the next field if
 * that is empty: typed at the end, and in the same visit in which the field was begun. Who comes back to correct
 * something is left alone.
 */
import { type Brand, certainBrand, detectBrand } from '../../card/brands.ts';
import { digitsOf, type Edit, type Edited } from '../../card/caret.ts';
import { editCvc } from '../../card/cvc.ts';
import { editExpiry, isFullExpiry } from '../../card/expiry.ts';
import { editPan, isFullPan } from '../../card/pan.ts';
import { createSteps, DIGITS, type DigitsName } from './auto-advance.ts';
import { controlOf, fieldAt } from './controls.ts';

/** What keys have to know of the form, and tell it. */
export type Store = {
  /** What is shown in the field. */
  read(name: DigitsName): string;
  /** What is to be shown there. */
  write(name: DigitsName, text: string): void;
  /** Whether what stands there can be sent. */
  isComplete(name: DigitsName): boolean;
  brand(): Brand | null;
  /** Whether fields are on the screen at all. */
  isShown(): boolean;
};

/** Before anything judges what is typed. */
const createDraft = (): Store => {
  const texts = { number: '', expiry: '', cvc: '' };
  return {
    read: (name) => texts[name],
    write(name, text) {
      texts[name] = text;
    },
    isComplete: () => false,
    brand: () => certainBrand(detectBrand(digitsOf(texts.number))),
    isShown: () => true,
  };
};

/** Whether nothing more can follow these digits; a field without an answer leads nowhere. */
const IS_FULL: Readonly<Partial<Record<DigitsName, (digits: string) => boolean>>> = {
  number: isFullPan,
  expiry: isFullExpiry,
};

/** What a key, also one of a phone's, comes to. Everything else (paste, drop, autofill) leads nowhere. */
const TYPING = ['insertText', 'insertCompositionText', 'insertFromComposition'];

/** A Backspace so soon, in ms, after the field's last digit went is the same key, held down to empty the field. */
const HELD = 400;

/** What is remembered of one field. */
type Visit = {
  /** What was shown when an input method began to compose; null while none does. */
  composed: string | null;
  /** Whether the field was empty in this visit, so that what is in it was begun now. */
  begun: boolean;
  /** When the last digit was deleted, as an event's `timeStamp`. */
  emptied: number;
};

const newVisit = (): Visit => ({ composed: null, begun: false, emptied: Number.NEGATIVE_INFINITY });

const inputOf = (name: DigitsName | null): HTMLInputElement | null => {
  const control = name && controlOf(name);
  return control instanceof HTMLInputElement ? control : null;
};

export type Typing = {
  /** From now on this form has the texts. */
  join(form: Store): void;
};

/** Takes the keys of the fields of digits below `root`, now and later ones. */
export const createTyping = (root: HTMLElement): Typing => {
  let form = createDraft();
  const steps = createSteps();
  const visits = { number: newVisit(), expiry: newVisit(), cvc: newVisit() };
  const edit: Readonly<Record<DigitsName, (edit: Edit) => Edited>> = {
    number: editPan,
    expiry: editExpiry,
    cvc: (edited) => editCvc(edited, form.brand()),
  };

  const take = (name: DigitsName, input: HTMLInputElement, forward: boolean) => {
    const visit = visits[name];
    const previous = visit.composed ?? form.read(name);
    visit.composed = null;
    const caret = input.selectionEnd ?? input.value.length;
    const edited = edit[name]({ previous, raw: input.value, caret, forward });
    form.write(name, edited.value);
    if (input.value !== edited.value) input.value = edited.value;
    if (document.activeElement === input) input.setSelectionRange(edited.caret, edited.caret);
  };

  const lead = (name: DigitsName, input: HTMLInputElement, at: number) => {
    const next = steps.after(name);
    const target = inputOf(next);
    const isDone =
      visits[name].begun &&
      form.isComplete(name) &&
      IS_FULL[name]?.(digitsOf(input.value)) &&
      input.selectionStart === input.value.length;
    if (!isDone || !next || target?.value !== '' || document.activeElement !== input) return;
    steps.led(next, at);
    target.focus();
  };

  const goBack = (name: DigitsName, event: Event, isHeld: boolean) => {
    const target = inputOf(steps.before(name));
    if (!target) return;
    event.preventDefault(); // nothing of the field before is deleted by this key
    const visit = visits[name];
    if (isHeld || event.timeStamp - visit.emptied < HELD) {
      visit.emptied = event.timeStamp;
      return;
    }
    target.focus();
    target.setSelectionRange(target.value.length, target.value.length);
  };

  /** Hears of an event in any of the fields before they do. */
  const on = <Type extends keyof HTMLElementEventMap>(
    type: Type,
    act: (name: DigitsName, input: HTMLInputElement, event: HTMLElementEventMap[Type]) => void,
  ) =>
    root.addEventListener(
      type,
      (event) => {
        const { target } = event;
        const name = fieldAt(target, DIGITS);
        if (name && target instanceof HTMLInputElement) act(name, target, event);
      },
      true,
    );

  on('focus', (name, input) => {
    const visit = visits[name];
    visit.begun = input.value === '';
    visit.emptied = Number.NEGATIVE_INFINITY;
  });
  on('keydown', (name, input, event) => {
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey;
    if (steps.acted(name, event.timeStamp, event.key === 'Tab' && isPlain)) event.preventDefault();
    if (event.key === 'Backspace' && isPlain && input.value === '') goBack(name, event, event.repeat);
  });
  on('beforeinput', (name, input, event) => {
    // Phones say Backspace in this way only; where the key itself was seen, this does not follow.
    if (event.inputType === 'deleteContentBackward' && input.value === '') goBack(name, event, false);
  });
  on('compositionstart', (name) => {
    visits[name].composed = form.read(name);
  });
  on('input', (name, input, event) => {
    if (!(event instanceof InputEvent)) return take(name, input, false); // autofill says no more
    const before = digitsOf(form.read(name)).length;
    // What an input method (Arabic digits, some Android keyboards) is still composing is judged as it stands, and
    // grouped when it is done: changing it now would end the composition.
    if (event.isComposing) form.write(name, input.value);
    else take(name, input, event.inputType === 'deleteContentForward');
    if (input.value === '') {
      visits[name].begun = true;
      visits[name].emptied = event.timeStamp;
    }
    const isKey = TYPING.includes(event.inputType) && digitsOf(input.value).length === before + 1;
    if (isKey) lead(name, input, event.timeStamp);
  });
  on('compositionend', (name, input) => take(name, input, false));
  on('blur', (name, input) => {
    // A form that is taken off the screen blurs its field with what was just forgotten still in it.
    const isTaken = visits[name].composed === null && input.value === form.read(name);
    if (form.isShown() && !isTaken) take(name, input, false);
  });

  // Session history may bring typed values back; what is not there cannot come back (threat-model 1.5).
  window.addEventListener('pagehide', () => {
    for (const name of DIGITS) {
      form.write(name, '');
      const input = inputOf(name);
      if (input) input.value = '';
    }
  });

  return {
    join(whole) {
      form = whole;
    },
  };
};
