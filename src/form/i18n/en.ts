import { enConfirm } from './en-confirm.ts';
import { enForm } from './en-form.ts';

/**
 * The texts of the form in English. Its keys are the type of every other catalog, so a missing translation does not
 * compile.
 *
 * Texts are plain and calm and say what to do. A `{name}` in braces is a placeholder for a value; a translation must use
 * the same placeholders. Problems have the key `<field>.<problem>`: `empty` and `incomplete` are states of a check, the
 * others its problems.
 */
export const en = { ...enForm, ...enConfirm } as const;

/** The name of a sentence or word the form can show. */
export type MessageKey = keyof typeof en;

/** Every word of the form in one language. */
export type Catalog = Readonly<Record<MessageKey, string>>;
