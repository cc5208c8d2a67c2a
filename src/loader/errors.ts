/**
 * What only a developer can get wrong is thrown at once. The words cost every buyer bytes, so they are few:
 * what was expected, what came, what to do.
 */
import type { CardFormMistake, CardFormMistakeCode } from './types.ts';

/** The error a mistake throws. */
export const mistake = (code: CardFormMistakeCode, message: string): CardFormMistake =>
  Object.assign(new Error(message), { name: 'CardFormError' as const, code });
