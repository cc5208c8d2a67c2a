/** Turns the bundler's warnings into build failures, so that the cause gets fixed. */
export const failOnWarning = ({ code, message }: { code?: string; message: string }): never => {
  throw new Error(`The bundler warns${code === undefined ? '' : ` (${code})`}: ${message}`);
};
