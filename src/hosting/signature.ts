/**
 * Signs the loader, so that a page can pin a key in place of a release: `integrity="ed25519-<public key>"`
 * (Signature-based Integrity, a profile of HTTP Message Signatures, RFC 9421). Chromium enforces it; other engines
 * ignore a token that they do not know.
 *
 * What is signed is the digest of the content before any compression, and nothing else: one signature holds for both
 * addresses of the loader and for every coding. It names no time, so that two builds of one source are the same.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { Headers } from './headers.ts';

/** Signs; nothing but the public half can be read from it. */
export type Signer = {
  /** As a script's tag names it: `ed25519-…`. */
  integrity: string;
  /** The headers to send with this content. */
  headersFor(content: Buffer): Headers;
};

/** The profile, as Chromium asks for it in `Accept-Signature`. Drafts called it `sri`. */
const TAG = 'ed25519-integrity';

const signerOf = (privateKey: KeyObject): Signer => {
  // The last 32 bytes of any Ed25519 public key in DER (RFC 8410).
  const raw = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).subarray(-32);
  const publicKey = raw.toString('base64');
  return {
    integrity: `ed25519-${publicKey}`,
    headersFor: (content) => {
      const digest = `sha-256=:${createHash('sha256').update(content).digest('base64')}:`;
      const input = `("unencoded-digest";sf);keyid="${publicKey}";tag="${TAG}"`;
      const base = `"unencoded-digest";sf: ${digest}\n"@signature-params": ${input}`;
      return {
        'unencoded-digest': digest,
        'signature-input': `signature=${input}`,
        signature: `signature=:${sign(null, Buffer.from(base), privateKey).toString('base64')}:`,
      };
    },
  };
};

const EXPECTED =
  'CARD_FORM_SIGNING_KEY: expected a private Ed25519 key in PKCS#8, as PEM or as the base64 of its DER';
const REMEDY = 'Make one: openssl genpkey -algorithm ed25519';

/**
 * A signer from the text of a private key. Throws for anything else, and says what came without repeating any of it.
 */
export const parseSigningKey = (text: string): Signer => {
  const privateKey = privateKeyOf(text.trim());
  if (privateKey === null) throw new Error(`${EXPECTED}; got ${kindOf(text)}. ${REMEDY}`);
  if (privateKey.asymmetricKeyType !== 'ed25519')
    throw new Error(`${EXPECTED}; got a key of the kind ${privateKey.asymmetricKeyType}. ${REMEDY}`);
  return signerOf(privateKey);
};

const privateKeyOf = (text: string): KeyObject | null => {
  try {
    return text.startsWith('-----BEGIN PRIVATE KEY-----')
      ? createPrivateKey(text)
      : /^[A-Za-z0-9+/\s]+={0,2}$/.test(text)
        ? createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' })
        : null;
  } catch {
    return null; // what the library says may hold a part of it
  }
};

const kindOf = (text: string): string => {
  const label = /^\s*-----BEGIN ([A-Z0-9 ]{1,40})-----/.exec(text)?.[1];
  if (label === 'PRIVATE KEY') return 'a PEM that cannot be read';
  return label === undefined ? `${text.length} characters that are neither` : `a PEM of "${label}"`;
};

/** What stands before the 32 bytes of an Ed25519 private key in PKCS#8 (RFC 8410). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The same key in every sandbox, made of a public sentence. It protects nothing. */
export const sandboxSigner = (): Signer => {
  const seed = createHash('sha256').update('card-form sandbox: this key protects nothing').digest();
  return signerOf(
    createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' }),
  );
};
