/**
 * Integration errors are thrown, so that a developer sees them at once. Every buyer downloads the messages, so they are
 * short. On the developer's own machine, or with the option `debug`, `mistakes.ts` explains them on the console.
 */
import type { MistakeCode } from './mistakes.ts';
import type { CardFormMistake, CardFormMistakeCode, CardFormOptions } from './types.ts';

/** The option that decides whether a mistake is explained. Callers of `mount()` may have passed no options. */
type Page = Pick<CardFormOptions, 'debug'> | undefined;

/** Hook for the page's developer. An object, so that `main.ts` can set the explainer. */
export const developer: {
  /** Explains a mistake at length. `detail` is the rest of the message. */
  explain?: (code: MistakeCode, detail?: string, page?: Page) => unknown;
} = {};

/** Explains a mistake if an explainer is set. */
export const explain = (code: MistakeCode, detail?: string, page?: Page): unknown =>
  developer.explain?.(code, detail, page);

export const throwMistake: (code: CardFormMistakeCode, detail?: string, page?: Page) => never = (
  code,
  detail,
  page,
) => {
  explain(code, detail, page);
  throw Object.assign(new Error(detail ? `${code}: ${detail}` : code), {
    name: 'CardFormError' as const,
    code,
  }) satisfies CardFormMistake;
};
