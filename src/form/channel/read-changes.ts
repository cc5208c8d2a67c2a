/** Reads the options that the page changed with `update()`. */
import { ANYTHING, type CHANGEABLE_OPTIONS } from './options.ts';
import { isObject, READ, readAll, type Values } from './read-options.ts';

/** The changes; the client secret, unparsed; and options that can't change, so that the page can be warned. */
export type Changes = Pick<
  Values<typeof READ>,
  keyof typeof CHANGEABLE_OPTIONS | 'backdrop' | 'style' | 'from'
> & {
  publishableKey?: unknown;
  clientSecret?: unknown;
  fonts?: unknown;
};

const UPDATE = { ...READ, publishableKey: ANYTHING, clientSecret: ANYTHING } as const;

/** Skips options that it can't read, like `init`. Null if the message is not an object. */
export const readChanges = (data: unknown): Changes | null => (isObject(data) ? readAll(data, UPDATE) : null);
