/** A release command that failed. The message says what was expected, what happened, and what to do. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';
}

/** The message of anything thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Parses JSON; undefined if the text is not JSON. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
