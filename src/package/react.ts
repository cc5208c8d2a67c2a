/**
 * The card form as a component for React 18 and 19. It needs no JSX, so that it needs no JSX runtime. The build puts
 * `'use client'` in front of it.
 */
import {
  type CSSProperties,
  createElement,
  type DetailedHTMLProps,
  type ForwardedRef,
  type ForwardRefExoticComponent,
  forwardRef,
  type HTMLAttributes,
  type ReactNode,
  type RefAttributes,
  useCallback,
  useEffect,
  useImperativeHandle,
  useInsertionEffect,
  useRef,
  useState,
} from 'react';
import { EVENTS } from '../form/channel/events.ts';
import type { CardFormEventName, CardFormInstance } from '../form/loader/types.ts';
import {
  type BindingListener,
  type CardFormHandler,
  type CardFormSettings,
  type Connection,
  connectForm,
  createFormKey,
  FALLBACK,
  type FormKey,
  fitFrame,
  frameAttributes,
  mayComeBack,
} from './binding.ts';
import type { CardFormElementAttributes } from './elements.ts';

/** The properties of `<CardForm>`: every option of `mount()`, a handler for every event, and where the form stands. */
export type CardFormProps = CardFormSettings & {
  /**
   * The script could not be loaded (`CardFormLoadError`), or `mount()` threw (`CardFormMistake`). Default: the error is
   * reported as an uncaught one.
   */
  onFailure?: ((error: Error) => void) | undefined;
  /** Shown in place of the form after a failure. */
  fallback?: ReactNode;
  /** Of the element around the form. */
  className?: string | undefined;
  id?: string | undefined;
  style?: CSSProperties | undefined;
} & { [Name in CardFormEventName as (typeof EVENTS)[Name]]?: CardFormHandler<Name> };

/**
 * The card form. Options that change are passed to `update()`, another client secret, too, while the payment is not over; with another
 * key, version or service it is mounted again. Its ref is the form, for `refresh()` and other methods, and null while there is none.
 *
 * On a server it renders the form's iframe, which the browser then loads without waiting for any script.
 *
 * @example
 * <CardForm baseUrl="https://pay.example" publishableKey={key} clientSecret={secret} onResult={settle} />
 */
export const CardForm: ForwardRefExoticComponent<CardFormProps & RefAttributes<CardFormInstance>> =
  forwardRef<CardFormInstance, CardFormProps>(function CardForm(props, instance) {
    const formKey = useFirstRef<FormKey>();
    formKey.current ??= createFormKey();
    return createElement(OneForm, {
      key: formKey.current.of(props),
      formKey: formKey.current,
      props,
      instance,
    });
  });

/** The first hook fails if another copy of React renders the component. React's own words for it name no cause. */
const useFirstRef = <Value>() => {
  try {
    return useRef<Value | null>(null);
  } catch (cause) {
    const message =
      'CardForm: another copy of React renders this component than the one that it imports, so the app has two copies of React. Find them with "npm ls react", and keep one: by one version in package.json, or by resolve.dedupe: ["react", "react-dom"] of Vite.';
    throw new Error(message, { cause });
  }
};

/** The form of one payment. Another payment gets another instance, by the key. */
const OneForm = ({
  formKey,
  props,
  instance,
}: {
  formKey: FormKey;
  props: CardFormProps;
  instance: ForwardedRef<CardFormInstance>;
}): ReactNode => {
  const container = useRef<HTMLDivElement | null>(null);
  const latest = useRef(props);
  const connection = useRef<Connection | null>(null);
  const [form, setForm] = useState<CardFormInstance | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const [isFrameless] = useState(() => mayComeBack(props));

  useEffect(() => {
    latest.current = props;
    connection.current?.update();
  });

  // StrictMode runs this twice: the first connection ends before it has mounted anything.
  useEffect(() => {
    if (!container.current) return undefined;
    const listener: BindingListener = {
      emit: (name, detail) => Object(latest.current)[EVENTS[name]]?.(detail),
      formed: setForm,
      failed(error) {
        setFailed(true);
        (latest.current.onFailure ?? reportError)(error);
      },
    };
    const made = connectForm(container.current, () => latest.current, listener, formKey);
    connection.current = made;
    return made.end;
  }, [formKey]);

  // Other effects end after the element has left the page, or while a Suspense boundary hides it, which keeps the form.
  useInsertionEffect(() => () => connection.current?.leave(), []);

  useImperativeHandle<CardFormInstance | null, CardFormInstance | null>(instance, () => form, [form]);

  // Not in an effect: by then the browser may have painted.
  const fit = useCallback((frame: HTMLIFrameElement | null) => {
    if (frame) fitFrame(frame, latest.current);
  }, []);

  const { className, id, style, fallback } = props;
  if (hasFailed) return fallback ?? createElement('p', { role: 'alert' }, FALLBACK);
  const { referrerpolicy, frameborder, ...attributes } = frameAttributes(props);
  // React owns the element around the form, and never touches this iframe again: the script may replace it.
  const frame = createElement('iframe', {
    ...attributes,
    ref: fit,
    referrerPolicy: referrerpolicy,
    frameBorder: frameborder,
  });
  return createElement('div', { ref: container, className, id, style }, isFrameless ? null : frame);
};

/** The properties of `<card-form>` in JSX, a form without code. In React 18 `class` is the name of `className`. */
export type CardFormElementProps = DetailedHTMLProps<HTMLAttributes<HTMLElement>, HTMLElement> &
  CardFormElementAttributes & { class?: string | undefined };

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'card-form': CardFormElementProps;
    }
  }
}
