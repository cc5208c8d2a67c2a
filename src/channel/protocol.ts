/**
 * The constants loader and frame agree on. No code and no dependency: the loader carries this file into
 * every merchant's page.
 */

/** Marks our messages among all the others a window hears. */
export const CHANNEL = 'card-form';

/**
 * Raised only when the meaning of a message changes. New message types and new optional fields do not raise
 * it: both sides ignore what they do not know.
 */
export const PROTOCOL = 1;
