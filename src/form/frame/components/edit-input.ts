/**
 * What the fields for digits can do beyond typing, which `first/typing.ts` handles: undo, paste a whole card, select a refused
 * text as a whole. On the element itself, because it comes when the field has long been there.
 */
import { batch, effect, type ReadonlySignal } from '@preact/signals';
import { formatPan } from '../../card/pan.ts';
import { pastedCard } from '../../card/pasted-card.ts';
import type { DigitsName } from '../first/auto-advance.ts';
import type { FormModel } from '../form/card-form.ts';
import type { View } from '../view/form-view.ts';

type Parts = { form: Pick<FormModel, 'fields'>; screen: ReadonlySignal<View> };

/** A text of the field and the caret in it. */
type Snapshot = { text: string; caret: number };

/** So many steps can be undone. */
const MOST_STEPS = 50;

/** Returns a function that ends it. */
export const editInput = (input: HTMLInputElement, name: DigitsName, parts: Parts): (() => void) => {
  const ending = new AbortController();
  const stops = [undo, paste, selectRefused].map((act) => act(input, name, parts, ending.signal));
  return () => {
    ending.abort();
    for (const stop of stops) stop();
  };
};

/**
 * Undoes and redoes edits of a field whose text the form groups: the browser's own history ends wherever a script sets the
 * value. Typed digits in a row are one step, as in any field. Nothing is remembered of a card that is being paid with, or
 * that was cleared.
 */
const undo = (input: HTMLInputElement, name: DigitsName, { form, screen }: Parts, signal: AbortSignal) => {
  const field = form.fields[name];
  let past: Snapshot[] = [];
  let future: Snapshot[] = [];
  /** The field before the edit under way. */
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
    before = snapshot(); // an empty text is no reason to forget now
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

/** A whole line is told apart; what it lacks stays as it is. */
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
 * While a field has the text that the last attempt failed with, what is typed, pasted or dropped there replaces all of it: the
 * text is selected as a whole whichever way the buyer comes into the field. A second click places the caret, to correct
 * a digit; a text that the buyer has begun to correct is theirs.
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
  /** False once a click has placed the caret, until the text is refused or the buyer comes into the field again. */
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
  // Otherwise the browser places the caret, some after the click and some at a double click's second half.
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
