import { enConfirm } from './en-confirm.ts';
import { enForm } from './en-form.ts';

/**
 * The English texts of the form. Their keys are the type of every other catalog, so a missing translation doesn't
 * compile.
 *
 * Texts are plain and calm and say what to do. A `{name}` in braces is a placeholder for a value; translations must use
 * the same placeholders. Problems have the key `<field>.<problem>`: `empty` and `incomplete` are states of a check, the
 * others its problems.
 */
export const en = { ...enForm, ...enConfirm } as const;

/** The key of a sentence or word that the form can show. */
export type MessageKey = keyof typeof en;

/** All of the form's texts in one language. */
export type Catalog = Readonly<Record<MessageKey, string>>;
