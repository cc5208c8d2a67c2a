import { editExpiry } from '../../card/expiry.ts';
import { readWrittenDate } from '../../card/written-date.ts';
import { controlOf } from '../first/controls.ts';
import type { Typing } from '../first/typing.ts';
import type { FormModel } from './card-form.ts';

/** A date that was pasted early, in the notation of the field. */
const asShown = (raw: string): string =>
  editExpiry({ previous: '', raw, caret: raw.length }, readWrittenDate).value;

/**
 * Takes over what was typed into the document before there was a form, and every key from now on. `isShown`: whether
 * the fields are on the screen.
 */
export const takeOverTyped = ({ fields }: FormModel, typing: Typing, isShown: () => boolean): void => {
  for (const { name, text, type } of Object.values(fields)) {
    const typed = controlOf(name)?.value;
    if (!typed || typed === text.peek()) continue;
    type(name === 'expiry' ? asShown(typed) : typed);
  }
  typing.connect(fields, isShown, readWrittenDate);
};
