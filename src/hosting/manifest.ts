/** What the build says of itself in `dist/`, and what `verify:served` holds a service to. */
import type { Headers, Rule } from './headers.ts';

/** `dist/headers.json`: what to send; `{origin}` in a value stands for the service's own. */
export type HeadersFile = { release: string; rules: readonly Rule[] };

/**
 * `dist/sri.json`: `sha384-…` of every file by its address, before any compression; and, where the loader is signed,
 * the key, as `integrity` names it.
 */
export type IntegrityFile = {
  release: string;
  signedBy?: string;
  files: Readonly<Record<string, string>>;
};

/** Reads `headers.json`; throws where it is not one. */
export const parseHeadersFile = (text: string): HeadersFile => {
  const { release, rules } = recordOf(JSON.parse(text), 'headers.json');
  if (typeof release !== 'string' || !Array.isArray(rules)) throw malformed('headers.json');
  return {
    release,
    rules: rules.map((one: unknown) => {
      const { address, headers } = recordOf(one, 'headers.json');
      if (typeof address !== 'string') throw malformed('headers.json');
      return { address, headers: stringsOf(headers, 'headers.json') };
    }),
  };
};

/** Reads `sri.json`; throws where it is not one. */
export const parseIntegrityFile = (text: string): IntegrityFile => {
  const { release, signedBy, files } = recordOf(JSON.parse(text), 'sri.json');
  if (typeof release !== 'string') throw malformed('sri.json');
  return {
    release,
    ...(typeof signedBy === 'string' ? { signedBy } : {}),
    files: stringsOf(files, 'sri.json'),
  };
};

const malformed = (name: string): Error =>
  new Error(`${name} is not as the build writes it. Build again: npm run build`);

const recordOf = (value: unknown, name: string): Record<string, unknown> => {
  if (typeof value !== 'object' || value === null) throw malformed(name);
  return Object.fromEntries(Object.entries(value));
};

const stringsOf = (value: unknown, name: string): Headers =>
  Object.fromEntries(
    Object.entries(recordOf(value, name)).map(([key, text]) => {
      if (typeof text !== 'string') throw malformed(name);
      return [key, text];
    }),
  );
