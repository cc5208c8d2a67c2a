import { type ReadonlySignal, useComputed } from '@preact/signals';
import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { CONTROLS } from '../../channel/field-controls.ts';
import type { FieldName } from '../../channel/fields.ts';
import type { MessageKey } from '../../i18n/en.ts';
import { controlId } from '../first/controls.ts';
import { afterPointer } from '../press/after-pointer.ts';
import { useForm } from './context.ts';
import { TextElement } from './TextElement.tsx';

/** The attributes that connect a control with its label, its problem and the form. */
export const useControl = (name: FieldName) => {
  const { form, screen, actions } = useForm();
  const field = form.fields[name];
  const hasProblem = useComputed(() => field.problem.value !== null);
  const hasMessage = useComputed(() => hasProblem.value || field.doubt.value !== null);
  const { autocomplete, ...control } = CONTROLS[name];
  return {
    ...control,
    autocomplete: `billing ${autocomplete}`,
    id: controlId(name),
    // Not prerendered, to save bytes: screen readers don't announce a field before hydration.
    'aria-required': useComputed(() => (actions.value && field.isRequired.value ? 'true' : undefined)),
    'aria-invalid': useComputed(() => (hasProblem.value ? 'true' : undefined)),
    'aria-describedby': useComputed(() => (hasMessage.value ? `problem-${name}` : undefined)),
    // The Enter key's label on a phone's keyboard. `form/next-key.ts` implements "next".
    enterKeyHint: useComputed(() => (form.format.value.fields.at(-1) === name ? 'go' : 'next')),
    readOnly: useComputed(() => screen.value.screen === 'form' && screen.value.locked),
    // Deferred: a problem shown between pointer down and up would move the button away from the pointer.
    onBlur: () => afterPointer(() => field.leave()),
  } satisfies InputHTMLAttributes<HTMLInputElement>;
};

/** Fields that never share an outline. */
const ALONE: readonly FieldName[] = ['name', 'email'];

/** A field's message, and its state: a problem, a doubt, or complete (for the page's style rules). */
const useMessage = (name: FieldName, label?: MessageKey) => {
  const { form, words } = useForm();
  const { problem, doubt, isComplete, text: typed } = form.fields[name];
  const text = useComputed(() => {
    const found = problem.value ?? doubt.value;
    if (!found) return '';
    const message = words.say(found.key, found.values);
    return label ? words.say('field.problem', { label: words.say(label), problem: message }) : message;
  });
  const state = useComputed(() =>
    problem.value
      ? 'problem'
      : doubt.value
        ? 'doubt'
        : isComplete.value && typed.value
          ? 'complete'
          : undefined,
  );
  return { text, state };
};

/** Label, control, and the message about a problem or doubt. Owns the ids that connect them. */
export const LabeledField = ({
  name,
  label,
  optional = false,
  wide = true,
  quiet,
  children,
}: {
  name: FieldName;
  label: MessageKey;
  optional?: boolean;
  /** Takes the whole width; other fields share a line if there is room. */
  wide?: boolean;
  /** True if it looks like a link while empty. */
  quiet?: ReadonlySignal<boolean>;
  children: ComponentChildren;
}) => {
  const { form, words, isGrouped } = useForm();
  const { text, state } = useMessage(name);
  const quietly = useComputed(() => (quiet?.value ? '' : undefined));
  if (form.unasked.fields.value.includes(name)) return null;
  return (
    <div class="field" data-wide={wide} data-quiet={quietly} data-state={state}>
      <div class="field-head">
        <TextElement as="label" for={controlId(name)} of={words.say(label)} />
        {optional && <TextElement class="field-hint" aria-hidden="true" of={words.say('field.optional')} />}
      </div>
      {children}
      {(!isGrouped.value || ALONE.includes(name)) && (
        <TextElement as="p" class="problem" id={`problem-${name}`} of={text} />
      )}
    </div>
  );
};

/**
 * The messages of grouped fields, each with its field's label, below the group. Renders nothing for separate fields.
 */
export const GroupMessages = ({ labels }: { labels: readonly (readonly [FieldName, MessageKey])[] }) => {
  const { form, isGrouped } = useForm();
  const shown = labels.filter(([name]) => !form.unasked.fields.value.includes(name));
  if (!isGrouped.value || shown.length === 0) return null;
  return (
    <div class="messages">
      {shown.map(([name, label]) => (
        <GroupMessage key={`${name} ${label}`} name={name} label={label} />
      ))}
    </div>
  );
};

const GroupMessage = ({ name, label }: { name: FieldName; label: MessageKey }) => {
  const { text, state } = useMessage(name, label);
  return <TextElement as="p" class="problem" id={`problem-${name}`} data-state={state} of={text} />;
};
