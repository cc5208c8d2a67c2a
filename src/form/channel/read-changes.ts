/** Reads what the page changed with `update()`. */
import { ANYTHING, type CHANGEABLE_OPTIONS } from './options.ts';
import { ownProperty } from './own-property.ts';
import { isObject, READ, readAll, type Values } from './read-options.ts';

/** What changed; the client secret, unread; and what did not change, because it cannot, so that the page can be warned. */
export type Changes = Pick<
  Values<typeof READ>,
  keyof typeof CHANGEABLE_OPTIONS | 'backdrop' | 'style' | 'from'
> & {
  publishableKey?: unknown;
  clientSecret?: unknown;
  fonts?: unknown;
};

const UPDATE = { ...READ, publishableKey: ANYTHING, clientSecret: ANYTHING } as const;

/** Null if the message is not one of the loader, which passes on a language as it is. */
export const readChanges = (data: unknown): Changes | null => {
  if (!isObject(data)) return null;
  const changes = readAll(data, UPDATE);
  return changes.locale === ownProperty(data, 'locale') ? changes : null;
};
