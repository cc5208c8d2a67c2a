/** The files in `dist/` that describe a release. `verify:served` compares a service with them. */
import { STATIC_ROUTES } from '../../api/routes.ts';
import { CODINGS, type Coding, FORMER_CODINGS } from './codings.ts';
import type { Headers, Rule } from './headers.ts';
import type { FormerKey } from './signature.ts';

/**
 * `dist/headers.json`: the headers to send; `{origin}` in a value stands for the service's origin. `codings` are those of
 * the compressed files beside each file, except fonts. `languages` are those that have a document besides English.
 */
export type HeadersFile = {
  release: string;
  codings: readonly Coding[];
  languages: readonly string[];
  rules: readonly Rule[];
};

/**
 * `dist/sri.json`: the `sha384-…` of every uncompressed file by its address, and the public key (`ed25519-…`) if the
 * loader is signed.
 */
export type IntegrityFile = {
  release: string;
  signedBy?: string;
  /** The key that signs beside it, and until when. */
  former?: FormerKey;
  files: Readonly<Record<string, string>>;
};

/** By moving address, a hash of its content for an ETag. */
export const movingTags = ({ files }: IntegrityFile): ReadonlyMap<string, string> =>
  new Map(
    [STATIC_ROUTES.loader, STATIC_ROUTES.frame].flatMap((address) => {
      const [, digest] = files[address]?.split('-') ?? [];
      return digest === undefined
        ? []
        : [[address, Buffer.from(digest, 'base64').toString('hex').slice(0, 32)] as const];
    }),
  );

/** Throws if the text is not a `headers.json` of the build. */
export const parseHeadersFile = (text: string): HeadersFile => {
  const { release, codings, languages, rules } = recordOf(JSON.parse(text), 'headers.json');
  if (typeof release !== 'string' || !Array.isArray(rules)) throw malformed('headers.json');
  return {
    release,
    codings: Array.isArray(codings) ? CODINGS.filter((coding) => codings.includes(coding)) : FORMER_CODINGS,
    // They become a part of servers' configuration.
    languages: Array.isArray(languages)
      ? languages.filter((one) => typeof one === 'string' && /^[A-Za-z-]+$/.test(one))
      : [],
    rules: rules.map((one: unknown) => {
      const { address, headers } = recordOf(one, 'headers.json');
      if (typeof address !== 'string') throw malformed('headers.json');
      return { address, headers: stringsOf(headers, 'headers.json') };
    }),
  };
};

/** Throws if the text is not an `sri.json` of the build. */
export const parseIntegrityFile = (text: string): IntegrityFile => {
  const { release, signedBy, former, files } = recordOf(JSON.parse(text), 'sri.json');
  if (typeof release !== 'string') throw malformed('sri.json');
  return {
    release,
    ...(typeof signedBy === 'string' ? { signedBy } : {}),
    ...(former === undefined ? {} : { former: formerOf(former) }),
    files: stringsOf(files, 'sri.json'),
  };
};

const formerOf = (value: unknown): FormerKey => {
  const { signedBy, until } = recordOf(value, 'sri.json');
  if (typeof signedBy !== 'string' || typeof until !== 'string') throw malformed('sri.json');
  return { signedBy, until };
};

const malformed = (name: string): Error =>
  new Error(`${name} is not in the format that the build writes. Build again: npm run build`);

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
