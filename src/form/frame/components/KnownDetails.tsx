import { useComputed } from '@preact/signals';
import { useState } from 'preact/hooks';
import { FIELD_NAMES } from '../../channel/field-names.ts';
import { fieldsOf } from '../../channel/fields.ts';
import { focusWhenShown } from '../form/focus-when-shown.ts';
import { linesOf } from '../form/known-text.ts';
import { useForm } from './context.ts';
import { TextElement } from './TextElement.tsx';

/** The billing details the page already knows, as text, with a button that opens their fields. */
export const KnownDetails = () => {
  const { form, words, screen, actions } = useForm();
  // Until the default values have been checked, the prerendered text stays, invisibly, to reserve the space.
  const [draft] = useState(() => globalThis.document?.querySelector('.known p')?.textContent ?? '');
  const isChecked = useComputed(
    () => actions.value !== null && form.unasked.known.value.every((option) => form.isSound(option)),
  );
  const isDraft = useComputed(() => (isChecked.value ? undefined : ''));
  const content = useComputed(() =>
    isChecked.value
      ? linesOf(form.unasked.known.value, form, words).map((parts) => <KnownLine parts={parts} />)
      : [<TextElement of={draft} />],
  );
  const isLocked = useComputed(() => (screen.value.screen === 'form' && screen.value.locked) || undefined);
  const known = form.unasked.known.value;
  if (known.length === 0) return null;

  const open = () => {
    if (isLocked.peek()) return;
    const opened = fieldsOf(known);
    form.unasked.ask(known);
    focusWhenShown(FIELD_NAMES.find((name) => opened.some((one) => one === name)));
  };

  return (
    <div class="known" data-draft={isDraft}>
      <p>{content}</p>
      <TextElement
        as="button"
        of={words.say('billing.change')}
        type="button"
        class="link"
        aria-disabled={isLocked}
        onClick={open}
      />
    </div>
  );
};

/** Isolates each part, so that an email stays left to right in an Arabic form. */
export const KnownLine = ({ parts }: { parts: readonly string[] }) => (
  <span class="known-line">
    {parts.map((part, index) => (
      <>
        {index > 0 && <span> · </span>}
        <TextElement as="bdi" of={part} />
      </>
    ))}
  </span>
);
