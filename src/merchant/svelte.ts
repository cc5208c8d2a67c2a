/**
 * Types of the Svelte 5 component. CardForm.svelte ships uncompiled, so it isn't imported here: the build writes the
 * module that exports it.
 */
import type { Component, Snippet } from 'svelte';
import type { HTMLAttributes } from 'svelte/elements';
import type { CardFormEventName, CardFormInstance } from '../form/loader/types.ts';
import type { CardFormHandler, CardFormSettings } from './binding.ts';
import type { CardFormElementAttributes, CardFormElementEvents } from './elements.ts';

/** Props of `<CardForm>`: every option of `mount()`, and a handler for every event, such as `onresult`. */
export type CardFormProps = CardFormSettings & {
  /** For `bind:form`: the form, for `refresh()` and other methods. Null while there is none. */
  form?: CardFormInstance | null | undefined;
  /**
   * The script failed to load (`CardFormLoadError`), or `mount()` threw (`CardFormMistake`). Default: the error is
   * reported as uncaught.
   */
  onfailure?: ((error: Error) => void) | undefined;
  /** Shown instead of the form after a failure. */
  fallback?: Snippet | undefined;
  /** Class of the element around the form. */
  class?: string | undefined;
  id?: string | undefined;
  style?: string | undefined;
} & { [Name in CardFormEventName as `on${Name}`]?: CardFormHandler<Name> };

/**
 * The card form. Changed options are passed to `update()`, including a new client secret while the payment isn't over;
 * a new key, version or service mounts the form again.
 *
 * On a server it renders the form's iframe, which the browser loads without waiting for any script.
 *
 * @example
 * <CardForm baseUrl="https://pay.example" publishableKey={key} clientSecret={secret} onresult={settle} />
 */
export declare const CardForm: Component<CardFormProps, Record<never, never>, 'form'>;

/** Attributes of `<card-form>`, a form without code. */
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
