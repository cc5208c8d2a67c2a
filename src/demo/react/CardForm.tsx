import { type CardFormInstance, type CardFormOptions, loadCardForm, type Result } from '@partner/card-form';
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react';

type Props = Pick<CardFormOptions, 'publishableKey' | 'clientSecret' | 'locale' | 'appearance'> & {
  /** The origin of the payment service. */
  service: string;
  onResult: (result: Result) => void;
  /** The form's instance, for `refresh()` and other methods. */
  ref?: Ref<CardFormInstance | null>;
};

/** The card form. A new key or secret remounts it; locale and appearance change in place. */
export const CardForm = ({
  service,
  publishableKey,
  clientSecret,
  locale,
  appearance,
  onResult,
  ref,
}: Props) => {
  const container = useRef<HTMLDivElement>(null);
  const [form, setForm] = useState<CardFormInstance | null>(null);
  const [failed, setFailed] = useState(false);

  const handleResult = useEffectEvent(onResult);
  const mount = useEffectEvent(async (signal: AbortSignal) => {
    const CardForm = await loadCardForm(service);
    if (signal.aborted || !CardForm || !container.current) return;
    const options = { publishableKey, clientSecret, locale, appearance, signal };
    const mounted = CardForm.mount(container.current, options);
    mounted.on('result', (result) => handleResult(result));
    setForm(mounted);
  });

  useEffect(() => {
    const controller = new AbortController();
    mount(controller.signal).catch((error: Error) => {
      if (controller.signal.aborted) return;
      setFailed(true);
      reportError(error);
    });
    return () => {
      controller.abort(); // also stops a form that is still loading
      setForm(null);
    };
  }, [service, publishableKey, clientSecret]);

  useEffect(() => form?.update({ locale, appearance }), [form, locale, appearance]);
  useImperativeHandle<CardFormInstance | null, CardFormInstance | null>(ref, () => form, [form]);

  return failed ? <p role="alert">The card form could not be loaded.</p> : <div ref={container} />;
};
