/** Constants that loader and frame share. No code and no dependency, since the loader ships this to every page. */

/** Marks our messages among all others that a window receives. */
export const CHANNEL = 'card-form';

/**
 * Raised only if the meaning of a message changes. New message types and new optional fields don't raise it, since both
 * sides ignore what they don't know.
 */
export const PROTOCOL = 1;

/**
 * The pattern of a publishable key, as regular expression source, which the loader also puts into its error message. 32
 * characters (contract S11.9) of base64url, since the description doesn't say which ones a service uses.
 */
export const PUBLISHABLE_KEY = '^pk_live_[\\w-]{32}$';

export const KEY_LENGTH = 40;

/** The pattern of a client secret: its prefix (contract S2.1) and at least one character. */
export const CLIENT_SECRET = '^lg_cs_.';

/** Maximum length of a client secret in the frame, since everything a page sends must be bounded. */
export const LONGEST_SECRET = 200;
