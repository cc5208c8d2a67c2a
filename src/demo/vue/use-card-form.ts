import { type CardFormInstance, type CardFormOptions, loadCardForm } from '@partner/card-form';
import { type Ref, ref, shallowRef, watch } from 'vue';

/**
 * Mounts the card form in an element of the template. A new secret remounts it; locale and appearance change in place.
 * `mounted` receives the form, to listen for `result`.
 */
export const useCardForm = (
  service: string,
  container: Readonly<Ref<HTMLElement | null>>,
  options: () => CardFormOptions,
  mounted: (form: CardFormInstance) => void,
) => {
  const form = shallowRef<CardFormInstance>();
  const failed = ref(false);

  const mount = async (element: HTMLElement, signal: AbortSignal) => {
    const CardForm = await loadCardForm(service);
    if (signal.aborted || !CardForm) return;
    form.value = CardForm.mount(element, { ...options(), signal });
    mounted(form.value);
  };

  watch(
    [() => container.value, () => options().clientSecret],
    ([element], _, onCleanup) => {
      if (!element) return;
      const controller = new AbortController();
      onCleanup(() => controller.abort()); // also stops a form that is still loading
      mount(element, controller.signal).catch((error: Error) => {
        if (controller.signal.aborted) return;
        failed.value = true;
        reportError(error);
      });
    },
    { flush: 'post', immediate: true },
  );
  watch([() => options().locale, () => options().appearance], ([locale, appearance]) =>
    form.value?.update({ locale, appearance }),
  );

  return { form, failed };
};
