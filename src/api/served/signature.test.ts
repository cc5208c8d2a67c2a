import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseSigningKey, sandboxSigner, signatureProblem, withFormer } from './signature.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const der = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
const content = Buffer.from('load()');

describe('threat-model 2.4: the signature of the loader', () => {
  it.each([
    ['PEM', pem],
    ['base64', der],
    ['base64 in lines', `${der.slice(0, 20)}\n${der.slice(20)}\n`],
  ])('is made with a PKCS#8 key as %s, over the digest of the uncompressed content', (_, text) => {
    const signer = parseSigningKey(text);
    const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64');
    expect(signer.integrity).toBe(`ed25519-${raw}`);

    const headers = signer.headersFor(content);
    const params = `("unencoded-digest";sf);keyid="${raw}";tag="ed25519-integrity"`;
    const digest = `sha-256=:${createHash('sha256').update(content).digest('base64')}:`;
    expect(headers).toEqual({
      'unencoded-digest': digest,
      'signature-input': `signature=${params}`,
      signature: expect.stringMatching(/^signature=:[A-Za-z0-9+/]{86}==:$/),
    });
    const [, signature = ''] = /:(.*):/.exec(headers.signature ?? '') ?? [];
    // RFC 9421, 2.5: one line per component, then the parameters.
    const base = `"unencoded-digest";sf: ${digest}\n"@signature-params": ${params}`;
    expect(verify(null, Buffer.from(base), publicKey, Buffer.from(signature, 'base64'))).toBe(true);
  });

  it('is also made with the former key while pages may name it', () => {
    const other = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
    const [present, former] = [parseSigningKey(pem), parseSigningKey(`${other}`)];
    const both = withFormer(present, former);
    expect(both).toMatchObject({
      integrity: present.integrity,
      former: former.integrity,
    });
    const headers = both.headersFor(content);
    for (const { integrity } of [present, former])
      expect(signatureProblem(headers, content, integrity)).toBeNull();
    const third = sandboxSigner().integrity;
    expect(signatureProblem(headers, content, third)).toBe(
      `signature: expected one of the key ${third}; got one of ${present.integrity} and ${former.integrity}`,
    );
    const swapped = { ...headers, signature: `${headers.signature}`.replace('former=:', 'former=:AAAA') };
    expect(signatureProblem(swapped, content, former.integrity)).toMatch(/; it is not valid$/);
  });

  it('has no timestamp: the same content has the same headers', () => {
    expect(parseSigningKey(pem).headersFor(content)).toEqual(parseSigningKey(der).headersFor(content));
    expect(parseSigningKey(pem).headersFor(Buffer.from('load( )'))).not.toEqual(
      parseSigningKey(pem).headersFor(content),
    );
  });

  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  it.each([
    ['', '0 characters that are neither'],
    ['secret!', '7 characters that are neither'],
    ['c2VjcmV0', '8 characters that are neither'],
    [pem.replace(/\n.*\n/, '\nAAAA\n'), 'a PEM that cannot be read'],
    [createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString(), 'a PEM of "PUBLIC KEY"'],
    [rsa.export({ type: 'pkcs8', format: 'pem' }).toString(), 'a key of the kind rsa'],
    [rsa.export({ type: 'pkcs1', format: 'pem' }).toString(), 'a PEM of "RSA PRIVATE KEY"'],
    [ec.export({ type: 'pkcs8', format: 'der' }).toString('base64'), 'a key of the kind ec'],
  ])('refuses any other text without repeating it, case %#', (text, kind) => {
    expect(() => parseSigningKey(text)).toThrow(
      new Error(
        `CARD_FORM_SIGNING_KEY: expected a private Ed25519 key in PKCS#8, as PEM or as the base64 of its DER; got ${kind}. Make one: openssl genpkey -algorithm ed25519`,
      ),
    );
  });

  it('is made with the same public key in every sandbox', () => {
    expect(sandboxSigner().integrity).toMatch(/^ed25519-[A-Za-z0-9+/]{43}=$/);
    expect(sandboxSigner().integrity).toBe(sandboxSigner().integrity);
    expect(sandboxSigner().integrity).not.toBe(parseSigningKey(pem).integrity);
  });
});
