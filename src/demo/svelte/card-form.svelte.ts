import { type CardFormInstance, type CardFormOptions, loadCardForm } from '@partner/card-form';
import type { Attachment } from 'svelte/attachments';

/**
 * Attaches the card form to an element. For a new secret, put the element into `{#key}`; locale and appearance change
 * in place. `mounted` receives the form, to listen for `result`.
 *
 * @example
 * <div {@attach cardForm(service, () => ({ publishableKey, clientSecret, locale }), (form) => form.on('result', …))}></div>
 */
export const cardForm =
  (
    service: string,
    options: () => CardFormOptions,
    mounted: (form: CardFormInstance) => void,
  ): Attachment<HTMLElement> =>
  (element) => {
    const controller = new AbortController();
    let form = $state.raw<CardFormInstance>();

    const mount = async () => {
      const CardForm = await loadCardForm(service);
      if (controller.signal.aborted || !CardForm) return;
      form = CardForm.mount(element, { ...options(), signal: controller.signal });
      mounted(form);
    };
    mount().catch((error: Error) => {
      if (controller.signal.aborted) return;
      element.textContent = 'The card form could not be loaded.';
      reportError(error);
    });

    $effect(() => {
      const { locale, appearance } = options();
      form?.update({ locale, appearance });
    });
    return () => controller.abort(); // also stops a form that is still loading
  };
