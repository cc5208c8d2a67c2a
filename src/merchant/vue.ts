/** The card form as a component for Vue 3. */
import {
  computed,
  defineComponent,
  type HTMLAttributes,
  h,
  onActivated,
  onDeactivated,
  ref,
  shallowRef,
  type VNode,
  watch,
  watchEffect,
} from 'vue';
import { EVENTS } from '../form/channel/events.ts';
import { FLAG, OPTIONS } from '../form/channel/options.ts';
import { keysOf } from '../form/channel/own-property.ts';
import type { CardFormEventName, CardFormInstance } from '../form/loader/types.ts';
import {
  type BindingListener,
  type CardFormHandler,
  type CardFormSettings,
  connectForm,
  createFormKey,
  FALLBACK,
  fitFrame,
  frameAttributes,
  mayComeBack,
} from './binding.ts';
import type { CardFormElementAttributes, CardFormElementEvents } from './elements.ts';

/** Props of `<CardForm>`: every option of `mount()`, and a listener for every event, such as `@result`. */
export type CardFormProps = CardFormSettings & {
  /** For `v-model:form`: the form, for `refresh()` and other methods. Null while there is none. */
  form?: CardFormInstance | null | undefined;
  'onUpdate:form'?: ((form: CardFormInstance | null) => void) | undefined;
  /**
   * `@failure`: the script failed to load (`CardFormLoadError`), or `mount()` threw (`CardFormMistake`). Default: the
   * error is reported as uncaught.
   */
  onFailure?: ((error: Error) => void) | undefined;
} & { [Name in CardFormEventName as `on${Capitalize<Name>}`]?: CardFormHandler<Name> };

/** Only flags have a runtime type, so that `read-only` without a value is true and a missing one is undefined. */
const PROPS = Object.fromEntries([
  ...['baseUrl', 'version', 'integrity', 'nonce', 'form', 'onFailure'].map((name) => [name, null]),
  ...Object.entries(OPTIONS).map(([name, kind]) => [
    name,
    kind === FLAG ? { type: Boolean, default: undefined } : null,
  ]),
]);

/**
 * The card form. Changed options are passed to `update()`, including a new client secret while the payment isn't over;
 * a new key, version or service mounts the form again. The slot `fallback` is shown instead of the form after a
 * failure.
 *
 * On a server it renders the form's iframe, which the browser loads without waiting for any script.
 *
 * @example
 * <CardForm base-url="https://pay.example" :publishable-key="key" :client-secret="secret" @result="settle" />
 */
export const CardForm = defineComponent<CardFormProps>(
  (props, { emit, slots }) => {
    const container = shallowRef<HTMLElement | null>(null);
    const hasFailed = ref(false);
    const formKey = createFormKey();
    const key = computed(() => formKey.of(props));
    const isFrameless = mayComeBack(props);
    watch(key, () => {
      hasFailed.value = false;
    });

    // <KeepAlive> takes the element out of the page, where an iframe can't stay loaded.
    const isActive = ref(true);
    onActivated(() => {
      isActive.value = true;
    });
    onDeactivated(() => {
      isActive.value = false;
    });

    watch(
      [container, isActive],
      ([element, isShown], _, onCleanup) => {
        if (!element || !isShown) return;
        const listener: BindingListener = {
          emit,
          formed: (form) => emit('update:form', form),
          failed(error) {
            hasFailed.value = true;
            (props.onFailure ?? reportError)(error);
          },
        };
        const { update, end } = connectForm(element, () => props, listener, formKey);
        const stop = watchEffect(update);
        onCleanup(() => {
          stop();
          end();
        });
      },
      { flush: 'post' },
    );

    const fit = ({ el }: VNode) => {
      if (el instanceof HTMLIFrameElement) fitFrame(el, props);
    };

    return () => {
      if (hasFailed.value)
        return h('div', { key: 'fallback' }, slots.fallback?.() ?? h('p', { role: 'alert' }, FALLBACK));
      // Another payment gets a new element, since the script may have replaced this one's iframe.
      const frame = h('iframe', { ...frameAttributes(props), onVnodeMounted: fit });
      return h('div', { key: key.value, ref: container }, isFrameless ? [] : [frame]);
    };
  },
  {
    name: 'CardForm',
    emits: [...keysOf(EVENTS), 'update:form'],
    props: PROPS,
  },
);

/** `<card-form>` in templates, a form without code. */
export type CardFormElement = new () => {
  $props: HTMLAttributes &
    CardFormElementAttributes & {
      [Name in keyof CardFormElementEvents as `on${Capitalize<Name>}`]?:
        | ((event: CardFormElementEvents[Name]) => void)
        | undefined;
    };
};

declare module 'vue' {
  interface GlobalComponents {
    'card-form': CardFormElement;
  }
}
