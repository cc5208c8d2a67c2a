/** A release that could not be carried out. The message says what was expected, what came, and what to do. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';
}

/** What an error says, whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What a JSON text says; undefined if it is none. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
