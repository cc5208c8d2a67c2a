/** The content codings of the compressed files, and which one a browser gets. The same for every server. */
import zlib from 'node:zlib';
import type { Headers } from './headers.ts';

/** A coding as it is named in HTTP. */
export type Coding = 'gzip' | 'zstd' | 'br';

/** In the order of preference, the worst first: of those that a browser accepts, the last one is sent. */
export const CODINGS: readonly Coding[] = ['gzip', 'zstd', 'br'];

/** The suffix of the files in each coding. */
export const SUFFIXES: Readonly<Record<Coding, string>> = { gzip: '.gz', zstd: '.zst', br: '.br' };

/** The codings of releases whose manifest names none, because the build knew only one. */
export const FORMER_CODINGS: readonly Coding[] = ['br'];

/** The codings of llms.txt, whose rule does not change with the release. */
export const LLMS_CODINGS: readonly Coding[] = ['gzip', 'br'];

/** `[coding, suffix]` of those that a release has, the worst first. */
export const codingsIn = (names: readonly Coding[]): readonly (readonly [Coding, string])[] =>
  CODINGS.filter((coding) => names.includes(coding)).map((coding) => [coding, SUFFIXES[coding]]);

/** The suffixes of all files with the same content: those in each coding, then the plain one. */
export const suffixesIn = (names: readonly Coding[]): readonly string[] => [
  ...codingsIn(names).map(([, suffix]) => suffix),
  '',
];

/**
 * A regular expression for an Accept-Encoding that accepts the coding: it is listed, and its weight is not 0. Without
 * lookahead, which Caddy's expressions do not have.
 */
export const acceptPattern = (coding: Coding): string =>
  `(^|,)\\s*${coding}\\s*(;\\s*q=(1(\\.0*)?|0?\\.\\d*[1-9]\\d*)\\s*)?(,|$)`;

/** Whether the format is compressed by itself, so that there are no compressed files beside it. */
export const isCompressed = ({ 'content-type': contentType = '' }: Headers): boolean =>
  contentType === 'font/woff2';

type Compress = (content: Buffer) => Buffer;

/** A function of node:zlib that Node has from 22.15; null in an older one. */
const zstdFunction = (name: string): Compress | null => {
  const found: unknown = Reflect.get(zlib, name);
  if (typeof found !== 'function') return null;
  return (content) => {
    const made: unknown = found(content);
    if (!Buffer.isBuffer(made)) throw new Error(`${name} was expected to return a buffer`);
    return made;
  };
};

const { BROTLI_PARAM_QUALITY: QUALITY, BROTLI_MAX_QUALITY } = zlib.constants;

/** Compresses as well as the coding can. Null: this Node does not know the coding. */
export const COMPRESS: Readonly<Record<Coding, Compress | null>> = {
  gzip: (content) => zlib.gzipSync(content, { level: 9 }),
  zstd: zstdFunction('zstdCompressSync'),
  br: (content) => zlib.brotliCompressSync(content, { params: { [QUALITY]: BROTLI_MAX_QUALITY } }),
};

const DECOMPRESS: Readonly<Record<Coding, Compress | null>> = {
  gzip: (content) => zlib.gunzipSync(content),
  zstd: zstdFunction('zstdDecompressSync'),
  br: (content) => zlib.brotliDecompressSync(content),
};

/** The content of a compressed file; null if it cannot be read, or if this Node does not know the coding. */
export const decompressed = (coding: Coding, packed: Buffer): Buffer | null => {
  try {
    return DECOMPRESS[coding]?.(packed) ?? null;
  } catch {
    return null; // the file is damaged
  }
};

/** The codings that this Node can make. */
export const KNOWN_CODINGS: readonly Coding[] = CODINGS.filter((coding) => COMPRESS[coding] !== null);

/** `[suffix, content]` of the compressed files beside one. Throws if this Node does not know a coding. */
export const compressedIn = (
  codings: readonly Coding[],
  content: string | Buffer,
): readonly (readonly [string, Buffer])[] =>
  codingsIn(codings).map(([coding, suffix]) => {
    const compress = COMPRESS[coding];
    if (compress === null) throw new Error(`Node ${process.version} cannot compress with ${coding}`);
    return [suffix, compress(Buffer.from(content))];
  });
