/** Content codings of the compressed files, and the choice between them. The same for every server. */
import zlib from 'node:zlib';
import type { Headers } from './headers.ts';

/** A coding by its HTTP name. */
export type Coding = 'gzip' | 'br';

/** In ascending order of preference: the last one that a browser accepts is sent. */
export const CODINGS: readonly Coding[] = ['gzip', 'br'];

/** File suffix of each coding. */
export const SUFFIXES: Readonly<Record<Coding, string>> = { gzip: '.gz', br: '.br' };

/** `[coding, suffix]` of a release's codings, in ascending order of preference. */
export const codingsIn = (names: readonly Coding[]): readonly (readonly [Coding, string])[] =>
  CODINGS.filter((coding) => names.includes(coding)).map((coding) => [coding, SUFFIXES[coding]]);

/** Suffixes of all files with the same content: one per coding, then the plain one. */
export const suffixesIn = (names: readonly Coding[]): readonly string[] => [
  ...codingsIn(names).map(([, suffix]) => suffix),
  '',
];

/**
 * Regular expression for an Accept-Encoding that accepts the coding: it is listed with a weight other than 0. Uses no
 * lookahead, which Caddy's expressions lack.
 */
export const acceptPattern = (coding: Coding): string =>
  `(^|,)\\s*${coding}\\s*(;\\s*q=(1(\\.0*)?|0?\\.\\d*[1-9]\\d*)\\s*)?(,|$)`;

/** Returns true if the format is already compressed, so that there are no compressed files beside it. */
export const isCompressed = ({ 'content-type': contentType = '' }: Headers): boolean =>
  contentType === 'font/woff2';

const { BROTLI_PARAM_QUALITY: QUALITY, BROTLI_MAX_QUALITY } = zlib.constants;

/** The byte of a gzip file that names the operating system, and its value for an unknown one (RFC 1952). */
const OS_BYTE = 9;
const UNKNOWN_OS = 255;

/** Compresses at the highest level, into the same bytes on every system. */
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

/** The content of a compressed file; null if it can't be read. */
export const decompressed = (coding: Coding, packed: Buffer): Buffer | null => {
  try {
    return DECOMPRESS[coding](packed);
  } catch {
    return null; // the file is damaged
  }
};

/** `[suffix, content]` of the compressed files beside a file. */
export const compressedIn = (
  codings: readonly Coding[],
  content: string | Buffer,
): readonly (readonly [string, Buffer])[] =>
  codingsIn(codings).map(([coding, suffix]) => [suffix, COMPRESS[coding](Buffer.from(content))]);
