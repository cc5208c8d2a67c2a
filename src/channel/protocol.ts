/** Constants that loader and frame share. No code and no dependency, since the loader ships this to every page. */

/** Marks our messages among all others that a window receives. */
export const CHANNEL = 'card-form';

/**
 * Raised only if the meaning of a message changes. New message types and new optional fields do not raise it, since
 * both sides ignore what they do not know.
 */
export const PROTOCOL = 1;
