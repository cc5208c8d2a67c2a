/**
 * Integration errors are thrown, so that a developer sees them at once. Every buyer downloads the messages, so they are
 * short.
 */
import type { CardFormMistake, CardFormMistakeCode } from './types.ts';

export const throwMistake: (code: CardFormMistakeCode, message: string) => never = (code, message) => {
  throw Object.assign(new Error(message), { name: 'CardFormError' as const, code }) satisfies CardFormMistake;
};
