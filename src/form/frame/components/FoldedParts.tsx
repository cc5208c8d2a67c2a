import { useComputed } from '@preact/signals';
import { FIELD_NAMES } from '../../channel/field-names.ts';
import { type BillingOption, fieldsOf } from '../../channel/fields.ts';
import { focusWhenShown } from '../form/focus-when-shown.ts';
import { linesOf } from '../form/known-text.ts';
import { useForm } from './context.ts';
import { KnownLine } from './KnownDetails.tsx';
import { TextElement } from './TextElement.tsx';

/** The parts that fold to one line each, in the form's order. */
const PARTS: readonly (readonly BillingOption[])[] = [['name', 'email'], ['address']];

/** The parts completed before the latest attempt: a line each, with a button that opens its fields. */
export const FoldedParts = () => {
  const { form } = useForm();
  const { folded } = form.unasked;
  return (
    <>
      {useComputed(() =>
        PARTS.map((part) => part.filter((option) => folded.value.includes(option)))
          .filter(({ length }) => length > 0)
          .map((options) => <FoldedPart key={options.at(-1)} options={options} />),
      )}
    </>
  );
};

const FoldedPart = ({ options }: { options: readonly BillingOption[] }) => {
  const { form, words, screen } = useForm();
  const isLocked = useComputed(() => (screen.value.screen === 'form' && screen.value.locked) || undefined);
  const id = `folded-${options.at(-1)}`;
  const open = () => {
    if (isLocked.peek()) return;
    const opened = fieldsOf(options);
    form.unasked.ask(options);
    focusWhenShown(FIELD_NAMES.find((name) => opened.some((one) => one === name)));
  };
  return (
    <div class="known folded">
      <p id={id}>
        {linesOf(options, form, words).map((parts) => (
          <KnownLine parts={parts} />
        ))}
      </p>
      <TextElement
        as="button"
        of={words.say('billing.change')}
        type="button"
        class="link"
        aria-describedby={id}
        aria-disabled={isLocked}
        onClick={open}
      />
    </div>
  );
};
