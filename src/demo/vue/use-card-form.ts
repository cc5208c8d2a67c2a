import { type CardFormInstance, type CardFormOptions, loadCardForm } from '@partner/card-form';
import { type Ref, ref, shallowRef, watch } from 'vue';

/**
 * The card form, in an element of the template for as long as that stands. Another secret mounts it anew; language
 * and looks change while it stands. `mounted` is where to listen for `result`.
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
      const left = new AbortController();
      onCleanup(() => left.abort()); // unmounts the form, also one that is still on its way
      mount(element, left.signal).catch((error: Error) => {
        if (left.signal.aborted) return;
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
