import { effect, untracked, useComputed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { FIELD_NAMES } from '../../channel/field-names.ts';
import { fieldAt } from '../first/controls.ts';
import type { FormModel } from '../form/card-form.ts';
import { focusWhenShown } from '../form/focus-when-shown.ts';
import { foldFinished } from '../form/fold.ts';
import { showAnswer } from '../form/show-answer.ts';
import { foldableIn } from '../view/folding.ts';
import type { View } from '../view/form-view.ts';
import { BillingFields } from './BillingFields.tsx';
import { CardFields } from './CardFields.tsx';
import { type FormContext, FormProvider, useForm } from './context.ts';
import { KnownDetails } from './KnownDetails.tsx';
import { Notices } from './Notices.tsx';
import { PayArea } from './PayButton.tsx';
import { SandboxRibbon } from './SandboxRibbon.tsx';
import { Summary } from './Summary.tsx';

/** The whole form, or the outcome in its place. */
export const FormRoot = (context: FormContext) => (
  <FormProvider value={context}>
    <Screen />
    <SandboxRibbon />
  </FormProvider>
);

const Screen = () => {
  const { screen, late } = useForm();
  const isForm = useComputed(() => screen.value.screen === 'form');
  const outcome = useComputed(() => {
    const { Outcome } = late.value ?? {};
    return screen.value.screen === 'outcome' && Outcome && <Outcome {...screen.value} />;
  });
  const hadOutcome = useRef(false);
  hadOutcome.current ||= !isForm.value;
  return isForm.value ? <PaymentForm replacesOutcome={hadOutcome.current} /> : outcome;
};

/** An attempt has ended: what is finished folds. The focus that was in it goes to what follows. */
const fold = (form: FormModel, view: View) => {
  const focused = fieldAt(document.activeElement, FIELD_NAMES);
  foldFinished(form, foldableIn(view));
  if (!focused || !form.unasked.fields.peek().includes(focused)) return;
  setTimeout(() => {
    const next =
      document.querySelector<HTMLElement>('.pay') ?? document.querySelector<HTMLElement>('.folded button');
    next?.focus({ preventScroll: true });
  });
};

/** `replacesOutcome`: an outcome was shown before it. */
const PaymentForm = ({ replacesOutcome }: { replacesOutcome: boolean }) => {
  const { form, words, screen, actions, isInterrupted } = useForm();
  const formElement = useRef<HTMLFormElement>(null);

  // The outcome took its focused element with it. The button gets the focus, but only if it is in this frame.
  useEffect(() => {
    if (replacesOutcome && document.hasFocus())
      formElement.current?.querySelector<HTMLElement>('.pay')?.focus();
  }, [replacesOutcome]);

  // A failed attempt moves the focus to the field to fix, but only if the focus is in this frame. Notices that come
  // during an attempt or at its end push the button away, so both are scrolled into view.
  // It sees every state: an attempt may begin and end between two frames of the screen.
  useEffect(() => {
    let wasLocked = false;
    let isTried = false;
    let shownNotices = '';
    return effect(() => {
      const now = screen.value;
      if (now.screen !== 'form') return;
      const { fieldToFix } = now;
      if (now.locked) isTried = true;
      else if (isTried && now.action.kind !== 'busy') {
        isTried = false;
        untracked(() => fold(form, now));
      }
      const notices = now.notices.map(({ message }) => message.key).join();
      if (notices !== shownNotices && (now.locked || wasLocked)) showAnswer(fieldToFix);
      shownNotices = notices;
      if (wasLocked && !now.locked && now.action.kind === 'pay') {
        wasLocked = false;
        if (fieldToFix && document.hasFocus()) focusWhenShown(fieldToFix);
      }
      if (now.locked) wasLocked = true;
    });
  }, []);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const { guard, press } = actions.value ?? {};
    if (guard?.isLive(event)) void press?.('buyer');
  };

  // The hint about the last press covers the fields above the button, so it goes when the buyer uses them again.
  const clearHint = ({ target }: Event) => {
    if (!(target instanceof HTMLButtonElement)) actions.value?.clearPressHint();
  };

  // On a phone the keyboard's "next" key goes to the next field. Android does this itself; elsewhere the key would
  // press Pay.
  const goToNextField = (event: KeyboardEvent) => {
    const { target } = event;
    if (event.key !== 'Enter' || event.isComposing || !(target instanceof HTMLInputElement)) return;
    if (target.enterKeyHint !== 'next' || !matchMedia('(pointer: coarse)').matches) return;
    event.preventDefault();
    const controls = [...(formElement.current?.querySelectorAll<HTMLElement>('.control') ?? [])];
    controls[controls.indexOf(target) + 1]?.focus();
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
      onSubmit={submit}
      onKeyDown={goToNextField}
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
        <KnownDetails />
        <BillingFields />
      </fieldset>
      <Notices />
      <PayArea />
      <p class="secure">{words.say('secure')}</p>
    </form>
  );
};
