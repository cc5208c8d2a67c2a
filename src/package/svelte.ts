/**
 * Types of the component for Svelte 5. The component itself, CardForm.svelte, is shipped as it is, and so is not
 * imported here: the build writes the module that exports it.
 */
import type { Component, Snippet } from 'svelte';
import type { HTMLAttributes } from 'svelte/elements';
import type { CardFormEventName, CardFormInstance } from '../form/loader/types.ts';
import type { CardFormHandler, CardFormSettings } from './binding.ts';
import type { CardFormElementAttributes, CardFormElementEvents } from './elements.ts';

/** The properties of `<CardForm>`: every option of `mount()`, and a handler for every event, such as `onresult`. */
export type CardFormProps = CardFormSettings & {
  /** For `bind:form`: the form, for `refresh()` and other methods. Null while there is none. */
  form?: CardFormInstance | null | undefined;
  /**
   * The script could not be loaded (`CardFormLoadError`), or `mount()` threw (`CardFormMistake`). Default: the error is
   * reported as an uncaught one.
   */
  onfailure?: ((error: Error) => void) | undefined;
  /** Shown in place of the form after a failure. */
  fallback?: Snippet | undefined;
  /** Of the element around the form. */
  class?: string | undefined;
  id?: string | undefined;
  style?: string | undefined;
} & { [Name in CardFormEventName as `on${Name}`]?: CardFormHandler<Name> };

/**
 * The card form. Options that change are passed to `update()`, another client secret, too, while the payment is not over; with another
 * key, version or service it is mounted again.
 *
 * On a server it renders the form's iframe, which the browser then loads without waiting for any script.
 *
 * @example
 * <CardForm baseUrl="https://pay.example" publishableKey={key} clientSecret={secret} onresult={settle} />
 */
export declare const CardForm: Component<CardFormProps, Record<never, never>, 'form'>;

/** The attributes of `<card-form>`, a form without code. */
export type CardFormElementProps = HTMLAttributes<HTMLElement> &
  CardFormElementAttributes & {
    [Name in keyof CardFormElementEvents as `on${Name}`]?:
      | ((event: CardFormElementEvents[Name]) => void)
      | undefined;
  };

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'card-form': CardFormElementProps;
  }
}
