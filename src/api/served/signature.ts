/**
 * Signs the loader, so that a page can pin a key instead of a release: `integrity="ed25519-<public key>"`
 * (Signature-based Integrity, a profile of HTTP Message Signatures, RFC 9421). Chromium enforces it; other engines
 * ignore the unknown token.
 *
 * The signature covers only the digest of the uncompressed content, so it is valid for both loader addresses and every
 * content encoding. It has no timestamp, so two builds of the same source are identical.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { Headers } from './headers.ts';

/** Holds a private key without exposing it. */
export type Signer = {
  /** The value for a script's `integrity`: `ed25519-…`, the public key. */
  integrity: string;
  /** The previous key, while pages may still name it; absent if there is none. */
  former?: string;
  /** The headers that sign this content. */
  headersFor(content: Buffer): Headers;
};

/** The profile's tag, as Chromium sends it in `Accept-Signature`. Earlier drafts called it `sri`. */
const TAG = 'ed25519-integrity';

/** The headers and the signed text, for a loader's content and a public key in base64. */
const signedParts = (content: Buffer, publicKey: string) => {
  const digest = `sha-256=:${createHash('sha256').update(content).digest('base64')}:`;
  const input = `("unencoded-digest";sf);keyid="${publicKey}";tag="${TAG}"`;
  return {
    digest,
    input,
    base: Buffer.from(`"unencoded-digest";sf: ${digest}\n"@signature-params": ${input}`),
  };
};

const signerOf = (privateKey: KeyObject): Signer => {
  // The last 32 bytes of any Ed25519 public key in DER (RFC 8410).
  const raw = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).subarray(-32);
  const publicKey = raw.toString('base64');
  return {
    integrity: `ed25519-${publicKey}`,
    headersFor: (content) => {
      const { digest, input, base } = signedParts(content, publicKey);
      return {
        'unencoded-digest': digest,
        'signature-input': `signature=${input}`,
        signature: `signature=:${sign(null, base, privateKey).toString('base64')}:`,
      };
    },
  };
};

/** Signs with both keys. A browser runs the script if one signature matches the key that the page names. */
export const withFormer = (signer: Signer, former: Signer): Signer => ({
  integrity: signer.integrity,
  former: former.integrity,
  headersFor: (content) => {
    const [headers, others] = [signer.headersFor(content), former.headersFor(content)];
    const both = (name: string) => `${headers[name]}, ${others[name]?.replace(/^signature=/, 'former=')}`;
    return { ...headers, 'signature-input': both('signature-input'), signature: both('signature') };
  },
});

/** The members of a header field by label (RFC 8941, 3.2). Reads only what `withFormer` writes. */
const membersOf = (value: string): ReadonlyMap<string, string> =>
  new Map(
    value.split(/,\s*(?=\w+=)/).map((member) => {
      const at = member.indexOf('=');
      return [member.slice(0, at), member.slice(at + 1)];
    }),
  );

/** The DER before the 32 bytes of an Ed25519 public key (RFC 8410). */
const SPKI_ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** A public key as merchants pin it: `ed25519-` and the base64 of its 32 bytes. */
export const isPublicKey = (text: string): boolean => /^ed25519-[A-Za-z0-9+/]{43}=$/.test(text);

/**
 * Why a browser that pins the key `signedBy` (`ed25519-…`) would refuse to run this response; null if it would run it.
 * Checks the signature itself, so the result is right even if the release's manifest is wrong.
 */
export const signatureProblem = (headers: Headers, content: Buffer, signedBy: string): string | null => {
  const publicKey = signedBy.slice('ed25519-'.length);
  const { digest, input, base } = signedParts(content, publicKey);
  const expected = `signature: expected one of the key ${signedBy}`;
  const { signature, 'signature-input': given } = headers;
  if (signature === undefined || given === undefined) return `${expected}; got none`;
  if (headers['unencoded-digest'] !== digest)
    return `unencoded-digest: expected ${digest}, the content's; got ${headers['unencoded-digest'] ?? 'none'}`;
  const inputs = membersOf(given);
  const keys = Array.from(inputs, ([label, text]) => ({
    label,
    text,
    key: /;keyid="([^"]*)"/.exec(text)?.[1],
  }));
  const own = keys.find(({ key }) => key === publicKey);
  if (own === undefined) {
    const others = keys.flatMap(({ key }) => (key === undefined ? [] : [`ed25519-${key}`]));
    return `${expected}; got one of ${others.join(' and ') || 'no key'}`;
  }
  const [, bytes] = /^:([A-Za-z0-9+/=]+):$/.exec(membersOf(signature).get(own.label) ?? '') ?? [];
  const key = createPublicKey({
    key: Buffer.concat([SPKI_ED25519_PREFIX, Buffer.from(publicKey, 'base64')]),
    format: 'der',
    type: 'spki',
  });
  const isValid =
    own.text === input && bytes !== undefined && verify(null, base, key, Buffer.from(bytes, 'base64'));
  return isValid ? null : `${expected}; it is not valid`;
};

const EXPECTED = 'expected a private Ed25519 key in PKCS#8, as PEM or as the base64 of its DER';
const REMEDY = 'Make one: openssl genpkey -algorithm ed25519';

/** Creates a signer from a private key as text. For any other text, throws an error that doesn't repeat it. */
export const parseSigningKey = (text: string, name = 'CARD_FORM_SIGNING_KEY'): Signer => {
  const privateKey = privateKeyOf(text.trim());
  if (privateKey === null) throw new Error(`${name}: ${EXPECTED}; got ${kindOf(text)}. ${REMEDY}`);
  if (privateKey.asymmetricKeyType !== 'ed25519')
    throw new Error(`${name}: ${EXPECTED}; got a key of the kind ${privateKey.asymmetricKeyType}. ${REMEDY}`);
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
    return null; // the error of the library may contain a part of the key
  }
};

const kindOf = (text: string): string => {
  const label = /^\s*-----BEGIN ([A-Z0-9 ]{1,40})-----/.exec(text)?.[1];
  if (label === 'PRIVATE KEY') return 'a PEM that cannot be read';
  return label === undefined ? `${text.length} characters that are neither` : `a PEM of "${label}"`;
};

/** The DER before the 32 bytes of an Ed25519 private key in PKCS#8 (RFC 8410). */
const PKCS8_ED25519_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The same key in every sandbox, derived from a public string. It protects nothing. */
export const sandboxSigner = (): Signer => {
  const seed = createHash('sha256').update('card-form sandbox: this key protects nothing').digest();
  return signerOf(
    createPrivateKey({ key: Buffer.concat([PKCS8_ED25519_PREFIX, seed]), format: 'der', type: 'pkcs8' }),
  );
};
