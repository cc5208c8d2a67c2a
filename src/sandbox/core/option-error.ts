/** A mistake of whoever starts it: an option that does not exist, has a wrong value, or names what cannot be used. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}
