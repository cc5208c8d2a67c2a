/**
 * Types of the `<card-form>` element, which mounts a form without code (docs/no-code.md). The bindings declare it for
 * their frameworks' templates.
 */
import type { CardFormButtonType, CardFormEventName, CardFormEvents } from '../form/loader/types.ts';

/** Attributes of `<card-form>`. Boolean attributes are set by `true` or `''` and removed by `undefined`. */
export type CardFormElementAttributes = {
  /** Required for a form. The script removes it from the markup. */
  'client-secret'?: string | undefined;
  locale?: 'auto' | (string & {}) | undefined;
  theme?: 'auto' | 'light' | 'dark' | undefined;
  labels?: 'above' | 'floating' | 'hidden' | undefined;
  'pay-button'?: 'frame' | 'host' | undefined;
  'button-type'?: CardFormButtonType | undefined;
  view?: 'form' | 'status' | undefined;
  'read-only'?: true | '' | undefined;
  debug?: true | '' | undefined;
};

/** Events of the element. They bubble. */
export type CardFormElementEvents = {
  [Name in CardFormEventName as `card-form:${Name}`]: CustomEvent<CardFormEvents[Name]>;
};

declare global {
  interface HTMLElementEventMap extends CardFormElementEvents {}

  interface HTMLElementTagNameMap {
    'card-form': HTMLElement;
  }
}
