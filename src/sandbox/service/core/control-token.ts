import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Creates a new control token. Never seeded: it keeps other machines off the control routes. */
export const randomControlToken = (): string => randomBytes(24).toString('base64url');

/** Accepts tokens that an `Authorization: Bearer` header can carry and that are too long to guess. */
export const isControlToken = (text: string): boolean => /^[\w.~+/-]{16,200}={0,2}$/.test(text);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Returns true if the request carries the token. Compares in constant time. */
export const carriesToken = (headers: Headers, token: string): boolean => {
  const [, given] = /^Bearer +(\S+)$/i.exec(headers.get('authorization')?.trim() ?? '') ?? [];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
};
