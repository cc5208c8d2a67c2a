import { useComputed, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { focusField } from '../first/controls.ts';
import { BillingFields } from './BillingFields.tsx';
import { CardFields } from './CardFields.tsx';
import { type FormContext, FormProvider, useForm } from './context.ts';
import { Notices } from './Notices.tsx';
import { Outcome } from './Outcome.tsx';
import { PayArea } from './PayButton.tsx';
import { Summary } from './Summary.tsx';

/** Everything the buyer sees. */
export const App = (context: FormContext) => (
  <FormProvider value={context}>
    <Ribbon />
    <Screen />
  </FormProvider>
);

const Screen = () => {
  const { screen } = useForm();
  const isForm = useComputed(() => screen.value.screen === 'form');
  const outcome = useComputed(() => screen.value.screen === 'outcome' && <Outcome {...screen.value} />);
  const wasOutcome = useRef(false);
  wasOutcome.current ||= !isForm.value;
  return isForm.value ? <PaymentForm isBack={wasOutcome.current} /> : outcome;
};

/** Marks a frame in which no money moves, so that nobody ships it by mistake. */
const Ribbon = () => {
  const { isSandbox, words } = useForm();
  if (!isSandbox) return null;
  return (
    <p class="ribbon">
      <strong>{words.say('sandbox')}</strong> {words.say('sandbox.hint')}
    </p>
  );
};

/** `isBack`: in place of an outcome that stood there before. */
const PaymentForm = ({ isBack }: { isBack: boolean }) => {
  const { words, screen, desk, isInterrupted } = useForm();
  const whole = useRef<HTMLFormElement>(null);

  // What had the focus went with the outcome; the button takes it, if it was ours to give.
  useEffect(() => {
    if (isBack && document.hasFocus()) whole.current?.querySelector('button')?.focus();
  }, [isBack]);

  // After a failed attempt the buyer is led to the field that helps, if the focus is in this frame at all.
  const wasLocked = useRef(false);
  useSignalEffect(() => {
    const now = screen.value;
    if (now.screen !== 'form') return;
    const { attend } = now;
    if (wasLocked.current && !now.locked && now.action.kind === 'pay') {
      wasLocked.current = false;
      if (attend && document.hasFocus()) queueMicrotask(() => focusField(attend));
    }
    if (now.locked) wasLocked.current = true;
  });

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const { guard, press } = desk.value ?? {};
    if (guard?.isLive(event)) void press?.('buyer');
  };

  // The hint about the last press covers fields above the button, so it goes once the buyer returns to them.
  const clearHint = ({ target }: Event) => {
    if (!(target instanceof HTMLButtonElement)) desk.value?.clearPressHint();
  };

  // On a phone the key that says "next" leads on. Android does so by itself; elsewhere it would be the press of Pay.
  const advance = (event: KeyboardEvent) => {
    const { target } = event;
    if (event.key !== 'Enter' || event.isComposing || !(target instanceof HTMLInputElement)) return;
    if (target.enterKeyHint !== 'next' || !matchMedia('(pointer: coarse)').matches) return;
    event.preventDefault();
    const controls = [...(whole.current?.querySelectorAll<HTMLElement>('.control') ?? [])];
    controls[controls.indexOf(target) + 1]?.focus();
  };

  // A notice about the fields stands above them, where the buyer is.
  const attends = useComputed(() => {
    if (isInterrupted.value) return 'number';
    return screen.value.screen === 'form' && screen.value.attend ? screen.value.attend : undefined;
  });

  return (
    // `off` keeps session history from bringing a card back; the fields' own tokens still let it be filled in.
    <form
      ref={whole}
      class="form"
      noValidate
      autocomplete="off"
      data-attend={attends}
      onSubmit={submit}
      onKeyDown={advance}
      onFocusIn={clearHint}
      onInput={clearHint}
    >
      <Summary />
      <fieldset>
        <legend>{words.say('section.card')}</legend>
        <CardFields />
      </fieldset>
      <fieldset>
        <legend>{words.say('section.billing')}</legend>
        <BillingFields />
      </fieldset>
      <Notices />
      <PayArea />
      <p class="secure">{words.say('secure')}</p>
    </form>
  );
};
