import { type CardFormInstance, type CardFormOptions, loadCardForm, type Result } from '@partner/card-form';
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react';

type Props = Pick<CardFormOptions, 'publishableKey' | 'clientSecret' | 'locale' | 'appearance'> & {
  /** Where the payment service is. */
  service: string;
  onResult: (result: Result) => void;
  /** The form itself, for `refresh()` and the like. */
  ref?: Ref<CardFormInstance | null>;
};

/** The card form. Another key or secret mounts it anew; language and looks change while it stands. */
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

  const tell = useEffectEvent(onResult);
  const mount = useEffectEvent(async (signal: AbortSignal) => {
    const CardForm = await loadCardForm(service);
    if (signal.aborted || !CardForm || !container.current) return;
    const options = { publishableKey, clientSecret, locale, appearance, signal };
    const mounted = CardForm.mount(container.current, options);
    mounted.on('result', (result) => tell(result));
    setForm(mounted);
  });

  useEffect(() => {
    const left = new AbortController();
    mount(left.signal).catch((error: Error) => {
      if (left.signal.aborted) return;
      setFailed(true);
      reportError(error);
    });
    return () => {
      left.abort(); // unmounts the form, also one that is still on its way
      setForm(null);
    };
  }, [service, publishableKey, clientSecret]);

  useEffect(() => form?.update({ locale, appearance }), [form, locale, appearance]);
  useImperativeHandle<CardFormInstance | null, CardFormInstance | null>(ref, () => form, [form]);

  return failed ? <p role="alert">The card form could not be loaded.</p> : <div ref={container} />;
};
