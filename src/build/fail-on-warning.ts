/** A build prints no warning: it fails, so that the cause is mended. The text is the bundler's. */
export const failOnWarning = ({ code, message }: { code?: string; message: string }): never => {
  throw new Error(`The bundler warns${code === undefined ? '' : ` (${code})`}: ${message}`);
};
