/** Replaces `@sentry/browser` when the documentation's recipe runs: the part that it uses, recording. */

type Level = 'fatal' | 'error' | 'warning' | 'log' | 'info' | 'debug';

/** Every call, in order. */
export const recorded: unknown[] = [];

export const addBreadcrumb = (breadcrumb: {
  category?: string;
  message?: string;
  level?: Level;
  data?: Record<string, unknown>;
}): void => {
  recorded.push(['addBreadcrumb', breadcrumb]);
};

export const captureMessage = (
  message: string,
  context?: {
    level?: Level;
    tags?: Record<string, string | number | boolean | null | undefined>;
    contexts?: Record<string, Record<string, unknown> | undefined>;
    extra?: Record<string, unknown>;
  },
): string => {
  recorded.push(['captureMessage', message, context]);
  return 'event';
};
