/** The form as the keys in its fields of digits know it. */

import type { Store } from '../first/typing.ts';
import type { CardForm } from './card-form.ts';

/** Of that form; `isShown`: whether its fields are on the screen. */
export const storeOf = ({ fields, brand }: CardForm, isShown: () => boolean): Store => ({
  read: (name) => fields[name].text.peek(),
  write: (name, text) => fields[name].type(text),
  isComplete: (name) => fields[name].isComplete.peek(),
  brand: () => brand.peek(),
  isShown,
});
