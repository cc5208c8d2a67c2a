/** Files in `dist/` that describe a release. `verify:served` compares a service with them. */
import * as z from 'zod/mini';
import { STATIC_ROUTES } from '../../api/routes.ts';
import { CODINGS, type Coding } from '../../api/served/codings.ts';

const Strings = z.record(z.string(), z.string());

/**
 * `dist/headers.json`: the headers to send; `{origin}` in a value stands for the service's origin. `codings` are those
 * of the compressed files beside each file, except fonts. `languages` lists those with a document, apart from English.
 */
const HeadersFile = z.object({
  release: z.string(),
  codings: z.pipe(
    z.array(z.string()),
    z.transform((names): readonly Coding[] => CODINGS.filter((coding) => names.includes(coding))),
  ),
  // Filtered, because they become part of servers' configuration.
  languages: z.pipe(
    z.array(z.string()),
    z.transform((names): readonly string[] => names.filter((one) => /^[A-Za-z-]+$/.test(one))),
  ),
  rules: z.readonly(z.array(z.object({ address: z.string(), headers: Strings }))),
});
export type HeadersFile = z.output<typeof HeadersFile>;

/** `dist/sri.json`. */
const IntegrityFile = z.object({
  release: z.string(),
  /** The public key (`ed25519-…`) if the loader is signed. */
  signedBy: z.exactOptional(z.string()),
  /** The previous key, which signs in addition. */
  former: z.exactOptional(z.string()),
  /** The `sha384-…` of every uncompressed file by address. */
  files: Strings,
});
export type IntegrityFile = z.output<typeof IntegrityFile>;

/** A hash of the content for an ETag, by moving address. */
export const movingTags = ({ files }: IntegrityFile): ReadonlyMap<string, string> =>
  new Map(
    [STATIC_ROUTES.loader, STATIC_ROUTES.frame].flatMap((address) => {
      const [, digest] = files[address]?.split('-') ?? [];
      return digest === undefined
        ? []
        : [[address, Buffer.from(digest, 'base64').toString('hex').slice(0, 32)] as const];
    }),
  );

/** Throws an error with the remedy if the text isn't what the build writes. */
const read = <Schema extends z.ZodMiniType>(name: string, schema: Schema, text: string): z.output<Schema> => {
  const { success, data, error } = schema.safeParse(JSON.parse(text));
  if (success) return data;
  const [{ path = [] } = {}] = error.issues;
  throw new Error(
    `${name} is not as the build writes it, at ${path.join('.') || 'its beginning'}. Run \`npm run build\`.`,
  );
};

/** Throws if the text isn't a `headers.json` from the build. */
export const parseHeadersFile = (text: string): HeadersFile => read('headers.json', HeadersFile, text);

/** Throws if the text isn't an `sri.json` from the build. */
export const parseIntegrityFile = (text: string): IntegrityFile => read('sri.json', IntegrityFile, text);
