/**
 * The card form as a component for React 18 and 19. It avoids JSX, so it needs no JSX runtime. The build prepends
 * `'use client'`.
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

/** Props of `<CardForm>`: every option of `mount()`, a handler for every event, and the wrapper's attributes. */
export type CardFormProps = CardFormSettings & {
  /**
   * The script failed to load (`CardFormLoadError`), or `mount()` threw (`CardFormMistake`). Default: the error is
   * reported as uncaught.
   */
  onFailure?: ((error: Error) => void) | undefined;
  /** Shown instead of the form after a failure. */
  fallback?: ReactNode;
  /** Class of the element around the form. */
  className?: string | undefined;
  id?: string | undefined;
  style?: CSSProperties | undefined;
} & { [Name in CardFormEventName as (typeof EVENTS)[Name]]?: CardFormHandler<Name> };

/**
 * The card form. Changed options are passed to `update()`, including a new client secret while the payment isn't over;
 * a new key, version or service mounts the form again. The ref holds the form, for `refresh()` and other methods, and
 * is null while there is none.
 *
 * On a server it renders the form's iframe, which the browser loads without waiting for any script.
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

/** The first hook fails if a different copy of React renders the component. React's message doesn't name the cause. */
const useFirstRef = <Value>() => {
  try {
    return useRef<Value | null>(null);
  } catch (cause) {
    const message =
      'CardForm: this component is rendered by a different copy of React than the one it imports, so the app has two copies of React. Find them with "npm ls react", and keep one: by one version in package.json, or by resolve.dedupe: ["react", "react-dom"] of Vite.';
    throw new Error(message, { cause });
  }
};

/** The form of one payment. The key gives another payment a new instance. */
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

  // StrictMode runs this twice: the first connection ends before it mounts anything.
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

  // Not in an effect, because the browser may already have painted by then.
  const fit = useCallback((frame: HTMLIFrameElement | null) => {
    if (frame) fitFrame(frame, latest.current);
  }, []);

  const { className, id, style, fallback } = props;
  if (hasFailed) return fallback ?? createElement('p', { role: 'alert' }, FALLBACK);
  const { referrerpolicy, frameborder, ...attributes } = frameAttributes(props);
  // React owns the element around the form and never touches this iframe again: the script may replace it.
  const frame = createElement('iframe', {
    ...attributes,
    ref: fit,
    referrerPolicy: referrerpolicy,
    frameBorder: frameborder,
  });
  return createElement('div', { ref: container, className, id, style }, isFrameless ? null : frame);
};

/** Props of `<card-form>` in JSX, a form without code. In React 18, use `class` instead of `className`. */
export type CardFormElementProps = DetailedHTMLProps<HTMLAttributes<HTMLElement>, HTMLElement> &
  CardFormElementAttributes & { class?: string | undefined };

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'card-form': CardFormElementProps;
    }
  }
}
