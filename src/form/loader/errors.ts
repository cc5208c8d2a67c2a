/**
 * Integration errors are thrown, so that a developer sees them at once. Every buyer downloads the messages, so they are
 * short. On the developer's own machine, or with the option `debug`, `mistakes.ts` explains them on the console.
 */
import type { MistakeCode } from './mistakes.ts';
import type { CardFormMistake, CardFormMistakeCode, CardFormOptions } from './types.ts';

/** The options as far as they say whether a mistake is explained. Whoever calls `mount()` may have given none. */
type Page = Pick<CardFormOptions, 'debug'> | undefined;

/** The developer of the page. An object, so that `main.ts` can set what explains mistakes. */
export const developer: {
  /** Explains a mistake at length. `detail` is the rest of the message. */
  explain?: (code: MistakeCode, detail?: string, page?: Page) => unknown;
} = {};

/** Explains a mistake if somebody listens. */
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
