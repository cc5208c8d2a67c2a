/** The page's commands beyond paying: update, focus, blur, clear, and questions. No payment needs them. */
import { FIELD_NAMES, placeOf } from '../../channel/field-names.ts';
import type { HostMessage, Update } from '../../channel/messages.ts';
import type { FormModel } from '../form/card-form.ts';
import { createCommands } from '../merchant/commands.ts';
import { holdChanges } from '../merchant/held-changes.ts';
import { changeFields } from '../merchant/live-fields.ts';
import { validate } from '../merchant/validation.ts';
import type { Parts } from './parts.ts';

type MessageOf<Type extends HostMessage['type']> = Extract<HostMessage, { type: Type }>;

/** A question about the form, answered in every state. */
export type PageQuestion = MessageOf<'validate' | 'diagnostics'>;

export type PageCommand = PageQuestion | MessageOf<'update' | 'focus' | 'blur' | 'clear'>;

export const isQuestion = (message: HostMessage): message is PageQuestion =>
  message.type === 'validate' || message.type === 'diagnostics';

/** Replies with a message of the same type. */
export const answerQuestion = (
  question: PageQuestion,
  { form, page, screen, canBePaid }: Pick<Parts, 'form' | 'page' | 'screen' | 'canBePaid'>,
): void =>
  page.reply(
    question.type === 'validate'
      ? { type: 'validate', ...validate(form, screen.peek(), canBePaid.peek()) }
      : { type: 'diagnostics', diagnostics: page.diagnostics.answer(question) },
  );

type CommandParts = Pick<
  Parts,
  'form' | 'page' | 'options' | 'screen' | 'canBePaid' | 'canEdit' | 'isButtonless'
> &
  Pick<Parameters<typeof createCommands>[0], 'guard' | 'watch'>;

/** Returns the command handler. */
export const createPageCommands = (parts: CommandParts): ((command: PageCommand) => void) => {
  const { form, page, options, guard, watch, canEdit, isButtonless } = parts;
  const { warn } = page;
  const change = holdChanges<Pick<Update, 'fields' | 'payButton'>>(canEdit, ({ fields, payButton }) => {
    if (fields) changeFields(form, fields, options.defaults(), warn);
    if (!payButton || isButtonless.peek() === (payButton === 'host')) return;
    if (payButton === 'host' && hasCard(form)) return warn('payButton', HOST_REFUSED);
    isButtonless.value = payButton === 'host';
  });
  const commands = createCommands({
    form,
    guard,
    watch,
    warn,
    canClear: canEdit,
    defaults: options.defaults,
  });
  return (command) => {
    switch (command.type) {
      case 'update': // `offered.ts` has already applied the other options
        if (command.backdrop || command.appearance)
          page.reply({ type: 'update', style: options.named(), from: options.source() });
        return change({
          ...(command.fields && { fields: command.fields }),
          ...(command.payButton && { payButton: command.payButton }),
        });
      case 'focus':
        return commands.focus(command.field);
      case 'blur':
        return commands.blur();
      case 'clear':
        return commands.clear();
      default:
        return answerQuestion(command, parts);
    }
  };
};

const hasCard = ({ fields }: FormModel): boolean =>
  FIELD_NAMES.some((name) => placeOf(name) === 'card' && fields[name].text.peek() !== '');

/** Otherwise a page script could take over the button once a card is entered, and press it (threat-model 1.4). */
const HOST_REFUSED =
  "The button stays in the form: update({ payButton: 'host' }) counts only while the card fields are empty.";
