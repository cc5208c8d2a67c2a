/**
 * What only a developer can get wrong is thrown at once. The words cost every buyer bytes, so they are few:
 * what was expected, what came, what to do.
 */
import type { CardFormMistake, CardFormMistakeCode } from './types.ts';

/** Throws the error of a mistake. */
export const throwMistake: (code: CardFormMistakeCode, message: string) => never = (code, message) => {
  throw Object.assign(new Error(message), { name: 'CardFormError' as const, code }) satisfies CardFormMistake;
};
