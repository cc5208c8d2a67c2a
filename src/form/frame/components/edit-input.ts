/**
 * Editing in the fields for digits beyond typing, which `first/typing.ts` handles: undo, pasting a whole card,
 * selecting a refused text as a whole. Works on the element directly, because it loads long after the field is there.
 */
import { batch, effect, type ReadonlySignal } from '@preact/signals';
import { formatPan } from '../../card/pan.ts';
import { pastedCard } from '../../card/pasted-card.ts';
import type { DigitsName } from '../first/auto-advance.ts';
import type { FormModel } from '../form/card-form.ts';
import type { View } from '../view/form-view.ts';

type Parts = { form: Pick<FormModel, 'fields'>; screen: ReadonlySignal<View> };

/** The field's text and caret. */
type Snapshot = { text: string; caret: number };

/** Maximum number of undo steps. */
const MOST_STEPS = 50;

/** Returns a function that removes it. */
export const editInput = (input: HTMLInputElement, name: DigitsName, parts: Parts): (() => void) => {
  const ending = new AbortController();
  const stops = [undo, paste, selectRefused].map((act) => act(input, name, parts, ending.signal));
  return () => {
    ending.abort();
    for (const stop of stops) stop();
  };
};

/**
 * Undoes and redoes edits of a field whose text the form groups: the browser's own history ends whenever a script sets
 * the value. Consecutive typed digits are one step, as in any field. Forgets the history of a card that is being paid
 * with or was cleared.
 */
const undo = (input: HTMLInputElement, name: DigitsName, { form, screen }: Parts, signal: AbortSignal) => {
  const field = form.fields[name];
  let past: Snapshot[] = [];
  let future: Snapshot[] = [];
  /** The field before the current edit. */
  let before: Snapshot | null = null;
  let wasTyped = false;
  let isLocked = false;

  const forget = () => {
    past = [];
    future = [];
    before = null;
  };
  const stop = effect(() => {
    isLocked = screen.value.screen === 'form' && screen.value.locked;
    const isCleared = field.text.value === '' && before === null;
    if (isLocked || isCleared) forget();
  });

  const snapshot = (): Snapshot => ({
    text: field.text.peek(),
    caret: input.selectionEnd ?? input.value.length,
  });
  const move = (from: Snapshot[], to: Snapshot[]) => {
    const next = from.pop();
    if (!next || isLocked) return;
    before = snapshot(); // an empty text must not clear the history now
    to.push(before);
    field.type(next.text);
    input.value = next.text;
    input.setSelectionRange(next.caret, next.caret);
    before = null;
    wasTyped = false;
  };
  const undoOne = () => move(past, future);
  const redoOne = () => move(future, past);

  input.addEventListener(
    'beforeinput',
    (event) => {
      before = snapshot();
      if (!/^history/.test(event.inputType)) return;
      event.preventDefault();
      before = null;
      if (event.inputType === 'historyUndo') undoOne();
      else redoOne();
    },
    { signal },
  );
  input.addEventListener(
    'input',
    (event) => {
      const was = before;
      before = null;
      const isTyped = event instanceof InputEvent && event.inputType === 'insertText';
      if (was && was.text !== field.text.peek() && !(isTyped && wasTyped))
        past = [...past, was].slice(-MOST_STEPS);
      future = [];
      wasTyped = isTyped;
    },
    { signal },
  );
  input.addEventListener(
    'keydown',
    (event) => {
      before = null;
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return; // autofill sends an event without a key
      const key = event.key.toLowerCase();
      if (key !== 'z' && key !== 'y') return;
      event.preventDefault();
      if (key === 'z' && !event.shiftKey) undoOne();
      else redoOne();
    },
    { signal },
  );
  return () => {
    stop();
    forget();
  };
};

/** Splits a pasted line with a whole card into its parts; fields for missing parts keep their value. */
const paste = (input: HTMLInputElement, _: DigitsName, { form }: Parts, signal: AbortSignal) => {
  const { fields } = form;
  input.addEventListener(
    'paste',
    (event) => {
      const card = pastedCard(event.clipboardData?.getData('text') ?? '');
      if (!card || input.readOnly) return;
      event.preventDefault();
      batch(() => {
        fields.number.type(formatPan(card.number));
        if (card.expiry) fields.expiry.type(card.expiry);
        if (card.cvc) fields.cvc.type(card.cvc);
      });
    },
    { signal },
  );
  return () => {};
};

/**
 * While a field contains the text with which the last attempt failed, typing, pasting or dropping replaces all of it:
 * the text is selected as a whole, whichever way the buyer enters the field. A second click places the caret, to
 * correct a digit; once the buyer starts correcting the text, it is no longer selected.
 */
const selectRefused = (
  input: HTMLInputElement,
  name: DigitsName,
  { form, screen }: Parts,
  signal: AbortSignal,
) => {
  const { text } = form.fields[name];
  let refused = '';
  let wasToFix = false;
  /** False after a click placed the caret, until the text is refused again or the buyer re-enters the field. */
  let isWhole = true;
  const stop = effect(() => {
    const isToFix = screen.value.screen === 'form' && screen.value.fieldToFix === name;
    if (isToFix !== wasToFix) refused = isToFix ? text.peek() : '';
    if (isToFix && !wasToFix) isWhole = true;
    wasToFix = isToFix;
  });
  const isRefused = () => refused !== '' && text.peek() === refused;
  const select = () => {
    if (isRefused()) input.select();
  };
  const on = <Type extends keyof HTMLElementEventMap>(
    type: Type,
    act: (event: HTMLElementEventMap[Type]) => void,
  ) => input.addEventListener(type, act, { signal });

  on('focusin', () => {
    isWhole = true;
    select();
  });
  // Otherwise the browser places the caret: some after the click, some on the second half of a double click.
  on('mousedown', (event) => {
    if (!isRefused() || event.button !== 0) return;
    if (event.detail < 2 && !isWhole) return;
    event.preventDefault();
    input.focus();
    select();
  });
  on('click', ({ detail }) => {
    if (detail < 2) isWhole = false;
  });
  on('drop', (event) => {
    const dropped = event.dataTransfer?.getData('text');
    if (!dropped || !isRefused() || input.readOnly) return;
    event.preventDefault();
    input.focus();
    input.value = dropped;
    input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertFromDrop' }));
  });
  return stop;
};
