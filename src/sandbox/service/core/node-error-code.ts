/**
 * Returns the code of a Node error, or undefined. Doesn't use `instanceof`: in Jest, Node's own modules throw errors of
 * another `Error` class than the test's.
 */
export const nodeErrorCode = (error: unknown): unknown => Object(error).code;
