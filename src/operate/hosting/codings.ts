/** The content codings of the compressed files, and which one a browser gets. The same for every server. */
import zlib from 'node:zlib';
import type { Headers } from './headers.ts';

/** A coding as it is named in HTTP. */
export type Coding = 'gzip' | 'br';

/** In the order of preference, the worst first: of those that a browser accepts, the last one is sent. */
export const CODINGS: readonly Coding[] = ['gzip', 'br'];

/** The suffix of the files in each coding. */
export const SUFFIXES: Readonly<Record<Coding, string>> = { gzip: '.gz', br: '.br' };

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

const { BROTLI_PARAM_QUALITY: QUALITY, BROTLI_MAX_QUALITY } = zlib.constants;

/** The byte of a gzip file that names the operating system, and its value for an unknown one (RFC 1952). */
const OS_BYTE = 9;
const UNKNOWN_OS = 255;

/** Compresses as well as the coding can, into the same bytes on every system. */
const COMPRESS: Readonly<Record<Coding, (content: Buffer) => Buffer>> = {
  gzip: (content) => {
    const packed = zlib.gzipSync(content, { level: 9 });
    packed[OS_BYTE] = UNKNOWN_OS;
    return packed;
  },
  br: (content) => zlib.brotliCompressSync(content, { params: { [QUALITY]: BROTLI_MAX_QUALITY } }),
};

const DECOMPRESS: Readonly<Record<Coding, (content: Buffer) => Buffer>> = {
  gzip: (content) => zlib.gunzipSync(content),
  br: (content) => zlib.brotliDecompressSync(content),
};

/** The content of a compressed file; null if it cannot be read. */
export const decompressed = (coding: Coding, packed: Buffer): Buffer | null => {
  try {
    return DECOMPRESS[coding](packed);
  } catch {
    return null; // the file is damaged
  }
};

/** `[suffix, content]` of the compressed files beside one. */
export const compressedIn = (
  codings: readonly Coding[],
  content: string | Buffer,
): readonly (readonly [string, Buffer])[] =>
  codingsIn(codings).map(([coding, suffix]) => [suffix, COMPRESS[coding](Buffer.from(content))]);
