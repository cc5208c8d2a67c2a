import { effect, useComputed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { BillingFields } from './BillingFields.tsx';
import { CardFields } from './CardFields.tsx';
import { type FormContext, FormProvider, useForm } from './context.ts';
import { KnownDetails } from './KnownDetails.tsx';
import { Notices } from './Notices.tsx';
import { PayArea } from './PayButton.tsx';
import { SandboxRibbon } from './SandboxRibbon.tsx';
import { Summary } from './Summary.tsx';
import { TextElement } from './TextElement.tsx';

/** The whole form, or the outcome instead. */
export const FormRoot = (context: FormContext) => (
  <FormProvider value={context}>
    <Screen />
    <SandboxRibbon />
  </FormProvider>
);

const Screen = () => {
  const { screen, late, isStatus } = useForm();
  const isForm = useComputed(() => screen.value.screen === 'form' && !isStatus);
  const outcome = useComputed(() => {
    const { Outcome, statusView } = late.value ?? {};
    return !isForm.value && Outcome && statusView && <Outcome {...statusView(screen.value)} />;
  });
  const hadOutcome = useRef(false);
  hadOutcome.current ||= !isForm.value;
  return isForm.value ? <PaymentForm replacesOutcome={hadOutcome.current} /> : outcome;
};

/** `replacesOutcome`: an outcome was shown before. */
const PaymentForm = ({ replacesOutcome }: { replacesOutcome: boolean }) => {
  const { form, words, screen, actions, late, isInterrupted } = useForm();
  const formElement = useRef<HTMLFormElement>(null);

  // The focused element disappeared with the outcome. Focus the button, but only if the focus is in this frame.
  useEffect(() => {
    if (replacesOutcome && document.hasFocus())
      formElement.current?.querySelector<HTMLElement>('.pay')?.focus();
  }, [replacesOutcome]);

  useEffect(() => effect(() => late.value?.followAnswers(form, screen)), []);

  // The hint about the last press covers the fields above the button, so it disappears when the buyer uses them again.
  const clearHint = ({ target }: Event) => {
    if (!(target instanceof HTMLButtonElement)) actions.value?.clearPressHint();
  };

  // A notice about the fields is shown above them, not at the button.
  const noticesFirst = useComputed(() =>
    isInterrupted.value || (screen.value.screen === 'form' && screen.value.noticesFirst) ? '' : undefined,
  );

  const totalChanged = useComputed(() =>
    screen.value.screen === 'form' && screen.value.previousTotal ? '' : undefined,
  );

  return (
    // `off` keeps session history from restoring card data; the fields' own tokens still allow autofill.
    <form
      ref={formElement}
      class="form"
      noValidate
      autocomplete="off"
      data-notices-first={noticesFirst}
      data-total-changed={totalChanged}
      onFocusIn={clearHint}
      onInput={clearHint}
    >
      <Summary />
      <fieldset>
        <TextElement as="legend" of={words.say('section.card')} />
        <CardFields />
      </fieldset>
      <fieldset>
        <TextElement as="legend" of={words.say('section.billing')} />
        <KnownDetails />
        <BillingFields />
      </fieldset>
      <Notices />
      <PayArea />
      <TextElement as="p" class="secure" of={words.say('secure')} />
    </form>
  );
};
