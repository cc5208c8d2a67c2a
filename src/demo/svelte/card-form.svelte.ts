import { type CardFormInstance, type CardFormOptions, loadCardForm } from '@partner/card-form';
import type { Attachment } from 'svelte/attachments';

/**
 * The card form, in an element for as long as that stands; for another secret put the element into `{#key}`.
 * Language and looks change while it stands. `mounted` is where to listen for `result`.
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
    const left = new AbortController();
    let form = $state.raw<CardFormInstance>();

    const mount = async () => {
      const CardForm = await loadCardForm(service);
      if (left.signal.aborted || !CardForm) return;
      form = CardForm.mount(element, { ...options(), signal: left.signal });
      mounted(form);
    };
    mount().catch((error: Error) => {
      if (left.signal.aborted) return;
      element.textContent = 'The card form could not be loaded.';
      reportError(error);
    });

    $effect(() => {
      const { locale, appearance } = options();
      form?.update({ locale, appearance });
    });
    return () => left.abort(); // unmounts the form, also one that is still on its way
  };
