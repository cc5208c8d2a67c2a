/**
 * The code of an error of Node's, undefined if it has none. Not by `instanceof`: in Jest the errors of Node's own modules are of
 * another `Error` than that of a test.
 */
export const nodeErrorCode = (error: unknown): unknown => Object(error).code;
