import type { DigitsStore } from '../first/typing.ts';
import type { CardForm } from './card-form.ts';

/** Lets `first/typing.ts` read and write the form. `isShown`: whether its fields are on the screen. */
export const createDigitsStore = ({ fields, brand }: CardForm, isShown: () => boolean): DigitsStore => ({
  read: (name) => fields[name].text.peek(),
  write: (name, text) => fields[name].type(text),
  isComplete: (name) => fields[name].isComplete.peek(),
  brand: () => brand.peek(),
  isShown,
});
