/**
 * Whether the key is part of a composition of an input method, so that Enter and Escape speak to that and not to the form.
 * Safari ends the composition before the key that ends it, which has only the `keyCode` of such keys.
 */
export const isOfComposition = ({ isComposing, keyCode }: KeyboardEvent): boolean =>
  isComposing || keyCode === 229;
