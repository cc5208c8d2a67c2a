/** An invalid start option: an unknown name, a wrong value, or a file that cannot be used. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}
