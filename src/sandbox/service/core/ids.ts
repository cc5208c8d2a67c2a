/** A source of bytes, either cryptographic or repeatable from a seed. */
export type RandomBytes = (count: number) => Uint8Array;

/** The prefixes of all keys after the first pair, by which the frame recognises a sandbox key (contract 6.1). */
export type KeyPrefix = 'pk_live_sandbox' | 'sk_live_sandbox';

/** The prefixes of contract S2.1. */
export type IdPrefix = 'lg_pi_' | 'lg_cs_' | 'lg_re_' | 'adj_' | 'evt_' | 'we_';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Bytes from this value up are discarded, so that every character is equally likely. */
const UNBIASED = 256 - (256 % ALPHABET.length);
/** 24 characters out of 62 are 142 bits. threat-model 1.9 requires 128. */
const LENGTH = 24;

const cryptographicBytes: RandomBytes = (count) => crypto.getRandomValues(new Uint8Array(count));

/** Generates the same bytes for the same seed (sfc32). For repeatable tests only: the bytes are predictable. */
export const seededBytes = (seed: number): RandomBytes => {
  let a = 0x9e3779b9;
  let b = Math.floor(seed / 2 ** 32) | 0;
  let c = seed | 0;
  let counter = 1;
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 24;
  };
  for (let warm = 0; warm < 16; warm++) next();
  return (count) => Uint8Array.from({ length: count }, next);
};

/** Creates ids: a prefix and at least 128 random bits, unless the caller gives a `length` in characters. */
export const createIds = (seed?: number): ((prefix: IdPrefix | KeyPrefix, length?: number) => string) => {
  const bytes = seed === undefined ? cryptographicBytes : seededBytes(seed);
  return (prefix, length = LENGTH) => {
    let id = '';
    while (id.length < length) {
      for (const byte of bytes(length - id.length)) {
        if (byte < UNBIASED) id += ALPHABET.charAt(byte % ALPHABET.length);
      }
    }
    return prefix + id;
  };
};
