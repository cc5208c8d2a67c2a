/**
 * Handles input in the three fields for digits, from the first key on. Part of the first response: it needs no
 * component and listens at the root, so it works before and after hydration.
 *
 * An edit has the same result as if the field held bare digits. Text and caret are set in the same task, so nothing
 * flickers. After the last digit of a complete value the focus moves to the next field if that is empty, but only if
 * the digit was typed at the end of a field that was empty when it got the focus: a buyer who corrects a field stays in
 * it. A digit that replaces a whole value starts another card, so the next field's value is selected, to be replaced,
 * too.
 */
import { certainBrand, detectBrand } from '../../card/brands.ts';
import { digitsOf, type Edit, type Edited } from '../../card/caret.ts';
import { editCvc } from '../../card/cvc.ts';
import { editExpiry, isFullExpiry, type ReadDate } from '../../card/expiry.ts';
import { editPan, isFullPan } from '../../card/pan.ts';
import { createAutoAdvance, DIGITS, type DigitsName, fieldAfter, fieldBefore } from './auto-advance.ts';
import { controlOf, fieldAt } from './controls.ts';

/** A field of the form model (`form/field.ts`). */
export type DigitsField = {
  /** Including grouping. */
  text: { peek(): string };
  type(text: string): void;
  /** True if its value can be sent. */
  isComplete: { peek(): boolean };
};

/** A field until the form takes over what was typed. */
const draftField = (): DigitsField => {
  let typed = '';
  return {
    text: { peek: () => typed },
    type(text) {
      typed = text;
    },
    isComplete: { peek: () => false },
  };
};

/** Returns true if no more digits can follow. A field without an entry does not move the focus on. */
const IS_FULL: Readonly<Partial<Record<DigitsName, (digits: string) => boolean>>> = {
  number: isFullPan,
  expiry: isFullExpiry,
};

/** The `inputType`s of typed keys. Anything else (paste, drop, autofill) does not move the focus on. */
const TYPED = ['insertText', 'insertCompositionText', 'insertFromComposition'];

/** A Backspace this soon after the field became empty is the same key, held down to clear it. In ms. */
const HELD_KEY_WITHIN = 400;

/** State of a field while it has the focus. */
type Visit = {
  /** The text from before an input method started composing; null outside a composition. */
  beforeComposition: string | null;
  /** True if the field has been empty since it got the focus, or a digit replaced all of it. */
  wasEmpty: boolean;
  /** True if a digit replaced all of it: the next field's value then belongs to another card. */
  wasReplaced: boolean;
  /** Time its last digit was deleted (an event's `timeStamp`). */
  emptiedAt: number;
};

const newVisit = (): Visit => ({
  beforeComposition: null,
  wasEmpty: false,
  wasReplaced: false,
  emptiedAt: Number.NEGATIVE_INFINITY,
});

const inputOf = (name: DigitsName | null): HTMLInputElement | null => {
  const control = name && controlOf(name);
  return control instanceof HTMLInputElement ? control : null;
};

export type Typing = {
  /** Turns automatic focus moves off. */
  stay(): void;
  /** The field's value after this text is entered instead of its own. */
  entered(name: DigitsName, raw: string): string;
  /**
   * Uses these fields to hold the text from now on. `isShown`: they are on screen. `readDate` reads an expiry date in
   * any common notation.
   */
  connect(
    fields: Readonly<Record<DigitsName, DigitsField>>,
    isShown: () => boolean,
    readDate: ReadDate,
  ): void;
};

/** Handles the fields below `root`, including those added later. */
export const createTyping = (root: HTMLElement): Typing => {
  let fields: Readonly<Record<DigitsName, DigitsField>> = {
    number: draftField(),
    expiry: draftField(),
    cvc: draftField(),
  };
  let isShown = () => true;
  let isStaying = false;
  let readDate: ReadDate | undefined;
  const textOf = (name: DigitsName) => fields[name].text.peek();
  const autoAdvance = createAutoAdvance();
  const visits = { number: newVisit(), expiry: newVisit(), cvc: newVisit() };
  const edit: Readonly<Record<DigitsName, (edit: Edit) => Edited>> = {
    number: editPan,
    expiry: (edited) => editExpiry(edited, readDate),
    cvc: (edited) => editCvc(edited, certainBrand(detectBrand(digitsOf(textOf('number'))))),
  };

  const applyEdit = (name: DigitsName, input: HTMLInputElement, forward: boolean) => {
    const visit = visits[name];
    const previous = visit.beforeComposition ?? textOf(name);
    visit.beforeComposition = null;
    const caret = input.selectionEnd ?? input.value.length;
    const edited = edit[name]({ previous, raw: input.value, caret, forward });
    fields[name].type(edited.value);
    if (input.value !== edited.value) input.value = edited.value;
    if (document.activeElement === input) input.setSelectionRange(edited.caret, edited.caret);
  };

  const advance = (name: DigitsName, input: HTMLInputElement, at: number) => {
    const next = isStaying ? null : fieldAfter(name);
    const target = inputOf(next);
    const isFilled =
      visits[name].wasEmpty &&
      fields[name].isComplete.peek() &&
      IS_FULL[name]?.(digitsOf(input.value)) &&
      input.selectionStart === input.value.length;
    if (!isFilled || !next || !target || document.activeElement !== input) return;
    if (target.value !== '' && !visits[name].wasReplaced) return;
    autoAdvance.noteMove(next, at);
    target.focus();
    target.select();
  };

  const goBack = (name: DigitsName, event: Event, isHeld: boolean) => {
    const target = isStaying ? null : inputOf(fieldBefore(name));
    if (!target) return;
    event.preventDefault(); // this key must not delete anything in the previous field
    const visit = visits[name];
    if (isHeld || event.timeStamp - visit.emptiedAt < HELD_KEY_WITHIN) {
      visit.emptiedAt = event.timeStamp;
      return;
    }
    target.focus();
    target.setSelectionRange(target.value.length, target.value.length);
  };

  /** Listens in the capture phase, before the components. */
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
    visit.wasEmpty = input.value === '';
    visit.wasReplaced = false;
    visit.emptiedAt = Number.NEGATIVE_INFINITY;
  });
  on('keydown', (name, input, event) => {
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey;
    if (autoAdvance.isRepeatedByKey(name, event.timeStamp, event.key === 'Tab' && isPlain))
      event.preventDefault();
    if (event.key === 'Backspace' && isPlain && input.value === '') goBack(name, event, event.repeat);
  });
  on('beforeinput', (name, input, event) => {
    // On phones Backspace causes only this event. It does not follow a keydown that was handled.
    if (event.inputType === 'deleteContentBackward' && input.value === '') goBack(name, event, false);
  });
  on('compositionstart', (name) => {
    visits[name].beforeComposition = textOf(name);
  });
  on('input', (name, input, event) => {
    // Autofill sends a plain Event.
    if (!(event instanceof InputEvent)) return applyEdit(name, input, false);
    const before = digitsOf(textOf(name)).length;
    const isTyped = TYPED.includes(event.inputType);
    if (isTyped && before > 1 && digitsOf(input.value).length === 1)
      visits[name].wasEmpty = visits[name].wasReplaced = true;
    // Text being composed by an input method (Arabic digits, some Android keyboards) is stored as it is and grouped
    // afterwards: changing it now would end the composition.
    if (event.isComposing) fields[name].type(input.value);
    else applyEdit(name, input, event.inputType === 'deleteContentForward');
    if (input.value === '') {
      visits[name].wasEmpty = true;
      visits[name].emptiedAt = event.timeStamp;
    }
    if (isTyped && digitsOf(input.value).length === before + 1) advance(name, input, event.timeStamp);
  });
  on('compositionend', (name, input) => applyEdit(name, input, false));
  on('blur', (name, input) => {
    // A form that leaves the screen blurs its field while the input still shows a value the store has cleared.
    if (isShown() && visits[name].beforeComposition !== null) applyEdit(name, input, false);
  });

  // Session history may restore typed values, so they are cleared before the page is left (threat-model 1.5).
  window.addEventListener('pagehide', () => {
    for (const name of DIGITS) {
      fields[name].type('');
      const input = inputOf(name);
      if (input) input.value = '';
    }
  });

  return {
    stay() {
      isStaying = true;
    },
    entered: (name, raw) => edit[name]({ previous: '', raw, caret: raw.length }).value,
    connect(formFields, areShown, readAnyDate) {
      fields = formFields;
      isShown = areShown;
      readDate = readAnyDate;
    },
  };
};
