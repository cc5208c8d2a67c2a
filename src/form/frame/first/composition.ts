/**
 * Returns true if the key belongs to an input method's composition, so Enter and Escape are for the input method and
 * not for the form. Safari ends the composition before the key that ends it, and marks such keys only by `keyCode`.
 */
export const isOfComposition = ({ isComposing, keyCode }: KeyboardEvent): boolean =>
  isComposing || keyCode === 229;
