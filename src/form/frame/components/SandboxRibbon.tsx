import { useRef } from 'preact/hooks';
import { useForm } from './context.ts';
import { TextElement } from './TextElement.tsx';

/**
 * Marks a form that moves no money, so that no merchant goes live with it by mistake. Once the form is connected, it
 * opens the list of test cards, which is loaded on demand. It is shown above the form but follows it in tab order, so
 * that a form in the sandbox takes the same keystrokes as with a live key.
 */
export const SandboxRibbon = () => {
  const { isSandbox, isStatus, actions, screen } = useForm();
  if (!isSandbox) return null;
  // The first rendering must equal the prerendered document, so that it can be hydrated.
  const canFill =
    !isStatus && actions.value !== null && screen.value.screen === 'form' && !screen.value.locked;
  return canFill ? (
    <TestCards />
  ) : (
    <p class="ribbon">
      <RibbonText />
    </p>
  );
};

const RibbonText = () => {
  const { words } = useForm();
  return (
    <>
      <TextElement as="strong" of={words.say('sandbox')} /> <TextElement of={words.say('sandbox.hint')} />
    </>
  );
};

/** The ribbon as a disclosure, with the same place and size. */
const TestCards = () => {
  const { form } = useForm();
  const details = useRef<HTMLDetailsElement>(null);
  const toggled = () => {
    import('./test-cards.ts')
      .then(({ toggleTestCards }) => details.current && toggleTestCards(details.current, form.fields))
      .catch(() => undefined); // no payment needs it
  };
  return (
    <details class="test-cards" ref={details} onToggle={toggled}>
      <summary class="ribbon" title="Test cards">
        <RibbonText />
      </summary>
    </details>
  );
};
